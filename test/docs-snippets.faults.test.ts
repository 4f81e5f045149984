import { execFileSync } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Installed, installPackage } from '../clients/typescript/test/install-package.ts'
import { demoKey } from '../src/core/api-key.ts'
import { type LobbyService, startLobbyService } from '../src/features/lobbies/fixture.ts'
import { createProspectList, deliverProspectList } from '../src/features/prospect-lists/index.ts'
import { differences } from './docs-snippets/matches.ts'
import { fits, isRun, notRun } from './docs-snippets/not-run.ts'
import { type Block, readBlocks } from './docs-snippets/read-blocks.ts'
import type { Customer } from './harness/service.ts'

// Runs each block of code of each page in an empty project with the packed client, and compares the
// results.

const root = fileURLToPath(new URL('..', import.meta.url))
/** The demo key cannot write portfolios. */
const writesPortfolios = /watch-your-merchants/
const writtenBaseUrl = 'http://localhost:8080'
const blocks = readBlocks()

let service: LobbyService
let customer: Customer
let installed: Installed
/** The ref of the list that the page about prospect lists shows. */
let listRef: string

beforeAll(async () => {
  service = await startLobbyService({ world: 'demo_with_registers', isReachable: true })
  await service.reportRenderer('on')
  customer = await service.customer({ plan: 'growth', credits: 100_000 })
  installed = await installPackage()
  await mkdir(join(installed.project, 'bin'))
  const curl = execFileSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).trim()
  await installed.write('bin/curl', `#!/bin/sh\nexec ${curl} -f -sS "$@"\n`)
  execFileSync('chmod', ['+x', join(installed.project, 'bin/curl')])
  const packages = join(installed.project, 'node_modules')
  for (const name of ['@modelcontextprotocol', 'jose'])
    await symlink(join(root, 'node_modules', name), join(packages, name))
  const now = new Date()
  const created = await createProspectList(service.service.live, customer.accountRef, {
    cadence: 'one_time',
    now,
  })
  listRef = created.prospect_list_ref
  const { code = '{}' } = blocks.find(block => isResultOfList(block)) ?? {}
  await deliverProspectList(service.service.live, listRef, { result: JSON.parse(code), now })
})
afterAll(async () => {
  await installed.remove()
  await service.close()
})

/** Finds the interpreter itself, because pyenv's python3 needs variables of the user's shell. */
const python = (() => {
  try {
    const print = 'import sys; print(sys.executable)'
    return execFileSync('python3', ['-c', print], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return null
  }
})()

const isResultOfList = ({ page, code }: Block) =>
  page === 'docs/prospect-lists.md' && code.includes('"schema_version"')

/** Returns the key of a block. Programs of guides and READMEs must work with the demo key. */
const keyOf = ({ page, language }: Block) =>
  !writesPortfolios.test(page) && (/^docs\/(guides\/|quickstart|clients)/.test(page) || language === 'ts')
    ? demoKey
    : customer.key

const outputs = new Map<Block, Promise<string>>()

/** Runs each program once, also if the next block shows its output. */
function outputOf(block: Block): Promise<string> {
  const known = outputs.get(block)
  if (known !== undefined) return known
  const output = run(block)
  outputs.set(block, output)
  return output
}

async function run(block: Block): Promise<string> {
  const { project } = installed
  const env = {
    PATH: `${project}/bin:${project}/node_modules/.bin:${process.env.PATH}`,
    BAIZE_API_KEY: keyOf(block),
    BAIZE_BASE_URL: service.url,
    REF: listRef,
  }
  const output = (program: string, ...args: string[]) =>
    installed.outputIn(folderOf(block.page), env, program, args)
  const code = block.code.replaceAll(writtenBaseUrl, service.url)
  // Node 24 runs TypeScript without a build.
  if (block.language === 'ts') return output(process.execPath, '--input-type=module-typescript', '-e', code)
  if (block.language === 'py') return output(python ?? 'python3', '-c', code)
  // The script skips the installation of the package, and `--yes` replaces the question to a person.
  const script = code
    .replaceAll(/^npm install .*$/gm, '')
    .replaceAll(/(verdicts domains\.txt --out \S+)/g, '$1 --yes')
  return output('sh', '-e', '-c', script)
}

/** Returns a folder for each page, because pages use the same file names. */
const folderOf = (page: string) => page.replaceAll(/\W/g, '-')

const tidy = (printed: string) => printed.trim().replaceAll(/ +$/gm, '')

/** Requests whose answers the JSON blocks show, for pages without a program before the block. */
const requests: Record<string, () => Promise<unknown>> = {
  'docs/keys.md': async () => (await service.ask('/v1/account')).body,
  'docs/errors/README.md': async () => {
    const query = 'domain=luckyotter.example&include[]=operator_launch_profile&max_credits=3'
    return (await customer.ask(`/v1/domains/resolve?${query}`)).body
  },
  'docs/prospect-lists.md': async () =>
    (await customer.ask(`/v1/prospect-lists/${listRef}`)).body.data.result,
}

async function answerOf({ page, before }: Block): Promise<unknown> {
  const ask = requests[page]
  if (ask !== undefined) return ask()
  const answer = JSON.parse(before === null ? 'null' : await outputOf(before))
  return answer
}

type Server = {
  url: string
  headers: Record<string, string>
  command?: string
  args: string[]
  env: Record<string, string>
}

function transportOf({ command, args, env, url, headers }: Server): Transport {
  if (command === undefined)
    return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
  const { project } = installed
  const path = `${project}/node_modules/.bin:${process.env.PATH}`
  return new StdioClientTransport({ command, args, cwd: project, env: { PATH: path, ...env } })
}

describe.each([...new Set(blocks.filter(isRun).map(({ page }) => page))])('%s', page => {
  const titled = blocks
    .filter(block => block.page === page && isRun(block))
    .map(block => ({ block, title: `${block.language}: ${block.code.trim().split('\n').at(-1)}` }))

  test.each(titled)(`a code block of ${page} does what the page shows: $title`, async ({ block }) => {
    const { language, code, before } = block
    switch (language) {
      case 'sh':
      case 'ts':
        await outputOf(block)
        return
      case 'py':
        if (python === null) return console.log('SKIPPED: there is no python3 on this machine')
        await outputOf(block)
        return
      case 'text':
        return expect(tidy(await outputOf(before as Block))).toBe(tidy(code))
      case 'json':
        return expectJson(block)
      default:
        expect.unreachable(
          `Nothing runs a block "${language}": list it in docs-snippets/not-run.ts, with why.`,
        )
    }
  })
})

async function expectJson(block: Block): Promise<void> {
  const shown = JSON.parse(block.code.replaceAll(writtenBaseUrl, service.service.settings.baseUrl))
  if (shown.mcpServers === undefined) {
    const answer = (await answerOf(block)) as { data?: object }
    expect(differences(shown, 'success' in shown ? answer : (answer.data ?? answer))).toEqual([])
    return
  }
  const servers = Object.values(shown.mcpServers) as Server[]
  expect(servers).toHaveLength(1)
  for (const server of servers) {
    const client = new Client({ name: 'host', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(transportOf(server))
    expect((await client.listTools()).tools).toHaveLength(12)
    await client.close()
  }
}

test('each block that is listed as not run exists on a page', () => {
  expect(notRun.filter(known => !blocks.some(block => fits(known, block)))).toEqual([])
})
