import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { grantCredits, sumLedgerDays, verifyLedgerDays } from './index.ts'

let service: TestService
let customer: Customer
let billing: Person

beforeAll(async () => {
  service = await startService({ world: 'demo' })
  customer = await service.customer({ credits: 100 })
  billing = await signIn(service, { accountRef: customer.accountRef, role: 'billing' })
  for (let count = 0; count < 30; count += 1)
    await customer.ask('/v1/domains/resolve?domain=luckyotter.example')
  await grantCredits(service.service.live, customer.accountRef, { credits: 50, note: '=1+1 <b>bonus</b>' })
})
afterAll(() => service.close())

const path = '/dashboard/statement'
type Entry = {
  kind: string
  credits: number
  balance: number | null
  endpoint: string | null
  [name: string]: unknown
}

async function readAll(query = ''): Promise<Entry[]> {
  const entries: Entry[] = []
  let after: string | null = null
  do {
    const more: string = after === null ? query : `?after=${encodeURIComponent(after)}`
    const { data } = (await billing.read(`${path}${more}`)).body
    entries.push(...data.entries)
    after = data.next_cursor
  } while (after !== null)
  return entries
}

test('the statement page lists every entry with its request and the balance after the entry', async () => {
  const entries = await readAll()
  expect(entries).toHaveLength(32)
  expect(entries[0]).toMatchObject({ kind: 'grant', credits: 50, balance: 120 })
  expect(entries[1]).toMatchObject({ kind: 'charge', credits: 1, balance: 70, endpoint: 'resolve_domain' })
  expect(entries.at(-1)).toMatchObject({ kind: 'grant', credits: 100, balance: 100 })
  let balance = 0
  for (const entry of entries.toReversed()) {
    balance += entry.kind === 'grant' ? entry.credits : -entry.credits
    expect(entry.balance).toBe(balance)
  }
})

test('a page of the statement shows notes as text, and links to the next page', async () => {
  const { text } = await billing.get(path)
  expect(text).toContain('&lt;b&gt;bonus&lt;/b&gt;')
  expect(text).toContain('rel="next"')
  expect(text).toContain('<span title="domain.verdict">Verdict of a site</span>')
})

describe('a statement of some days', () => {
  let owner: Person

  beforeAll(async () => {
    const { accountRef, ask } = await service.customer({ credits: 100 })
    for (let count = 0; count < 6; count += 1) await ask('/v1/domains/resolve?domain=luckyotter.example')
    owner = await signIn(service, { accountRef })
    // March 1 to 3 have two entries each: the grant and five charges. March 4 has one.
    await sql`
      with numbered as (
        select entry.entry_id, row_number() over (order by entry.entry_id) as number
          from ledger_entries entry
          join accounts account on account.id = entry.account_id
         where account.account_ref = ${accountRef}
      )
      update ledger_entries entry
         set recorded_at = '2026-03-01T23:59:59.999999Z'::timestamptz
                           + (numbered.number - 1) / 2 * interval '1 day'
        from numbered
       where entry.entry_id = numbered.entry_id`.execute(service.service.live.database)
  })

  const sums = async (query: string) => {
    const { entries, opening_balance, granted, charged, closing_balance } = (
      await owner.read(`${path}?${query}`)
    ).body.data
    return [entries.length, opening_balance, granted, charged, closing_balance]
  }

  test('a statement of a period opens and closes with the balances of the period', async () => {
    expect(await sums('')).toEqual([7, 0, 100, 6, 94])
    expect(await sums('from=2026-03-02')).toEqual([5, 99, 0, 5, 94])
    expect(await sums('to=2026-03-02')).toEqual([4, 0, 100, 3, 97])
    expect(await sums('from=2026-03-02&to=2026-03-03')).toEqual([4, 99, 0, 4, 95])
    const { entries } = (await owner.read(`${path}?to=2026-03-03`)).body.data
    expect(entries[0].balance).toBe(95)
  })

  test('a statement is the same after the sums of finished days are stored', async () => {
    const { database } = service.service.live
    const queries = ['', 'from=2026-03-02', 'to=2026-03-02', 'from=2026-03-02&to=2026-03-03']
    const all = () => Promise.all(queries.map(sums))
    const before = await all()
    let days = 0
    for (let summed = 1; summed > 0; days += summed) summed = await sumLedgerDays(database, new Date())
    expect(days).toBeGreaterThan(4)
    expect(await all()).toEqual(before)
    expect(await verifyLedgerDays(database)).toEqual([])
    // A wrong stored sum shows that statements use the stored sums.
    await sql`update ledger_days set used = used + 1 where day = '2026-03-02'`.execute(database)
    expect(await sums('from=2026-03-02')).toEqual([5, 100, 0, 6, 94])
    expect(await verifyLedgerDays(database)).toMatchObject([
      { day: '2026-03-02', stored: [0, 3], recomputed: [0, 2] },
    ])
    await sql`update ledger_days set used = used - 1 where day = '2026-03-02'`.execute(database)
  })

  test('the CSV of a statement has the same entries as the page, the oldest first', async () => {
    const query = '?from=2026-03-02&to=2026-03-03'
    const { entries } = (await owner.read(`${path}${query}`)).body.data
    const [head, opening, ...rows] = (await owner.get(`${path}.csv${query}`)).text.trim().split('\r\n')
    expect(head?.startsWith('recorded_at,kind,price_key,units,credits,balance,endpoint')).toBe(true)
    expect(opening).toBe('2026-03-02,opening,,,,99,,,')
    const cells = (each: Record<string, unknown>) =>
      [each.recorded_at, each.kind, each.price_key, each.units, -Number(each.credits), each.balance].join()
    expect(rows.map(row => row.split(',').slice(0, 6).join())).toEqual(entries.toReversed().map(cells))
  })

  test('a statement with a wrong day is refused, and its form is shown again', async () => {
    for (const days of ['from=0000-01-01', 'to=9999-12-31', 'to=yesterday', 'from=2026-02-02&to=2026-01-01'])
      for (const end of ['', '.csv']) expect((await owner.read(`${path}${end}?${days}`)).status).toBe(400)
    const { status, text } = await owner.get(`${path}?from=2026-02-02&to=2026-01-01`)
    expect(status).toBe(400)
    expect(text).toContain('The first day must not be after the last day.')
    expect(text).toContain('value="2026-02-02"')
  })
})

test('an entry of the statement links to the usage record of its request', async () => {
  await service.service.usage.flush()
  const [, charge] = await readAll()
  const { record } = (await billing.read(`/dashboard/usage/${charge?.usage_id}`)).body.data
  expect(record).toMatchObject({ endpoint: 'resolve_domain', request_id: charge?.request_id, credits: 1 })
  expect((await billing.get(path)).text).toContain(`/dashboard/usage/${charge?.usage_id}`)
})

test('a cursor of a statement works only for its account and its days', async () => {
  const { next_cursor: cursor } = (await billing.read(path)).body.data
  const after = `after=${encodeURIComponent(cursor)}`
  const codeOf = async (person: Person, query: string) =>
    (await person.read(`${path}?${query}`)).body.errors.code
  const other = await signIn(service, { accountRef: (await service.customer()).accountRef })
  expect(await codeOf(billing, `${after}&to=2026-01-01`)).toBe('cursor_filter_mismatch')
  expect(await codeOf(other, after)).toBe('cursor_filter_mismatch')
  expect(await codeOf(billing, 'after=nonsense')).toBe('invalid_cursor')
})

test('pages of a statement have no gap and no repeat while new requests are charged', async () => {
  const first = (await billing.read(path)).body.data
  await customer.ask('/v1/domains/resolve?domain=luckyotter.example')
  const next = (await billing.read(`${path}?after=${encodeURIComponent(first.next_cursor)}`)).body.data
  const all = await readAll()
  expect([...first.entries, ...next.entries]).toEqual(all.slice(1))
})

test('a statement that ends before the first entry is empty', async () => {
  const { data } = (await billing.read(`${path}?to=2020-01-01`)).body
  expect(data).toMatchObject({ entries: [], next_cursor: null })
  expect((await billing.get(`${path}?to=2020-01-01`)).text).toContain('No movement in these days.')
})

test('the CSV of a statement has every entry, and a spreadsheet runs none of its cells', async () => {
  const { text, headers } = await billing.get(`${path}.csv`)
  expect(headers.get('content-disposition')).toContain('attachment')
  const rows = text.trim().split('\r\n').slice(1)
  expect(rows).toHaveLength((await readAll()).length)
  expect(text).toContain("'=1+1")
})

test('the statement of an account without a quota has no balance', async () => {
  const { accountRef } = await service.customer({ plan: 'internal' })
  const owner = await signIn(service, { accountRef })
  expect((await owner.read(path)).body.data).toMatchObject({
    opening_balance: null,
    closing_balance: null,
    entries: [],
  })
  expect((await owner.get(path)).text).toContain('No movement yet.')
})

test('owners and billing see the statement; members and callers without a session do not', async () => {
  const owner = await signIn(service, { accountRef: customer.accountRef })
  for (const end of ['', '.csv']) {
    expect((await owner.get(`${path}${end}`)).status).toBe(200)
    expect((await service.ask(`${path}${end}`)).status).toBe(401)
    const page = await service.ask(`${path}${end}`, { headers: { accept: 'text/html' } })
    expect(page.status).toBe(303)
  }
  const member = await signIn(service, { accountRef: customer.accountRef, role: 'member' })
  for (const end of ['', '.csv']) expect((await member.get(`${path}${end}`)).status).toBe(404)
})
