import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findRunning } from '@baize/data-directory'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withClient } from '../../test/harness/client.ts'
import { runCommandHere } from '../../test/harness/command.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { serversBelow } from '../../test/harness/processes.ts'
import { type Instance, runProgram, startInstance } from '../../test/harness/program.ts'
import { connectionTo } from '../instance/index.ts'

// The operator's commands run as a shell or cron runs them. Each process takes a second or two to start.

let directory: TestDirectory
let instance: Instance | null = null
let accountRef = ''

beforeAll(async () => {
  directory = await createTestDirectory()
})
afterAll(async () => {
  await instance?.kill()
  await eventually('no server is left', async () => (await serversBelow(directory.path)).length === 0)
  await directory.remove()
})

/**
 * Starts a process for each command if no service runs. Otherwise commands run here and find the service by
 * DATA_DIR.
 */
const run = (...args: string[]) =>
  instance === null
    ? runProgram('cli', args, { DATA_DIR: directory.path })
    : runCommandHere(args, { DATA_DIR: directory.path })

/** Returns the one JSON value that a command prints. */
async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
  expect(stdout.trimEnd()).not.toContain('\n')
  return JSON.parse(stdout)
}

/** Returns the exit code and the one line that a failing command prints on stderr. */
async function refusal(...args: string[]): Promise<{ code: number | null; line: string }> {
  const { code, stdout, stderr } = await run(...args)
  expect({ args, stdout }).toEqual({ args, stdout: '' })
  expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1)
  return { code, line: stderr.trimEnd() }
}

async function write(name: string, lines: readonly (object | string)[]): Promise<string> {
  const path = join(directory.path, name)
  const text = lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line)))
  await writeFile(path, `${text.join('\n')}\n`)
  return path
}

describe('commands with no instance running', () => {
  test('a command starts the database while it runs and leaves only the data', async () => {
    const created = await json(
      'account',
      'create',
      '--name',
      'Otter Ltd',
      '--plan',
      'starter',
      '--credits',
      '100',
    )
    expect(created).toEqual({
      account_ref: expect.stringMatching(/^acc_[0-9A-Za-z]+$/),
      name: 'Otter Ltd',
      plan: 'starter',
      credits_granted: 100,
    })
    accountRef = created.account_ref
    expect(await findRunning(directory.path)).toBeNull()
    expect(await serversBelow(directory.path)).toEqual([])
  })

  test('an unknown command, option or word exits with 2 and a suggestion, without a database', async () => {
    const [command, option] = await Promise.all([
      run('acount', 'show', accountRef),
      run('account', 'create', '--name', 'Otter', '--plam', 'free'),
    ])
    expect(command).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('(Did you mean account?)'),
    })
    expect(option).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('(Did you mean --plan?)'),
    })
    expect(await serversBelow(directory.path)).toEqual([])
  })

  test('--help lists every command, and each command has its own help', async () => {
    const { code, stdout } = await runCommandHere(['--help'], {})
    const words = [...stdout.matchAll(/^ {2}([a-z-]+)\b.* {2}\S/gm)]
      .map(match => match[1] as string)
      .filter(word => word !== 'help' && !word.startsWith('-'))
    expect({ code, words: words.toSorted() }).toEqual({
      code: 0,
      words: [
        'account',
        'brand-domain',
        'check',
        'company',
        'dump',
        'export',
        'import',
        'jobs',
        'key',
        'lobby',
        'logo',
        'migrate',
        'observation',
        'people',
        'platform',
        'prospect-list',
        'receipt',
        'regime',
        'register',
        'render',
        'serve',
        'user',
        'verify',
        'work',
      ],
    })
    for (const word of words) {
      const result = await runCommandHere([word, '--help'], {})
      expect({ word, ...result }).toMatchObject({ word, code: 0, stderr: '' })
      expect(result.stdout).toMatch(new RegExp(`^Usage: baize ${word} `))
    }
  })

  test.each([['--version'], ['-v'], ['account', '--version']])(
    'the command line %s %s prints the version',
    async (...args) => {
      const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
      expect(await runCommandHere(args, {})).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
      const { stdout } = await runCommandHere([...args, '--json'], {})
      expect(JSON.parse(stdout)).toEqual({ version })
    },
  )

  test('an unreachable database is reported in one line', async () => {
    const environment = {
      DATA_DIR: directory.path,
      DATABASE_URL: 'postgresql://baize:secret@127.0.0.1:1/baize',
    }
    const { code, stderr } = await runProgram('cli', ['verify'], environment)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'The database does not answer (connect ECONNREFUSED 127.0.0.1:1). ' +
        'Is the server of DATABASE_URL running?\n',
    })
  })
})

describe('commands with an instance running', () => {
  let apiKey = ''

  beforeAll(async () => {
    // The service finds the data that a command wrote before.
    instance = await startInstance('serve', { DATA_DIR: directory.path, LOG_LEVEL: 'warn' })
  })

  const ask = async (path: string) => {
    const answer = await fetch(`${instance?.url}${path}`, { headers: { 'x-api-key': apiKey } })
    const { data } = (await answer.json()) as { data: Record<string, unknown> }
    return { status: answer.status, data }
  }

  test('granted credits show at once, also in the service', async () => {
    const key = await json('key', 'create', accountRef, '--name', 'crawler', '--expires', '2099-01-01')
    expect(key).toEqual({
      key_ref: expect.stringMatching(/^key_[0-9A-Za-z]+$/),
      api_key: expect.stringMatching(/^client_[0-9A-Za-z]{38}$/),
    })
    apiKey = key.api_key
    const figures = {
      account_ref: accountRef,
      plan: 'starter',
      credits_granted: 150,
      credits_used: 0,
      credits_reserved: 0,
      available_credits: 150,
    }
    expect(await json('account', 'grant', accountRef, '50', '--why', 'invoice 7')).toEqual(figures)
    const [shown, text] = await Promise.all([
      json('account', 'show', accountRef),
      run('account', 'show', accountRef),
    ])
    expect(shown).toEqual({ ...figures, name: 'Otter Ltd', plan_changes: [] })
    expect(text).toMatchObject({ code: 0, stderr: '' })
    expect(text.stdout).toMatch(/^account_ref .*\nacc_\w+ +Otter Ltd +starter +150 /)
    expect(await ask('/v1/account')).toMatchObject({ status: 200, data: { credits_granted: 150 } })
  })

  test('key list shows only the ends of keys, and a revoked key is refused', async () => {
    const second = await json('key', 'create', accountRef)
    const listed = await run('key', 'list', accountRef, '--json')
    expect(listed.stdout).not.toContain(apiKey)
    expect(JSON.parse(listed.stdout)).toMatchObject([
      {
        name: 'crawler',
        last_four: apiKey.slice(-4),
        expires_at: '2099-01-01T00:00:00.000Z',
        revoked_at: null,
      },
      { name: null, last_four: second.api_key.slice(-4), expires_at: null, revoked_at: null },
    ])
    expect(await json('key', 'revoke', second.key_ref)).toEqual({ key_ref: second.key_ref, revoked: true })
    const answer = await fetch(`${instance?.url}/v1/account`, { headers: { 'x-api-key': second.api_key } })
    expect(answer.status).toBe(401)
  })

  const world = [
    { kind: 'company', key: 'otter', company_name: 'Otter Ltd', country: 'GB' },
    {
      kind: 'license',
      jurisdiction: 'ukgc',
      license_number: '4711',
      status: 'active',
      company: 'otter',
      authorized_domains: ['golden-otter.example'],
    },
  ]
  const badLines = [{ kind: 'compny', key: 'x' }, '{"kind":']

  test('an import of a bad line exits with 1 and imports nothing, or skips the line on request', async () => {
    const mixed = await write('mixed.ndjson', [world[0] as object, ...badLines, world[1] as object])
    const strict = await run('import', mixed)
    expect(strict).toMatchObject({ code: 1, stderr: '' })
    expect(strict.stdout).toMatch(/mixed\.ndjson:2: .+\n.*mixed\.ndjson:3: .+\nNothing was imported/)
    expect(await ask('/v1/domains/resolve?domain=golden-otter.example')).toMatchObject({
      data: { verdict: 'no_record' },
    })

    const skipped = await json('import', mixed, '--skip-invalid')
    expect(skipped).toMatchObject({
      lines: 4,
      rejected: 2,
      loaded: { company: { added: 1 }, license: { added: 1 } },
      rejects: [
        { file: mixed, line: 2 },
        { file: mixed, line: 3 },
      ],
    })
    expect(await ask('/v1/domains/resolve?domain=golden-otter.example')).toMatchObject({
      data: { verdict: 'licensed' },
    })
  })

  test('baize dump writes the same lines to stdout and to a file, and both can be imported', async () => {
    const file = join(directory.path, 'dump.ndjson')
    const [toStdout, toFile] = await Promise.all([run('dump'), json('dump', '--out', file)])
    expect(toStdout).toMatchObject({ code: 0, stderr: '' })
    expect(await readFile(file, 'utf8')).toBe(toStdout.stdout)
    const kinds = toStdout.stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).kind)
    expect(kinds).toEqual(expect.arrayContaining(['company', 'license', 'account']))
    expect(toFile).toMatchObject({ lines: kinds.length })
    expect(toStdout.stdout).not.toContain('client_')
    const unchanged = { added: 0, changed: 0, unchanged: 1 }
    expect(await json('import', file)).toMatchObject({
      rejected: 0,
      loaded: { company: unchanged, license: unchanged },
    })
  })

  test('a register file that is synced twice is applied once, and the history lists both runs', async () => {
    const file = await write('blocked.txt', ['red-kite.example', 'grey-heron.example'])
    const sync = ['register', 'sync', 'australia.blocklist', '--file', file, '--taken-at']
    const first = await run(...sync, '2026-04-01T12:00:00Z', '--json')
    expect(first).toMatchObject({ code: 1, stderr: '' })
    const quarantined = JSON.parse(first.stdout)
    expect(quarantined).toMatchObject({
      status: 'held',
      reasons: ['first snapshot: 2 rows, while known files allow no fewer than 155 (rows_min)'],
      approve_with: `baize register approve ${quarantined.snapshot_ref} --why "…"`,
    })
    const applied = await json(
      'register',
      'approve',
      quarantined.snapshot_ref,
      '--why',
      'two hosts are right here',
    )
    expect(applied).toMatchObject({
      stream: 'australia.blocklist',
      snapshot_ref: expect.any(String),
      status: 'applied',
      reasons: [],
      rows: 2,
      rejected: 0,
      added: 2,
      removed: 0,
      changed: 0,
    })
    expect(await ask('/v1/domains/resolve?domain=red-kite.example')).toMatchObject({
      data: { verdict: 'blocklisted' },
    })
    expect(await json(...sync, '2026-04-02T12:00:00Z')).toMatchObject({
      status: 'unchanged',
      snapshot_ref: applied.snapshot_ref,
      added: 0,
    })
    const html = await write('error.txt', ['<!DOCTYPE html>', '<html><body>503</body></html>'])
    const refused = await run('register', 'sync', 'australia.blocklist', '--file', html, '--json')
    expect(refused).toMatchObject({ code: 1, stderr: '' })
    expect(JSON.parse(refused.stdout)).toMatchObject({ status: 'refused', snapshot_ref: null, added: 0 })

    const [history, list] = await Promise.all([
      json('register', 'history', 'australia.blocklist'),
      json('register', 'list'),
    ])
    expect(history.map((entry: { status: string }) => entry.status)).toEqual([
      'refused',
      'unchanged',
      'applied',
      'held',
    ])
    expect(list).toEqual(expect.arrayContaining([expect.objectContaining({ stream: 'australia.blocklist' })]))
  })

  test('an impossible day is refused by every option for days and times', async () => {
    const file = await write('sites.txt', ['red-kite.example'])
    const sync = ['register', 'sync', 'italy.blocklist', '--file', file, '--taken-at']
    const refusals = await Promise.all([
      refusal(...sync, '2026-02-30T00:00:00Z'),
      refusal(...sync, '2025-02-29T12:00:00+01:00'),
      refusal(...sync, '2026-02-28T25:00:00Z'),
      refusal(...sync, '2026-02-28'),
      refusal('key', 'create', accountRef, '--expires', '2026-02-30'),
    ])
    expect(refusals).toEqual(
      [
        '--taken-at must be a calendar day; 2026-02-30 does not exist.',
        '--taken-at must be a calendar day; 2025-02-29 does not exist.',
        '--taken-at must be an ISO 8601 time with an offset, not "2026-02-28T25:00:00Z".',
        '--taken-at must be an ISO 8601 time with an offset, not "2026-02-28".',
        '--expires must be a calendar day; 2026-02-30 does not exist.',
      ].map(line => ({ code: 1, line })),
    )
  })

  test('a command that fails prints one line on stderr and exits with 1', async () => {
    const refusals = await Promise.all([
      refusal('account', 'show', 'acc_nobody'),
      refusal('account', 'create', '--name', 'X', '--plan', 'gold'),
      refusal('key', 'create', accountRef, '--expires', 'tomorrow'),
      refusal('key', 'create', accountRef, '--expires', '2020-01-01'),
      refusal('import', join(directory.path, 'nowhere.ndjson'), '--json'),
      refusal('dump', '--out', join(directory.path, 'nowhere', 'dump.ndjson')),
      refusal('register', 'sync', 'atlantis.blocklist', '--file', 'x.csv'),
    ])
    expect(refusals).toEqual(
      [
        'There is no account acc_nobody.',
        '--plan must be one of free, starter, growth, internal.',
        '--expires must be a day, YYYY-MM-DD, not "tomorrow".',
        '--expires must be a future day; 2020-01-01 has passed.',
        expect.stringContaining('nowhere.ndjson'),
        expect.stringContaining(join('nowhere', 'dump.ndjson')),
        'Unknown stream "atlantis.blocklist". "register list" lists all.',
      ].map(line => ({ code: 1, line })),
    )
  })

  test('verify reports the account and the wrong figure, and exits with 1', async () => {
    const running = await findRunning(directory.path)
    const tamper = (change: string) =>
      withClient(connectionTo(running?.database ?? { url: '' }), client =>
        client.query(`update account_balances set used = used ${change}`),
      )
    const used = (await ask('/v1/account')).data.credits_used
    await tamper('+ 7')
    const [text, asJson] = await Promise.all([run('verify'), run('verify', '--json')])
    await tamper('- 7')
    expect([text.code, asJson.code]).toEqual([1, 1])
    expect(text.stdout).toMatch(/DIFF .*balances/)
    expect(text.stdout).toContain(accountRef)
    const report = JSON.parse(asJson.stdout)
    expect(report.ok).toBe(false)
    expect(report.checks.flatMap((check: { differences: unknown[] }) => check.differences)).toEqual([
      { account_ref: accountRef, figure: 'used', stored: Number(used) + 7, recomputed: used },
    ])
  })
})
