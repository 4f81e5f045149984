import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDirectory } from '../harness/directory.ts'
import { startService, type TestService } from '../harness/service.ts'

// The generators are installed separately (`npm ci --prefix test/clients`), because they are as large as
// all other packages.
const run = promisify(execFile)
const here = fileURLToPath(new URL('.', import.meta.url))
const requireTool = createRequire(join(here, 'package.json'))

let service: TestService
let directory: Awaited<ReturnType<typeof createTestDirectory>>
const inDirectory = (name: string) => join(directory.path, name)

beforeAll(async () => {
  if (!existsSync(join(here, 'node_modules'))) throw new Error('run "npm ci --prefix test/clients" first')
  service = await startService({ world: 'demo' })
  directory = await createTestDirectory()
  const { text } = await service.ask('/openapi.json')
  await writeFile(inDirectory('openapi.json'), text)
  await writeFile(inDirectory('package.json'), '{"type":"module"}')
  await Promise.all([
    generate('openapi-ts', [
      '-i',
      'openapi.json',
      '-o',
      'hey',
      '-c',
      '@hey-api/client-fetch',
      '--no-log-file',
    ]),
    generate('orval', ['--input', 'openapi.json', '--output', 'orval.ts', '--client', 'fetch']),
    generate('openapi-typescript', ['openapi.json', '-o', 'types.d.ts']),
  ])
})
afterAll(async () => {
  await directory.remove()
  await service.close()
})

async function generate(tool: string, options: string[]): Promise<void> {
  await run(join(here, 'node_modules/.bin', tool), options, { cwd: directory.path, timeout: 60_000 })
}

/** A program for each generated client, which uses the field `data.verdict`. */
const programs = {
  'hey-api': `
import { resolveDomain } from './hey'
export async function verdict(): Promise<string | undefined> {
  const { data } = await resolveDomain({ query: { domain: 'luckyotter.example' } })
  return data?.data.verdict
}`,
  orval: `
import { resolveDomain } from './orval'
export async function verdict(): Promise<string | undefined> {
  const answer = await resolveDomain({ domain: 'luckyotter.example' })
  return answer.status === 200 ? answer.data.data.verdict : undefined
}`,
  'openapi-typescript': `
import type { operations } from './types'
type Answer = operations['resolve_domain']['responses'][200]['content']['application/json']
export const verdict = (answer: Answer): string => answer.data.verdict
`,
}

/** Compiles a program with the generated code in strict mode, and returns the errors. */
async function compile(program: string): Promise<string> {
  await writeFile(inDirectory('program.ts'), program)
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2024',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: [],
  }
  const project = inDirectory('tsconfig.json')
  await writeFile(project, JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  const compiler = join(here, '../../node_modules/.bin/tsc')
  const { stdout } = await run(compiler, ['-p', project], { timeout: 60_000 }).catch(error => error)
  return stdout
}

describe.each(Object.entries(programs))('the client that %s generates', (_, program) => {
  test('a generated client compiles with a program that uses it', async () => {
    expect(await compile(program)).toBe('')
  })

  test('a generated client does not compile with a misspelt field of the response', async () => {
    const errors = await compile(program.replace('data.verdict', 'data.verdct'))
    expect(errors.trim().split('\n')).toEqual([
      expect.stringMatching(/program\.ts.*'verdct' does not exist on type/),
    ])
  })
})

test('the service answers the client that hey-api generates', async () => {
  const { resolveDomain } = await import(inDirectory('hey/index.ts'))
  const { client } = await import(inDirectory('hey/client.gen.ts'))
  const { key } = await service.customer()
  client.setConfig({ baseUrl: service.url, auth: key })
  const query = { domain: 'luckyotter.example', 'include[]': ['geo', 'payment_methods'], max_credits: 5 }
  const answered = await resolveDomain({ query })
  expect(answered.error).toBeUndefined()
  expect(answered.data).toMatchObject({
    success: true,
    data: { domain: 'luckyotter.example', credits_charged: 1 },
  })
  const refused = await resolveDomain({ query: { domain: '10.0.0.1' } })
  expect(refused.error).toMatchObject({ success: false, errors: { code: 'invalid_domain' } })
})

describe('the collection of Postman', () => {
  type Item = { item?: Item[]; request?: PostmanRequest }
  type Pair = { key: string; value: string }
  type PostmanRequest = {
    method: string
    url: { path: string[]; query: Pair[]; variable: Pair[] }
    header: Pair[]
  }
  type Convert = (input: object, options: object, done: (error: unknown, result: Converted) => void) => void
  type Converted = { result: boolean; output: { data: Item }[] }

  async function convert(): Promise<PostmanRequest[]> {
    const { convertV2 } = requireTool('openapi-to-postmanv2') as { convertV2: Convert }
    const data = JSON.parse(await readFile(inDirectory('openapi.json'), 'utf8'))
    const { promise, resolve, reject } = Promise.withResolvers<Converted>()
    convertV2({ type: 'json', data }, { parametersResolution: 'Example' }, (error, result) =>
      error ? reject(error) : resolve(result),
    )
    const requestsIn = ({ item = [], request }: Item): PostmanRequest[] =>
      request === undefined ? item.flatMap(requestsIn) : [request]
    return (await promise).output.flatMap(each => requestsIn(each.data))
  }

  test('the requests that Postman builds from the examples have only documented parameters', async () => {
    const { paths } = JSON.parse(await readFile(inDirectory('openapi.json'), 'utf8'))
    for (const { method, url } of await convert()) {
      const path = `/${url.path.join('/')}`.replaceAll(/:([a-z_]+)/g, '{$1}')
      const names = (paths[path][method.toLowerCase()].parameters ?? []).map(
        (each: { name: string }) => each.name,
      )
      for (const { key } of url.query) expect([path, names]).toEqual([path, expect.arrayContaining([key])])
    }
  })
})
