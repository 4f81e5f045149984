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
const packedBytesMax = 45_000

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

/** The runtimes of this machine, always with Node 24. */
const runtimes = [
  ...new Set([process.execPath, '/usr/bin/node', '/usr/local/bin/node', ...onPath('node', 'bun', 'deno')]),
].filter(existsSync)

function onPath(...names: string[]): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap(name => folders.map(each => join(each, name)))
}

const argumentsOf = (runtime: string): string[] => (runtime.endsWith('deno') ? ['run', '-A'] : [])

describe('the package', () => {
  test('the package has the built client, no dependencies and no sources', async () => {
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

  test.each(['index.js', 'command.js'])('dist/%s is readable in stack traces and debuggers', async file => {
    const text = await readFile(join(project, 'node_modules/baize-api/dist', file), 'utf8')
    const lengths = text.split('\n').map(line => line.length)
    expect(lengths.length).toBeGreaterThan(500)
    // The longest line is a help text.
    expect(Math.max(...lengths)).toBeLessThan(500)
  })

  test('the texts that editors show cite no sections of a document', async () => {
    const declared = await readFile(join(project, 'node_modules/baize-api/dist/api.d.ts'), 'utf8')
    expect(declared).toContain('/** Observation sections to add, such as `payment_methods`. */')
    expect(declared).not.toContain('§')
  })

  test(`the packed package has less than ${packedBytesMax} bytes`, () => {
    console.log(`the package has ${installed.packedBytes} bytes`)
    expect(installed.packedBytes).toBeLessThan(packedBytesMax)
  })
})

describe.each(runtimes)('the package in %s', runtime => {
  const program = `
    const reply = await new Baize().resolveDomain({ domain: 'luckyotter.example' }).withResponse()
    const error = await new Baize().resolveDomain({ domain: '10.0.0.1' }).catch(caught => caught)
    const rows = []
    for await (const { domain } of new Baize().searchDomains({ verdict: 'blocklisted' })) rows.push(domain)
    console.log(reply.data.verdict, error.name, error instanceof InvalidDomainError, rows.length > 1)`
  const expected = 'licensed InvalidDomainError true true\n'

  test(`${runtime} runs the package as a module`, async () => {
    await write('program.mjs', `import { Baize, InvalidDomainError } from 'baize-api'\n${program}`)
    expect(await output(runtime, ...argumentsOf(runtime), 'program.mjs')).toBe(expected)
  })

  test(`${runtime} runs the package as CommonJS`, async () => {
    const required = `const { Baize, InvalidDomainError } = require('baize-api')`
    await write('program.cjs', `${required}\n;(async () => {${program}})()`)
    expect(await output(runtime, ...argumentsOf(runtime), 'program.cjs')).toBe(expected)
  })

  test(`${runtime} runs the command of the package`, async () => {
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

test('the module and the CommonJS form have the same names and classes', async () => {
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

describe('the types of the package', () => {
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2022',
    types: [],
  }

  const compiler = join(root, 'node_modules/.bin/tsc')
  /** TypeScript 5.9, the last line of versions with the resolution "node10". */
  const olderCompiler = join(root, 'test/clients/node_modules/.bin/tsc')

  /** Compiles files and returns the lines of all errors. */
  async function compile(
    files: Record<string, string>,
    options: object,
    program = compiler,
  ): Promise<string[]> {
    for (const [name, text] of Object.entries(files)) await write(name, text)
    const config = { compilerOptions: { ...strict, ...options }, files: Object.keys(files) }
    await write('tsconfig.json', JSON.stringify(config))
    const { stdout } = await run(program, ['-p', project], { cwd: project }).catch(error => error)
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
  ])(
    'the types compile in strict mode with "%s" and "%s" in %s',
    async (module, moduleResolution, file, line) => {
      expect(await compile({ [file]: `${line}\n${use}` }, { module, moduleResolution })).toEqual([])
    },
  )

  const dom = ['dom', 'dom.iterable']
  test.each([
    { module: 'commonjs', moduleResolution: 'node10', target: 'es2018', lib: ['es2018', ...dom] },
    { module: 'es2015', moduleResolution: 'node10', target: 'es2020', lib: ['es2020', ...dom] },
    { module: 'node16', moduleResolution: 'node16', target: 'es2020', lib: ['es2020', ...dom] },
  ])('the types compile in TypeScript 5.9 with $module, $moduleResolution, $target', async options => {
    const program = `import ${names} from 'baize-api'\n${use}`
    expect(await compile({ 'older.ts': program }, options, olderCompiler)).toEqual([])
  })

  test('a switch over all verdicts is complete, and one over the statuses of an export, too', async () => {
    const program = `
      import { Baize, type Verdict } from 'baize-api'
      export function colour(verdict: Verdict): string {
        switch (verdict) {
          case 'licensed': return 'green'
          case 'blocklisted': return 'red'
          case 'mixed': return 'amber'
          case 'no_record': return 'grey'
        }
      }
      const baize = new Baize()
      void colour((await baize.resolveDomain({ domain: 'a.example' })).verdict)
      const account = await baize.getAccount()
      const same: typeof account = await baize.showAccount()
      void same`
    expect(await compile({ 'verdicts.mts': program }, { module: 'nodenext' })).toEqual([])
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
    ['an option', `baize.getAccount({ timeout: 1 })`, /'timeout' does not exist/],
    ['an option of an iteration', `baize.searchLicenses({}, { maxCredit: 1 })`, /'maxCredit' does not exist/],
    ['a verdict', `answer.verdict === 'licensde'`, /have no overlap/],
    [
      'the status of an export',
      `(await baize.getExport({ id: 1 })).status === 'complete'`,
      /have no overlap/,
    ],
    ['a missing parameter', `baize.resolveDomain({})`, /'domain' is missing/],
    ['an operation', `baize.resolveDomian({})`, /'resolveDomian' does not exist/],
  ])('the types reject a typing error in %s', async (_, wrong, complaint) => {
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

  test('the program in the reference of each operation compiles', async () => {
    const programs = await Promise.all(
      catalogue.map(async ({ name }): Promise<[string, string]> => {
        const { text } = await service.ask(`/docs/reference/${name}.md`)
        const [, program = ''] = /```ts\n(.*?)\n```/s.exec(text) ?? []
        expect([name, program]).toEqual([name, expect.stringContaining('baize.')])
        return [`reference-${name}.mts`, program]
      }),
    )
    const options = { module: 'nodenext', types: [], lib: ['es2022', 'dom'] }
    expect(await compile(Object.fromEntries(programs), options)).toEqual([])
  })

  test('the types fit the example of each operation', async () => {
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
