import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { grantCredits } from '../../../src/features/account/index.ts'
import { day, entry, fakeStream, fileOf, syncApproved } from '../../../src/registers/fixture.ts'
import { createTestDirectory, type TestDirectory } from '../../../test/harness/directory.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { chargesOf } from './ledger.ts'
import { type Run, type RunOptions, runHere } from './run-command.ts'

let service: TestService
let directory: TestDirectory
let customer: Customer
beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
  directory = await createTestDirectory()
})
afterAll(async () => {
  await directory.remove()
  await service.close()
})

const at = (name: string) => join(directory.path, name)

async function screen(file: string, bytes: string | Buffer, ...flags: string[]): Promise<Run> {
  await writeFile(at(file), bytes)
  return run(['verdicts', file, '--yes', '--out', `${file}.out`, ...flags])
}

function run(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  return runHere(args, { key: customer.key, baseUrl: service.url, cwd: directory.path, ...options })
}

const readRows = (text: string, delimiter = ',') =>
  parse(text, { columns: true, delimiter, bom: true }) as Record<string, string>[]
const outOf = async (file: string) => readFile(at(`${file}.out`))

const excel = [
  'Merchant;Website;Monthly volume',
  '"Otter; Sons Ltd";https://www.luckyotter.example/;1.200,50',
  'Red Kite;redkite-casino.example;7',
  'Without a site;;0',
].join('\r\n')

test("verdicts preserves the columns, delimiter and byte order mark of a spreadsheet's CSV", async () => {
  customer = await service.customer()
  const { code, stderr } = await screen('excel.csv', `\uFEFF${excel}\r\n`)
  expect([code, stderr]).toEqual([0, expect.stringContaining('2 credits charged.')])
  const text = (await outOf('excel.csv')).toString()
  expect(text.startsWith('\uFEFFMerchant;Website;Monthly volume;domain;verdict;')).toBe(true)
  const rows = readRows(text, ';')
  expect(rows).toMatchObject([
    {
      Merchant: 'Otter; Sons Ltd',
      'Monthly volume': '1.200,50',
      domain: 'luckyotter.example',
      verdict: 'licensed',
    },
    { Merchant: 'Red Kite', verdict: 'blocklisted' },
    { Merchant: 'Without a site', verdict: '', problem: 'empty: the cell is empty' },
  ])
})

test('verdicts reads and writes UTF-16 with its byte order mark', async () => {
  customer = await service.customer()
  const little = Buffer.from(`\uFEFFname\twebsite\nOtter ü\tluckyotter.example\n`, 'utf16le')
  for (const [file, bytes] of [
    ['utf16le.txt', little],
    ['utf16be.txt', Buffer.from(little).swap16()],
  ] as const) {
    expect((await screen(file, bytes)).code).toBe(0)
    const written = await outOf(file)
    const text = (file === 'utf16be.txt' ? Buffer.from(written).swap16() : written).toString('utf16le')
    expect(text.startsWith('\uFEFF')).toBe(true)
    expect(readRows(text, '\t')).toMatchObject([
      { name: 'Otter ü', website: 'luckyotter.example', verdict: 'licensed' },
    ])
  }
})

test('the columns of a verdict file do not depend on its first row', async () => {
  customer = await service.customer()
  await screen('first-empty.csv', 'name,website\nNone,\nOtter,luckyotter.example\n', '--column', 'website')
  const [none, otter] = readRows((await outOf('first-empty.csv')).toString())
  expect(none).toMatchObject({ problem: 'empty: the cell is empty', checked_at: '', request_id: '' })
  expect(otter?.checked_at).toMatch(/^\d{4}-/)
  expect(otter?.request_id).not.toBe('')
})

test('each verdict of a file has its time, the age of its sources and its request id', async () => {
  customer = await service.customer()
  const before = new Date().toISOString()
  await screen('proof.csv', 'luckyotter.example')
  const [row] = readRows((await outOf('proof.csv')).toString())
  expect(Date.parse(row?.checked_at ?? '')).toBeGreaterThanOrEqual(Date.parse(before) - 1)
  expect(Date.parse(row?.oldest_snapshot_at ?? '')).toBeLessThan(Date.now())
  const { rows } = await sql<{ request_id: string }>`
    select entry.request_id
      from ledger_entries entry join accounts account on account.id = entry.account_id
     where account.account_ref = ${customer.accountRef} and entry.kind = 'charge'`.execute(
    service.service.live.database,
  )
  expect(rows).toEqual([{ request_id: row?.request_id }])
})

const listedBy = async (takenAt: Date, ...domains: string[]) =>
  syncApproved(
    service.service.live,
    fakeStream('latvia.blocklist', { covers: ['blocklist'] }),
    [fileOf(...domains.map(domain => entry(domain)))],
    { takenAt, now: takenAt },
  )

test('Verdicts of a file name their snapshots, and are of one state though a sync ran between', async () => {
  customer = await service.customer({ credits: 1 })
  const before = await listedBy(day(1), 'first.example', 'second.example')
  const domains = ['first.example', 'second.example', 'neverheard.example'].join('\n')
  expect((await screen('states.txt', domains, '--partial')).code).toBe(1)
  await listedBy(day(2), 'first.example', 'third.example')

  await grantCredits(service.service.live, customer.accountRef, { credits: 10, note: 'a test' })
  const { code, stderr } = await screen('states.txt', domains)
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('states')])
  const rows = readRows((await outOf('states.txt')).toString())
  expect(rows.map(({ verdict, sources }) => [verdict, sources])).toEqual([
    ['blocklisted', `latvia.blocklist ${before.snapshot_ref} ${day(1).toISOString()}`],
    ['blocklisted', `latvia.blocklist ${before.snapshot_ref} ${day(1).toISOString()}`],
    ['no_record', ''],
  ])
  const listed = readRows(await readFile(at('states.txt.out.sources.csv'), 'utf8'))
  expect(
    listed
      .filter(({ stream }) => stream === 'latvia.blocklist')
      .map(({ request_id, snapshot_ref }) => [request_id, snapshot_ref]),
  ).toEqual([
    [rows[0]?.request_id, before.snapshot_ref],
    [rows[2]?.request_id, before.snapshot_ref],
  ])
  expect(new Set(listed.map(({ stream }) => stream)).size).toBeGreaterThan(1)
})

test('verdicts adds the prefix baize_ to a column whose title the file already has', async () => {
  customer = await service.customer()
  await screen('own.csv', 'domain,verdict\nluckyotter.example,ours\n')
  const [row] = readRows((await outOf('own.csv')).toString())
  expect(row).toMatchObject({ domain: 'luckyotter.example', verdict: 'ours', baize_verdict: 'licensed' })
})

test("a header above one column and Excel's line sep= are not read as inputs", async () => {
  customer = await service.customer()
  await screen('one.csv', 'Website\r\nluckyotter.example\r\n')
  expect(readRows((await outOf('one.csv')).toString())).toMatchObject([{ input: 'luckyotter.example' }])
  await screen('sep.csv', 'sep=|\r\nid|url\r\n1|redkite-casino.example\r\n')
  expect(readRows((await outOf('sep.csv')).toString(), '|')).toMatchObject([
    { id: '1', verdict: 'blocklisted' },
  ])
})

const twoColumns = 'billing,contact\nluckyotter.example,redkite-casino.example\n'
test.each([
  [twoColumns, [], 'Several columns have domains. Name one of them: --column "billing"'],
  [twoColumns, ['--column', 'shop'], 'There is no column "shop"; there are billing, contact.'],
  ['a,b\n1,2\n', [], 'No column has domains. Name it: --column a'],
  ['a,b\n"x.example,2\n', [], 'The file ends inside of a quoted cell; a closing " is missing.'],
  ['luckyotter.example', ['--column', 'a'], 'The file has one column: omit --column.'],
])('verdicts refuses the file %j with the options %j, and pays nothing', async (text, flags, message) => {
  customer = await service.customer()
  const { code, stderr } = await screen('wrong.csv', text, ...flags)
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  expect(await chargesOf(service, customer.accountRef)).toEqual([])
})

test('the option --column accepts a title or a number', async () => {
  customer = await service.customer()
  for (const column of ['Contact', '2']) {
    expect((await screen(`column-${column}.csv`, twoColumns, '--column', column)).code).toBe(0)
    const [row] = readRows((await outOf(`column-${column}.csv`)).toString())
    expect(row).toMatchObject({ billing: 'luckyotter.example', verdict: 'blocklisted' })
  }
})

const many = Array.from({ length: 1_500 }, (_, index) => `merchant-${index}.example`)

test('verdicts refuses a list that may cost more than the balance, and pays nothing', async () => {
  customer = await service.customer({ credits: 1_200 })
  const { code, stderr } = await screen('poor.txt', many.join('\n'))
  expect([code, stderr]).toEqual([1, expect.stringContaining('The balance may not cover it.')])
  expect(await chargesOf(service, customer.accountRef)).toEqual([])
  expect((await readdir(directory.path)).filter(name => name.startsWith('poor.txt.'))).toEqual([])
})

test('verdicts --partial writes what the balance covers; the next run pays only for the rest', async () => {
  customer = await service.customer({ credits: 1_200 })
  const first = await screen('part.txt', many.join('\n'), '--partial')
  expect([first.code, first.stderr]).toEqual([
    1,
    expect.stringContaining('The balance covered 1,200 of 1,500 inputs.'),
  ])
  expect(first.stderr).toContain('1,200 no_record, 300 not screened. 1,200 credits charged.')
  const partial = readRows((await outOf('part.txt')).toString())
  expect(partial.map(({ input }) => input)).toEqual(many)
  expect(partial.filter(({ verdict }) => verdict === 'no_record')).toHaveLength(1_200)
  expect(partial.filter(({ problem }) => problem?.startsWith('not_screened'))).toHaveLength(300)

  await grantCredits(service.service.live, customer.accountRef, { credits: 1_000, note: 'a test' })
  const second = await screen('part.txt', many.join('\n'), '--partial')
  expect([second.code, second.stderr]).toEqual([
    0,
    expect.stringContaining('1,500 no_record. 300 credits charged now, 1,200 before.'),
  ])
  expect(await chargesOf(service, customer.accountRef)).toEqual([
    '1000 domain.verdict',
    '200 domain.verdict',
    '300 domain.verdict',
  ])
  expect((await readdir(directory.path)).filter(name => name.startsWith('part.txt.'))).toEqual([
    'part.txt.out',
    'part.txt.out.sources.csv',
  ])
})
