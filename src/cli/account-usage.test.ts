import type { CommandResult } from '@baize/terminal'
import { Command } from 'commander'
import { parse } from 'csv-parse/sync'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Customer, startService, type TestService } from '../../test/harness/service.ts'
import { accountCommands } from './account.ts'

let service: TestService
let customer: Customer

beforeAll(async () => {
  service = await startService()
  vi.stubEnv('DATABASE_URL', service.database.url)
  vi.stubEnv('BASE_URL', '') // Vitest sets BASE_URL to another value.
  customer = await service.customer({ credits: 10 })
  for (const domain of ['a.example', 'b.example'])
    await customer.ask(`/v1/domains/resolve?domain=${domain}`, {
      headers: { 'x-request-id': `of-${domain.slice(0, 1)}-1234` },
    })
  await customer.ask('/v1/account')
  await service.service.usage.flush()
})
let written: string[] = []
beforeEach(() => {
  written = []
  vi.spyOn(process.stdout, 'write').mockImplementation(chunk => {
    written.push(String(chunk))
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await service.close()
})

/** Runs a command line. Returns its printed results and the text that it wrote to stdout directly. */
async function run(...args: string[]): Promise<{ printed: CommandResult[]; output: string }> {
  const printed: CommandResult[] = []
  const program = new Command('baize').option('--json').exitOverride()
  accountCommands(program, {
    print: each => void printed.push(each),
    progress: () => {},
    done: async () => ({ failed: false }),
  })
  await program.parseAsync(['account', ...args], { from: 'user' })
  return { printed, output: written.join('') }
}

test('account usage shows a page of records, the newest first, without the requested sites', async () => {
  const [shown] = (await run('usage', customer.accountRef, '--per-page', '2')).printed
  expect(shown?.json).toMatchObject({
    page: 1,
    per_page: 2,
    has_more: true,
    as_of: expect.any(Date),
    records: [
      { endpoint: 'show_account', credits: 0, settlement_status: 'none' },
      { endpoint: 'resolve_domain', credits: 1, settlement_status: 'settled', request_params: {} },
    ],
  })
  expect(shown?.text).toMatch(/^requested_at .*\n.* show_account +200 +0 .*\n.* resolve_domain +200 +1 /)
  expect(shown?.text).toMatch(/\n\(more on page 2\)$/)
  const [second] = (await run('usage', customer.accountRef, '--per-page', '2', '--page', '2')).printed
  expect(second?.json).toMatchObject({ page: 2, has_more: false, records: [{ endpoint: 'resolve_domain' }] })
})

test('account usage --compact shows the latest records on one page', async () => {
  const [shown] = (await run('usage', customer.accountRef, '--compact')).printed
  expect(shown?.json).toMatchObject({ records: [{ endpoint: 'show_account' }, {}, {}] })
})

test('account statement prints every entry, and closes with the balance of the account', async () => {
  const { printed, output } = await run('statement', customer.accountRef)
  expect(printed).toEqual([])
  const lines = output.trimEnd().split('\n')
  expect(lines).toHaveLength(6)
  expect(lines[0]).toBe(`${customer.accountRef}  A customer, plan growth`)
  expect(lines[2]).toMatch(/Z {2}grant +\+10 +10 {2}account opened$/)
  expect(lines[3]).toMatch(/Z {2}charge +-1 +9 {2}1 × domain\.verdict {2}resolve_domain {2}of-a-1234$/)
  expect(lines[5]).toMatch(/^ +closing +8 {2}10 granted, 2 used, 0 reserved$/)
})

test('account statement strips control sequences and line breaks from stored text', async () => {
  const { accountRef } = await service.customer({ credits: 10 })
  await run('grant', accountRef, '5', '--why', 'a gift\n\x1b[31mclosing')
  const lines = (await run('statement', accountRef)).output.trimEnd().split('\n')
  expect(lines).toHaveLength(5)
  expect(lines[3]).toMatch(/grant +\+5 +15 {2}a gift {2}\[31mclosing$/)
})

test('account statement --csv prints a row per entry, and the credits add up to the balance', async () => {
  const { output } = await run('statement', customer.accountRef, '--csv')
  const rows: Record<string, string>[] = parse(output, { columns: true })
  expect(
    rows.map(({ kind, credits, balance, endpoint, request_id }) => [
      kind,
      credits,
      balance,
      endpoint,
      request_id,
    ]),
  ).toEqual([
    ['grant', '10', '10', '', ''],
    ['charge', '-1', '9', 'resolve_domain', 'of-a-1234'],
    ['charge', '-1', '8', 'resolve_domain', 'of-b-1234'],
  ])
  expect(output).toContain(',charge,domain.verdict,1,-1,9,')
  expect(output).toMatch(/^recorded_at,kind,price_key,units,credits,balance,endpoint,request_id,note\r\n/)
})

test('account statement --from opens with the balance before the first day', async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const { output } = await run('statement', customer.accountRef, '--csv', '--from', tomorrow)
  expect(parse(output).slice(1)).toEqual([[tomorrow, 'opening', '', '', '', '8', '', '', '']])
  written = []
  expect((await run('statement', customer.accountRef, '--from', tomorrow)).output).toMatch(
    /opening +8\n +closing +8 {2}10 granted/,
  )
})

test('account statement --json prints one JSON value', async () => {
  const { output } = await run(
    'statement',
    customer.accountRef,
    '--json',
    '--from',
    '2020-01-01',
    '--to',
    '2099-12-31',
  )
  expect(output.trimEnd()).not.toContain('\n')
  expect(JSON.parse(output)).toMatchObject({
    account_ref: customer.accountRef,
    from: '2020-01-01',
    to: '2099-12-31',
    opening: { granted: 0, used: 0, balance: 0 },
    entries: [
      { kind: 'grant', credits: 10, balance: 10 },
      { kind: 'charge', credits: 1, balance: 9, request_id: 'of-a-1234' },
      { kind: 'charge', credits: 1, balance: 8 },
    ],
    closing: { granted: 10, used: 2, balance: 8, reserved: null },
  })
})

test.each([
  [['usage', 'acc_nobody'], 'There is no account acc_nobody.'],
  [['statement', 'acc_nobody'], 'There is no account acc_nobody.'],
  [['usage', 'acc_1', '--page', 'two'], '--page must be a whole number, not "two".'],
  [['usage', 'acc_1', '--compact', '--page', '2'], 'With --compact, omit --page and --per-page.'],
  [
    ['statement', 'acc_1', '--from', '2026-02-30'],
    '--from must be a calendar day; 2026-02-30 does not exist.',
  ],
  [['statement', 'acc_1', '--csv', '--json'], 'Use either --csv or --json.'],
])('the command line %j is refused: %s', async (args, message) => {
  await expect(run(...args)).rejects.toThrow(message)
  expect(written).toEqual([])
})
