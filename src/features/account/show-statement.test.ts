import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { grantCredits } from './index.ts'

let service: TestService
let customer: Customer
let billing: Person

beforeAll(async () => {
  service = await startService({ world: 'demo' })
  customer = await service.customer({ credits: 100 })
  billing = await signIn(service, { accountRef: customer.accountRef, role: 'billing' })
  for (let count = 0; count < 30; count += 1)
    await customer.ask('/v1/domains/resolve?domain=luckyotter.example')
  await grantCredits(service.service.live, customer.accountRef, 50, '=1+1 <b>bonus</b>')
})
afterAll(() => service.close())

const path = '/dashboard/statement'
type Entry = { kind: string; credits: number; balance: number | null; endpoint: string | null }

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

test('every movement is listed with the request that caused it, and the balance after it', async () => {
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

test('a page shows notes as text, and goes on to the next', async () => {
  const { text } = await billing.get(path)
  expect(text).toContain('&lt;b&gt;bonus&lt;/b&gt;')
  expect(text).toContain('rel="next"')
})

test('up to a day in the past it is empty', async () => {
  const { data } = (await billing.read(`${path}?to=2020-01-01`)).body
  expect(data).toMatchObject({ entries: [], next_cursor: null })
  expect((await billing.get(`${path}?to=2020-01-01`)).text).toContain('No movement yet.')
})

test('the CSV adds up to the balance, and runs nothing in a spreadsheet', async () => {
  const { text, headers } = await billing.get(`${path}.csv`)
  expect(headers.get('content-disposition')).toContain('attachment')
  const rows = text.trim().split('\r\n').slice(1)
  expect(rows).toHaveLength(32)
  expect(text).toContain("'=1+1")
  expect((await billing.read(`${path}.csv?from=2026-02-02&to=2026-01-01`)).status).toBe(400)
})

test('an account without a quota has no balance', async () => {
  const { accountRef } = await service.customer({ plan: 'internal' })
  const owner = await signIn(service, { accountRef })
  expect((await owner.read(path)).body.data).toMatchObject({ has_quota: false, entries: [] })
})

test('members see no statement', async () => {
  const member = await signIn(service, { accountRef: customer.accountRef, role: 'member' })
  for (const end of ['', '.csv']) expect((await member.get(`${path}${end}`)).status).toBe(404)
})
