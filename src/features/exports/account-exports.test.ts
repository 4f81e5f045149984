import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Customer } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { type ExportService, startExportService } from './fixture.ts'

let service: ExportService
let customer: Customer
let member: Person

beforeAll(async () => {
  service = await startExportService()
  customer = await service.customer({ credits: 500 })
  member = await signIn(service, { accountRef: customer.accountRef, role: 'member' })
})
afterAll(() => service.close())

const inBritain = { export_format: 'csv', jurisdiction: 'ukgc' }
const used = async () => (await customer.ask('/v1/account')).body.data.credits_used as number
const hiddenOf = (page: string) =>
  Object.fromEntries(
    [...page.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(match => [match[1], match[2]]),
  ) as Record<string, string>

/** Orders an export through the pages: first the price, then the order. */
async function order(
  fields: Record<string, string>,
): Promise<{ path: string; sent: Record<string, string> }> {
  const price = await member.post('/dashboard/exports/price', fields)
  expect(price.status).toBe(200)
  const sent = hiddenOf(price.text)
  const { status, headers } = await member.post('/dashboard/exports', sent)
  expect(status).toBe(303)
  return { path: headers.get('location') as string, sent }
}

test('the dashboard shows the price of an export for free, before the order button', async () => {
  const before = await used()
  const page = await member.post('/dashboard/exports/price', inBritain)
  const { max_credits: quoted } = hiddenOf(page.text)
  expect(page.text).toContain(`Export for at most ${quoted} credits`)
  const none = await member.post('/dashboard/exports/price', { export_format: 'csv', jurisdiction: 'peru' })
  expect(none.text).toContain('No domain matches.')
  expect(await used()).toBe(before)
  expect((await member.get('/dashboard/exports')).text).toContain('No export yet.')
})

test('an ordered export is shown while it is written, charged for its rows, and downloaded', async () => {
  const before = await used()
  const { path, sent } = await order(inBritain)
  expect((await member.post('/dashboard/exports', sent)).headers.get('location')).toBe(path)
  const waiting = await member.get(path)
  expect(waiting.text).toContain('The file is being written.')
  expect((await member.get(`${path}/download`)).status).toBe(404)
  await service.write()
  const { data } = (await member.read(path)).body
  expect(data).toMatchObject({ state: 'completed', format: 'csv', truncated_by: null })
  expect(await used()).toBe(before + data.total_rows)
  const file = await member.get(`${path}/download`)
  expect(file.headers.get('content-disposition')).toContain('attachment')
  expect(file.text.trim().split('\r\n')).toHaveLength(data.total_rows + 1)
  expect((await member.get('/dashboard/exports')).text).toContain('✓ completed')
})

test('an export with a wrong filter shows the form again with the reason', async () => {
  const { status, text } = await member.post('/dashboard/exports/price', {
    export_format: 'csv',
    jurisdiction: 'ukgcc',
  })
  expect([status, text.includes('did you mean')]).toEqual([400, true])
})

test('an export that may cost more than its credit limit is refused before it is written', async () => {
  const price = await member.post('/dashboard/exports/price', inBritain)
  const { status, text } = await member.post('/dashboard/exports', {
    ...hiddenOf(price.text),
    max_credits: '0',
  })
  expect([status, text.includes('more than the price that you saw')]).toEqual([402, true])
})

test('the page of a plan without exports says which plan has them', async () => {
  const free = await service.customer({ plan: 'free' })
  const owner = await signIn(service, { accountRef: free.accountRef })
  const price = await owner.post('/dashboard/exports/price', inBritain)
  const { status, text } = await owner.post('/dashboard/exports', hiddenOf(price.text))
  expect([status, text.includes('it needs the plan')]).toEqual([402, true])
})

describe('another account’s export', () => {
  test("another account's export answers like a missing one", async () => {
    const { path } = await order({ export_format: 'json', jurisdiction: 'mga' })
    const other = await service.customer()
    const stranger = await signIn(service, { accountRef: other.accountRef })
    for (const end of ['', '/download']) {
      const [theirs, missing] = [
        await stranger.read(`${path}${end}`),
        await stranger.read(`/dashboard/exports/999999${end}`),
      ]
      const withoutId = (text: string) => text.replace(/\d+/, 'N')
      expect(theirs.status).toBe(404)
      expect(withoutId(theirs.body.message)).toBe(withoutId(missing.body.message))
    }
  })
})

test('the dashboard lists exports in pages, the latest first', async () => {
  for (let count = 0; count < 21; count += 1)
    await service.post(
      customer,
      { filters: { jurisdiction: 'ukgc' } },
      { 'idempotency-key': `page-${count}` },
    )
  const first = (await member.read('/dashboard/exports')).body.data
  expect(first.exports).toHaveLength(20)
  const second = (await member.read(`/dashboard/exports?before=${first.before}`)).body.data
  const all: { id: number; requested_at: string }[] = [...first.exports, ...second.exports]
  const times = all.map(each => each.requested_at)
  expect(times).toEqual(times.toSorted().reverse())
  expect(new Set(all.map(each => each.id)).size).toBe(all.length)
})

test('the role billing sees no exports', async () => {
  const billing = await signIn(service, { accountRef: customer.accountRef, role: 'billing' })
  expect((await billing.get('/dashboard/exports')).status).toBe(404)
  expect((await billing.post('/dashboard/exports', {})).status).toBe(404)
})
