import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommandHere } from '../../test/harness/command.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { type Customer, startService, type TestService } from '../../test/harness/service.ts'

const examples = fileURLToPath(new URL('../../docs/examples/', import.meta.url))

let service: TestService
let customer: Customer
let directory: TestDirectory

beforeAll(async () => {
  service = await startService()
  customer = await service.customer({ credits: 1_000 })
  directory = await createTestDirectory()
})
afterAll(async () => {
  await service.close()
  await directory.remove()
})

const run = (...args: string[]) =>
  runCommandHere(args, { DATA_DIR: directory.path, DATABASE_URL: service.database.url })

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect({ args, stderr }).toEqual({ args, stderr: '' })
  return { code, report: JSON.parse(stdout) }
}

const hosts = Array.from({ length: 60 }, (_, number) => `blocked-${number}.example`)

/** The snapshot must be recent, because an old list would be stale. */
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

async function sync(names: readonly string[], takenAt: string) {
  const file = join(directory.path, 'list.txt')
  await writeFile(file, `${names.join('\n')}\n`)
  return json('register', 'sync', 'belgium.blocklist', '--file', file, '--taken-at', takenAt)
}

describe('a list that suddenly loses a third', () => {
  const lost = [
    '40 entries after 60',
    '20 of 60 entries would be removed; the bound is 10 ' +
      '(2 %, without an earlier change to compare with; of a short list 10, at most a third)',
  ]
  let ref = ''

  test('a list that suddenly loses a third is quarantined with exit 1, and no fact changes', async () => {
    expect(await sync(hosts, hoursAgo(2))).toMatchObject({
      code: 0,
      report: { status: 'applied', added: 60 },
    })
    const { code, report } = await sync(
      hosts.filter((_, number) => number % 3 !== 1),
      hoursAgo(1),
    )
    expect({ code, report }).toMatchObject({
      code: 1,
      report: {
        status: 'held',
        removed: 20,
        signals: 0,
        reasons: lost,
      },
    })
    ref = report.snapshot_ref
    expect((await customer.ask('/v1/domains/resolve?domain=blocked-1.example')).body.data.verdict).toBe(
      'blocklisted',
    )
  })

  test('register list shows a quarantined stream on one short line, and everything with --json', async () => {
    const { stdout } = await run('register', 'list')
    const [rows = ''] = stdout.split('\n\n')
    const minute = '\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}Z'
    expect(rows).toMatch(
      /^stream +market +taken_at +last_confirmed_at +quarantined_since +every_minutes +licenses /,
    )
    expect(rows).toMatch(
      new RegExp(`^belgium\\.blocklist +belgium +${minute} +${minute} +${minute} +- +0 +0 +60$`, 'm'),
    )
    expect(Math.max(...rows.split('\n').map(row => row.length))).toBeLessThan(170)
    const { report } = await json('register', 'list')
    expect(report).toContainEqual(
      expect.objectContaining({
        stream: 'belgium.blocklist',
        official_url: expect.any(String),
        held: expect.objectContaining({ snapshot_ref: ref }),
      }),
    )
  })

  test('a page of the feed shows a quarantined stream as truth_state "held", with its reasons', async () => {
    const { body } = await customer.ask('/v1/signals/register-changes?jurisdiction=belgium')
    expect(body.data).toMatchObject({
      signals: [],
      sources: [
        {
          source_stream_key: 'belgium.blocklist',
          truth_state: 'held',
          hold_reasons: lost,
        },
      ],
    })
  })

  test('an approval applies the quarantined snapshot, and the history shows its reason', async () => {
    const why = 'The regulator said so by telephone.'
    expect(await json('register', 'approve', ref, '--why', why)).toMatchObject({
      code: 0,
      report: { status: 'applied', removed: 20, signals: 20, snapshot_ref: ref },
    })
    const { report } = await json('register', 'history', 'belgium.blocklist')
    expect(report[0]).toMatchObject({ status: 'applied', approved_because: why, signals: 20 })
    const { body } = await customer.ask('/v1/signals/register-changes?jurisdiction=belgium')
    expect(body.data).toMatchObject({ total: 20, sources: [{ truth_state: 'confirmed', hold_reasons: [] }] })
  })

  test('a quarantined snapshot cannot be approved twice, nor by an unknown ref', async () => {
    expect(await json('register', 'approve', ref, '--why', 'again')).toMatchObject({
      code: 1,
      report: { status: 'refused', reasons: [`${ref} does not await approval: its status is "applied"`] },
    })
    const { code, stderr } = await run('register', 'approve', 'snap_nobody', '--why', 'because')
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'There is no snapshot snap_nobody.\n' })
  })
})

describe('a sync of an empty file', () => {
  test.each([
    ['without a byte', ''],
    ['of blanks alone', ' \n\n'],
  ])('a file %s is refused with its reason as one JSON value, and the run is recorded', async (_, text) => {
    const file = join(directory.path, 'empty.txt')
    await writeFile(file, text)
    const { code, report } = await json('register', 'sync', 'australia.blocklist', '--file', file)
    const reasons = ['"empty.txt" is empty']
    expect({ code, report }).toMatchObject({ code: 1, report: { status: 'refused', reasons } })
    const history = await json('register', 'history', 'australia.blocklist')
    expect(history.report[0]).toMatchObject({ status: 'refused', reasons: report.reasons })
  })
})

describe('rejected rows of a register', () => {
  const row = (site: string, status: string) => `${site},${status},1 від 01.02.2026,,01.02.2026`
  const blocked = Array.from({ length: 400 }, (_, number) =>
    row(`zablokovano-${number}.example`, 'Заблокований'),
  )
  const rows = [
    row('goxbet30.comua', 'Заблокований'),
    row('pbin.onlinecasino', 'Заблокований'),
    row('"www,casino-ajaccio.com"', 'Заблокований'),
    row('otter\x1b[31m.com', 'Заблокований'),
    row('grebe.example', 'Перевірка'),
    row('heron.example', 'Опрацювання'),
    ...blocked,
  ]
  const read = {
    rows: 406,
    rejected: 4,
    undecided: 2,
    rejected_by_reason: { unknown_suffix: 2, comma_for_dot: 1, forbidden_character: 1 },
  }

  test('register sync counts rejected rows by problem, and undecided rows separately', async () => {
    const file = join(directory.path, 'ukraine.csv')
    const header = 'Домен,Статус,Рішення ПлейСіті,Рішення НКЕК,Останнє оновлення'
    await writeFile(file, `\ufeff${[header, ...rows].join('\n')}\n`)
    const sync = () => json('register', 'sync', 'ukraine.sites', '--file', file)
    expect((await sync()).report).toMatchObject({ status: 'applied', added: 400, ...read })
    expect((await sync()).report).toMatchObject({ status: 'unchanged', ...read })
    const listed = await json('register', 'list')
    const of = (each: { stream: string }) => each.stream === 'ukraine.sites'
    expect(listed.report.find(of).last_snapshot).toMatchObject({ rows: 406, rejected: 4, undecided: 2 })
  })

  test("register history prints each snapshot's rejected rows once, without control sequences", async () => {
    const { report } = await json('register', 'history', 'ukraine.sites')
    expect(report).toMatchObject([{ status: 'unchanged' }, { status: 'applied' }])
    for (const entry of report) expect(entry).toMatchObject(read)
    expect(report[0].rejects).toContainEqual({
      line: 2,
      published: 'goxbet30.comua',
      reason: 'unknown_suffix',
    })
    const { stdout } = await run('register', 'history', 'ukraine.sites')
    const { snapshot_ref: ref } = report[0]
    expect(stdout.split('\n\n')[1]).toBe(
      [
        `${ref}: 4 of 406 rows rejected`,
        '  rejected 2: unknown_suffix (goxbet30.comua; pbin.onlinecasino)',
        '  rejected 1: comma_for_dot (www,casino-ajaccio.com)',
        '  rejected 1: forbidden_character (otter [31m.com)',
        '',
      ].join('\n'),
    )
    expect(stdout).not.toContain('\x1b')
  })
})

describe('a path that cannot be read', () => {
  const refused = (path: string, problem: string) => ({
    code: 1,
    stdout: '',
    stderr: `${path}: ${problem}\n`,
  })

  test('register sync reports a missing file in one line, with exit 1', async () => {
    const path = join(directory.path, 'nope.csv')
    expect(await run('register', 'sync', 'belgium.blocklist', '--file', path)).toEqual(
      refused(path, 'no such file'),
    )
  })

  test('import reports a missing file or a folder in one line, with exit 1', async () => {
    const path = join(directory.path, 'nope.ndjson')
    expect(await run('import', path)).toEqual(refused(path, 'no such file'))
    expect(await run('import', directory.path)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${directory.path} is a folder, not a file.\n`,
    })
  })
})

describe('a register that an operator describes', () => {
  test('a register that an operator describes is checked, added, synced and listed', async () => {
    const description = join(examples, 'jersey-operators.yaml')
    expect(await json('register', 'describe', description)).toMatchObject({
      code: 0,
      report: { ok: true, stream: 'jersey.operators', market: 'jersey' },
    })
    const file = join(examples, 'jersey-operators.csv')
    expect(await json('register', 'sync', 'jersey.operators', '--file', file)).toMatchObject({
      code: 0,
      report: { status: 'applied', accepted: { licensee: expect.any(Number), license: expect.any(Number) } },
    })
    const { report } = await json('register', 'list', '--markets')
    expect(report).toContainEqual(expect.objectContaining({ market: 'jersey', coverage: 'fed' }))
    expect(report).toContainEqual(expect.objectContaining({ market: 'us_nevada', coverage: 'not_fed_yet' }))
  })

  test('register sync prints each kind of notice once, with its count and a few short examples', async () => {
    const text = await readFile(join(examples, 'jersey-operators.csv'), 'utf8')
    const [header = ''] = text.split('\n')
    const cells = header.split(';').length
    const totalOf = (page: number) => `Total: 4 licences;of page ${page}${', and so on'.repeat(9)}`
    const totals = [1, 2, 3, 4, 5].map(page => `${totalOf(page)}${';'.repeat(cells - 2)}`)
    const file = join(directory.path, 'totals.csv')
    await writeFile(file, `${text.trimEnd()}\n${totals.join('\n')}\n`)
    const { code, stdout } = await run('register', 'sync', 'jersey.operators', '--file', file)
    expect({ code, notices: stdout.split('\n').filter(line => line.includes('notice')) }).toEqual({
      code: 0,
      notices: [
        '  notice 6: left out, as the description says (Total: 4 licences; ' +
          'Total: 4 licences | of page 1, and so on…; Total: 4 licences | of page 2, and so on…; …)',
      ],
    })
  })

  test('a license removed in the same sync as a new description is reported as returned later', async () => {
    const description = join(directory.path, 'mended.yaml')
    const mended = await readFile(join(examples, 'jersey-operators.yaml'), 'utf8')
    await writeFile(description, mended.replace('[none]', '[none, unknown]'))
    expect((await json('register', 'describe', description)).report).toMatchObject({ ok: true })
    const whole = join(examples, 'jersey-operators.csv')
    const lines = (await readFile(whole, 'utf8')).split('\n')
    const without = join(directory.path, 'without.csv')
    await writeFile(without, lines.filter(line => !line.includes('RG-0007')).join('\n'))
    expect((await json('register', 'sync', 'jersey.operators', '--file', without)).report).toMatchObject({
      status: 'applied',
      corrected: true,
      removed: 3,
    })
    await json('register', 'sync', 'jersey.operators', '--file', whole)
    const { body } = await customer.ask('/v1/signals/register-changes?jurisdiction=jersey')
    const reported: { change: { event_type: string } }[] = body.data.signals
    expect(reported.map(({ change }) => change.event_type)).toEqual([
      'removed_from_register',
      'returned_to_register',
    ])
  })

  test('a register that an operator describes is refused with the line of the error', async () => {
    const text = await readFile(join(examples, 'jersey-operators.yaml'), 'utf8')
    const file = join(directory.path, 'wrong.yaml')
    await writeFile(file, text.replace('format: csv', 'format: cvs'))
    const { code, stdout } = await run('register', 'describe', file)
    expect(code).toBe(1)
    expect(stdout).toMatch(/wrong\.yaml:17:\d+: .*csv/)
  })

  test('a register that an operator describes cannot use the key of an existing stream', async () => {
    const text = await readFile(join(examples, 'jersey-operators.yaml'), 'utf8')
    const file = join(directory.path, 'taken.yaml')
    await writeFile(
      file,
      text.replace('key: jersey.operators', 'key: ukgc.licences').replace('market: jersey', 'market: ukgc'),
    )
    expect(await json('register', 'describe', file)).toMatchObject({
      code: 1,
      report: { ok: false, problems: [{ line: 1, message: expect.stringContaining('built-in stream') }] },
    })
  })
})

describe('register describe --add', () => {
  const description = join(examples, 'jersey-operators.yaml')
  const sample = join(examples, 'jersey-operators.csv')

  test('register describe --add is refused if --sample is missing or names no file', async () => {
    expect((await run('register', 'describe', description, '--add')).stderr).toContain('--add needs --sample')
    const missing = await run('register', 'describe', description, '--add', '--sample', '/none.csv')
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('/none.csv: no such file')])
  })

  test('register describe --add refuses a sample of too few rows', async () => {
    expect(await json('register', 'describe', description, '--add', '--sample', sample)).toMatchObject({
      code: 1,
      report: { ok: false, problems: [{ message: expect.stringContaining('at least 30') }] },
    })
  })

  test('register describe --add of a file that is found by a link needs its page', async () => {
    const text = await readFile(description, 'utf8')
    const file = join(directory.path, 'linked.yaml')
    await writeFile(file, text.replace('cadence:', 'resolve: { by: newest_link, href: operators }\ncadence:'))
    const { stderr } = await run('register', 'describe', file, '--add', '--sample', sample)
    expect(stderr).toContain('--page must be the saved page https://regulator.example/operators.csv')
  })
})

describe('untrusted text in refusals of registers', () => {
  const orders = '\u001b[2J\u001b]0;title\u0007\u009b31m\u202e'
  const obeyed = /[^\P{Cc}\n]|\u202e/u

  test('the refusal of a page instead of a list prints no control sequences', async () => {
    const file = join(directory.path, 'page.txt')
    await writeFile(file, `<html>${orders}</html>`)
    const { code, stdout } = await run('register', 'sync', 'italy.blocklist', '--file', file)
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining('found "<html> [2J ]0;title'),
    })
    expect(stdout).not.toMatch(obeyed)
  })

  test('the refusal of a description or a missing file prints no control sequences', async () => {
    const file = join(directory.path, `none${orders}.yaml`)
    const { code, stderr } = await run('register', 'describe', file)
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('none [2J ]0;title') })
    expect(stderr).not.toMatch(obeyed)
  })
})

test('verify replays all registers, and finds that today’s parsers read the same rows', async () => {
  const { code, report } = await json('verify')
  expect({ code, report }).toMatchObject({ code: 0, report: { ok: true } })
  const reread = await json('verify', '--reparse')
  expect(reread.report).toHaveLength(6)
  for (const snapshot of reread.report)
    expect(snapshot).toMatchObject({ only_then: 0, only_now: 0, refused: null })
})

test('register sync fetches nothing from a private address', async () => {
  const { code, report } = await json(
    'register',
    'fetch',
    'belgium.blocklist',
    '--url',
    'http://127.0.0.1:9/list.txt',
  )
  expect({ code, report }).toMatchObject({
    code: 1,
    report: { status: 'refused', reasons: [expect.stringContaining('127.0.0.1')] },
  })
})
