import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '../../../src/catalogue.ts'
import { startService, type TestService } from '../../../test/harness/service.ts'
import { type Installed, installPackage } from './install-package.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))
const packedBytesMax = 30_000

let service: TestService
let installed: Installed
let project: string
let output: (program: string, ...args: string[]) => Promise<string>
const write = (name: string, text: string) => installed.write(name, text)

beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
  const { key } = await service.customer()
  installed = await installPackage()
  project = installed.project
  const env = { BAIZE_API_KEY: key, BAIZE_BASE_URL: service.url }
  output = (program, ...args) => installed.output(env, program, ...args)
})
afterAll(async () => {
  await installed.remove()
  await service.close()
})

/** What stands on this machine; Node 24 always does. */
const runtimes = [
  ...new Set([process.execPath, '/usr/bin/node', '/usr/local/bin/node', ...onPath('node', 'bun', 'deno')]),
].filter(existsSync)

function onPath(...names: string[]): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap(name => folders.map(each => join(each, name)))
}

const argumentsOf = (runtime: string): string[] => (runtime.endsWith('deno') ? ['run', '-A'] : [])

describe('the package', () => {
  test('has the built client, and neither dependencies nor sources', async () => {
    const folder = join(project, 'node_modules/baize-api')
    const { dependencies, peerDependencies, optionalDependencies } = JSON.parse(
      await readFile(join(folder, 'package.json'), 'utf8'),
    )
    expect([dependencies, peerDependencies, optionalDependencies]).toEqual([undefined, undefined, undefined])
    expect((await readdir(join(project, 'node_modules'))).filter(name => !name.startsWith('.'))).toEqual([
      'baize-api',
    ])
    const files = (await readdir(folder, { recursive: true })).filter(name => /\.[a-z]+$/.test(name))
    const foreign = files.filter(
      name => !/^(dist\/[\w-]+\.(js|d\.ts|json)|package\.json|README\.md)$/.test(name),
    )
    expect(foreign).toEqual([])
  })

  test(`has less than ${packedBytesMax} bytes packed`, () => {
    console.log(`the package has ${installed.packedBytes} bytes`)
    expect(installed.packedBytes).toBeLessThan(packedBytesMax)
  })
})

describe.each(runtimes)('%s', runtime => {
  const program = `
    const reply = await new Baize().resolveDomain({ domain: 'luckyotter.example' }).withResponse()
    const error = await new Baize().resolveDomain({ domain: '10.0.0.1' }).catch(caught => caught)
    const rows = []
    for await (const { domain } of new Baize().searchDomains({ verdict: 'blocklisted' })) rows.push(domain)
    console.log(reply.data.verdict, error.name, error instanceof InvalidDomainError, rows.length > 1)`
  const expected = 'licensed InvalidDomainError true true\n'

  test('runs it as a module', async () => {
    await write('program.mjs', `import { Baize, InvalidDomainError } from 'baize-api'\n${program}`)
    expect(await output(runtime, ...argumentsOf(runtime), 'program.mjs')).toBe(expected)
  })

  test('runs it as CommonJS', async () => {
    const required = `const { Baize, InvalidDomainError } = require('baize-api')`
    await write('program.cjs', `${required}\n;(async () => {${program}})()`)
    expect(await output(runtime, ...argumentsOf(runtime), 'program.cjs')).toBe(expected)
  })

  test('runs its command', async () => {
    const bin = join(project, 'node_modules/baize-api/dist/command.js')
    const stdout = await output(
      runtime,
      ...argumentsOf(runtime),
      bin,
      'verdict',
      'twofaced.example',
      '--json',
    )
    expect(JSON.parse(stdout)).toMatchObject([{ verdict: 'mixed' }])
  })
})

test('modules and CommonJS have the same names and classes', async () => {
  await write(
    'names.mjs',
    `import { createRequire } from 'node:module'
     import * as imported from 'baize-api'
     const required = createRequire(import.meta.url)('baize-api')
     const names = Object.keys(required)
     console.log(names.length > 40, names.every(name => imported[name] === required[name]))`,
  )
  expect(await output(process.execPath, 'names.mjs')).toBe('true true\n')
})

describe('its types', () => {
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2022',
    types: [],
  }

  /** The lines of the compiler's complaints, of all its files. */
  async function compile(files: Record<string, string>, options: object): Promise<string[]> {
    for (const [name, text] of Object.entries(files)) await write(name, text)
    const config = { compilerOptions: { ...strict, ...options }, files: Object.keys(files) }
    await write('tsconfig.json', JSON.stringify(config))
    const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', project], {
      cwd: project,
    }).catch(error => error)
    return stdout.split('\n').filter((line: string) => line.includes('error TS'))
  }

  const use = `
    async function look(): Promise<string> {
      const baize = new Baize({ apiKey: 'client_x', maxRetries: 3 })
      const verdict = baize.resolveDomain({ domain: 'a.example', include: ['geo'] })
      const { data, creditsCharged } = await verdict.withResponse()
      const first: Promise<ResolveDomainAnswer> = baize.resolveDomain({ domain: 'a.example' })
      const filters = { jurisdiction: 'ukgc', event_type: 'revoked' } as const
      for await (const change of baize.listRegisterChanges(filters, { maxCredits: 5 }))
        if (change.change.event_type === 'a type of tomorrow') return change.signal_ref
      const text: string = await (await baize.downloadExport({ id: 1 })).text()
      return data.verdict === 'licensed' ? data.verdict : text + String(creditsCharged) + (await first).domain
    }
    void look().catch((error: unknown) => error instanceof MaxCreditsExceededError && error.details)`
  const names = '{ Baize, MaxCreditsExceededError, type ResolveDomainAnswer }'

  test.each([
    ['nodenext', 'nodenext', 'module.mts', `import ${names} from 'baize-api'`],
    ['nodenext', 'nodenext', 'common.cts', `import ${names} from 'baize-api'`],
    ['esnext', 'bundler', 'bundled.ts', `import ${names} from 'baize-api'`],
  ])('compile strict with "%s" and "%s" in %s', async (module, moduleResolution, file, line) => {
    expect(await compile({ [file]: `${line}\n${use}` }, { module, moduleResolution })).toEqual([])
  })

  test.each([
    ['a field of the answer', `answer.verdct`, /'verdct' does not exist/],
    ['a field of a row', `row.domian`, /'domian' does not exist/],
    [
      'a parameter',
      `baize.resolveDomain({ domain: 'a.example', max_credit: 1 })`,
      /'max_credit' does not exist/,
    ],
    [
      'a parameter of a search',
      `baize.searchCompanies({ juristiction: 'mga' })`,
      /'juristiction' does not exist/,
    ],
    [
      'a member of a body',
      `baize.createExport({ filters: { geo_hnt: 'Malta' } })`,
      /'geo_hnt' does not exist/,
    ],
    [
      'a value of a parameter',
      `baize.searchDomains({ verdict: 'licenced' })`,
      /"licenced"' is not assignable/,
    ],
    [
      'a market',
      `baize.listMarketEntries({ role: 'operator', market: 'ukcg' })`,
      /"ukcg"' is not assignable/,
    ],
    [
      'a section',
      `baize.resolveDomain({ domain: 'a.example', include: ['goe'] })`,
      /"goe"' is not assignable/,
    ],
    ['an option', `baize.showAccount({ timeout: 1 })`, /'timeout' does not exist/],
    ['an option of an iteration', `baize.searchLicenses({}, { maxCredit: 1 })`, /'maxCredit' does not exist/],
    ['a missing parameter', `baize.resolveDomain({})`, /'domain' is missing/],
    ['an operation', `baize.resolveDomian({})`, /'resolveDomian' does not exist/],
  ])('do not compile with a typing error in %s', async (_, wrong, complaint) => {
    const program = `
      import { Baize } from 'baize-api'
      const baize = new Baize()
      const answer = await baize.resolveDomain({ domain: 'a.example' })
      for await (const row of baize.searchDomains({ verdict: 'licensed' })) void row
      const [row] = (await baize.searchDomains({ verdict: 'licensed' })).domains
      if (row !== undefined) void (${wrong})
      void answer`
    const complaints = await compile({ 'typo.mts': program }, { module: 'nodenext' })
    expect(complaints).toEqual([expect.stringMatching(complaint)])
  })

  test('fit the example of each operation', async () => {
    const withExample = catalogue.filter(
      ({ example, download }) => example !== null && download === undefined,
    )
    const lines = withExample.map(({ name, example }) => {
      const type = name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
      const { data } = example as { data: unknown }
      return `export const ${name}: all.${type}Answer = ${JSON.stringify(data)}`
    })
    expect(lines.length).toBeGreaterThan(15)
    const program = `import type * as all from 'baize-api'\n${lines.join('\n')}`
    expect(await compile({ 'examples.mts': program }, { module: 'nodenext' })).toEqual([])
  })
})
