import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { carryOutDecisions } from '../../instance/tasks/snapshot-decision-tasks.ts'
import { fullResult } from '../prospect-lists/fixture.ts'
import { createProspectList, deliverProspectList } from '../prospect-lists/index.ts'
import { staffOperations } from './index.ts'

const minuteMs = 60_000

let service: TestService
let staff: Person
let customer: Customer
let lateMs = 0

beforeAll(async () => {
  service = await startService({
    world: 'demo_with_registers',
    now: () => new Date(Date.now() + lateMs),
  })
})
afterAll(() => service.close())
beforeEach(async () => {
  lateMs = 0
  customer = await service.customer({ credits: 10 })
  staff = await signIn(service, { isStaff: true })
})

const base = '/dashboard/staff'
const nonceOf = (page: string) => page.match(/name="nonce" value="([^"]+)"/)?.[1] as string
const database = () => service.service.live.database
const auditOf = async (query: string) => (await staff.read(`${base}/audit?${query}`)).body.data.events

test('no operation of staff exists for the owner of an account', async () => {
  const owner = await signIn(service, { accountRef: customer.accountRef })
  for (const { method, path } of staffOperations) {
    const url = path.replaceAll(/\{\w+\}/g, 'x')
    const { status } = method === 'GET' ? await owner.get(url) : await owner.post(url, {})
    expect([path, status]).toEqual([path, 404])
  }
})

test('every change by staff needs a sign-in of the last 15 minutes', async () => {
  lateMs = 16 * minuteMs
  for (const { method, path, name } of staffOperations) {
    if (method === 'GET') continue
    const { status, headers } = await staff.post(path.replaceAll(/\{\w+\}/g, 'x'), {})
    expect([name, status, headers.get('location')?.startsWith('/sign-in?next=')]).toEqual([name, 303, true])
  }
})

test('/dashboard/staff leads to the first page of staff', async () => {
  expect((await staff.get(base)).headers.get('location')).toBe(`${base}/platforms`)
})

describe('accounts for staff', () => {
  const path = () => `${base}/accounts/${customer.accountRef}`

  test('staff find accounts by name or ref, in pages', async () => {
    const { accounts } = (await staff.read(`${base}/accounts?q=${customer.accountRef}`)).body.data
    expect(accounts).toMatchObject([{ account_ref: customer.accountRef, granted: 10, members: 0 }])
    expect((await staff.read(`${base}/accounts?q=nobody-has-this`)).body.data.accounts).toEqual([])
    for (let count = 0; count < 51; count += 1) await service.customer()
    const first = (await staff.read(`${base}/accounts`)).body.data
    const second = (await staff.read(`${base}/accounts?before=${first.before}`)).body.data
    const refs = [...first.accounts, ...second.accounts].map(
      (each: { account_ref: string }) => each.account_ref,
    )
    expect([first.accounts.length, new Set(refs).size]).toEqual([50, refs.length])
  })

  test('an account gets credits once for each form, and an audit event names who granted them', async () => {
    const fields = { credits: '90', note: 'Invoice <7>', nonce: nonceOf((await staff.get(path())).text) }
    for (let count = 0; count < 2; count += 1)
      expect((await staff.post(`${path()}/grants`, fields)).headers.get('location')).toBe(path())
    expect((await customer.ask('/v1/account')).body.data.credits_granted).toBe(100)
    const events = await auditOf(`account=${customer.accountRef}&action=credits.granted`)
    expect(events).toMatchObject([{ email: staff.email, details: { credits: 90, note: 'Invoice <7>' } }])
  })

  test('staff change a plan with a reason, and an invalid change is refused with its reason', async () => {
    await staff.post(`${path()}/plan`, { plan: 'starter', reason: 'Downgrade' })
    expect((await staff.read(path())).body.data.plan_changes).toMatchObject([{ plan_after: 'starter' }])
    const again = await staff.post(`${path()}/plan`, { plan: 'starter', reason: 'Again' })
    expect([again.status, again.text.includes('already has the plan starter')]).toEqual([400, true])
  })

  test('an account that does not exist is not found by staff', async () => {
    expect((await staff.read(`${base}/accounts/acc_none`)).status).toBe(404)
  })
})

describe('requests for prospect lists', () => {
  const request = { name: 'Ada', email: 'ada@x.example', company: '<b>X</b>', request: '<script>1</script>' }

  test('requests for lists are shown as text, assigned, and delivered by staff', async () => {
    await service.ask('/prospect-list-requests', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    })
    const page = await staff.get(`${base}/lists`)
    expect(page.text).toContain('&lt;script&gt;1&lt;/script&gt;')
    const [list] = (await staff.read(`${base}/lists`)).body.data.lists
    const path = `${base}/lists/${list.prospect_list_ref}`
    expect(page.text).toContain(`<option value="${customer.accountRef}">`)
    const wrong = await staff.post(`${path}/assign`, { account_ref: 'acc_none' })
    expect([wrong.status, wrong.text.includes('There is no account acc_none')]).toEqual([400, true])
    expect((await staff.post(`${path}/assign`, { account_ref: customer.accountRef })).status).toBe(303)
    expect((await staff.post(`${path}/prepare`)).status).toBe(303)
    const texts = { journey: '<b>', summary: 'Two', executive_summary: 'Three' }
    const none = await staff.post(`${path}/check`, texts)
    expect([none.status, none.text.includes('Pick at least one person.')]).toEqual([400, true])
    const card = await staff.get(`${base}/lists`)
    expect(card.text).toContain('&lt;b&gt;X&lt;/b&gt;, Ada')
    const broken = await staff.post(`${path}/deliver`, { result: '{"target_accounts": []}' })
    expect([broken.status, broken.text.includes('does not fit the schema')]).toEqual([400, true])
    expect((await staff.post(`${path}/deliver`, { result: 'no json' })).text).toContain(
      'The result is no JSON',
    )
    expect((await staff.post(`${path}/cancel`)).status).toBe(303)
    expect((await customer.ask('/v1/prospect-lists')).body.data.prospect_lists).toEqual([])
    expect((await auditOf('action=prospect_list.assigned')).length).toBe(1)
    const cancelled = (await staff.read(`${base}/lists?state=cancelled`)).body.data.lists
    expect(cancelled).toMatchObject([{ prospect_list_ref: list.prospect_list_ref }])
  })

  test('a weekly list is open again a week after its delivery, and staff deliver it again', async () => {
    const { live } = service.service
    const { prospect_list_ref: ref } = await createProspectList(live, customer.accountRef, {
      cadence: 'weekly',
      now: new Date(),
    })
    const open = async () => {
      const { lists } = (await staff.read(`${base}/lists`)).body.data
      return lists.map((each: { prospect_list_ref: string }) => each.prospect_list_ref).includes(ref)
    }
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000)
    await deliverProspectList(live, ref, { result: fullResult, now: daysAgo(6) })
    expect(await open()).toBe(false)
    await deliverProspectList(live, ref, { result: fullResult, now: daysAgo(8) })
    expect(await open()).toBe(true)
    const path = `${base}/lists/${ref}`
    expect((await staff.get(`${base}/lists`)).text).toContain(`href="${path}">Deliver again</a>`)
    expect((await staff.post(`${path}/deliver`, { result: JSON.stringify(fullResult) })).status).toBe(303)
    expect(await open()).toBe(false)
    expect((await staff.post(`${path}/cancel`)).status).toBe(303)
  })

  test('requests for lists are paged, and open requests are separate from delivered lists', async () => {
    const { accountRef } = customer
    for (let count = 0; count < 27; count += 1)
      await createProspectList(service.service.live, accountRef, { cadence: 'one_time', now: new Date() })
    const first = (await staff.read(`${base}/lists`)).body.data
    const second = (await staff.read(`${base}/lists?after=${first.after}`)).body.data
    const refs = [...first.lists, ...second.lists].map(each => each.prospect_list_ref)
    expect([first.lists.length, new Set(refs).size, second.after]).toEqual([25, 27, null])
    expect((await staff.get(`${base}/lists?state=ready`)).text).toContain('No list was delivered yet.')
  })
})

describe('platforms for staff', () => {
  test('a review by staff publishes a platform and adds its Signals once', async () => {
    const platforms = async () => (await staff.read(`${base}/platforms`)).body.data.platforms
    const waiting = (await platforms()).find(
      (each: { reviewed_at: string | null }) => each.reviewed_at === null,
    )
    const path = `${base}/platforms/${waiting.platform_key}`
    expect((await staff.get(`${base}/platforms`)).text).toContain(`href="${path}"`)
    expect((await staff.get(path)).text).toContain(`Publish ${waiting.name}`)
    const { evidence, expected, sites } = (await staff.read(path)).body.data
    expect([evidence.length, expected.signals.length]).toEqual([sites, expected.total])
    expect(expected.total).toBeGreaterThan(0)
    for (let count = 0; count < 2; count += 1) expect((await staff.post(`${path}/approve`)).status).toBe(303)
    expect(await auditOf(`email=${staff.email}&action=platform.approved`)).toHaveLength(1)
    const { rows: made } = await sql<{ headline: string; occurred_at: Date }>`
      select headline, occurred_at from signals
        join platforms platform on platform.id = signals.platform_id
       where platform.platform_key = ${waiting.platform_key}
       order by number`.execute(database())
    expect(made.map(row => ({ ...row, occurred_at: row.occurred_at.toISOString() }))).toEqual(
      expected.signals,
    )
    expect((await staff.read(path)).body.data.expected).toEqual({ total: 0, signals: [] })
    expect((await staff.post(`${path}/withdraw`)).status).toBe(303)
    expect(
      (await staff.post(`${base}/platforms/none/approve`, {}, { accept: 'application/json' })).status,
    ).toBe(404)
    expect((await staff.read(`${base}/platforms/none`)).status).toBe(404)
  })
})

describe('snapshots for staff', () => {
  test('the latest snapshot is discarded once by the worker, and the page shows the outcome', async () => {
    const list = async () => (await staff.read(`${base}/snapshots`)).body.data.snapshots
    const [snapshot] = await list()
    const path = `${base}/snapshots/${snapshot.snapshot_ref}`
    expect(snapshot.is_quarantined).toBe(false)
    expect(
      (await staff.post(`${path}/approve`, { reason: 'No' }, { accept: 'application/json' })).status,
    ).toBe(404)
    for (let count = 0; count < 2; count += 1)
      expect((await staff.post(`${path}/discard`, { reason: 'A wrong file' })).status).toBe(303)
    expect((await staff.get(`${base}/snapshots`)).text).toContain('Being taken back')
    const { rows } = await sql<{ id: number }>`select id from snapshot_decisions`.execute(database())
    expect(rows).toHaveLength(1)
    const task = carryOutDecisions({ now: () => new Date() })
    const { live: world, log } = service.service
    const signal = new AbortController().signal
    const run = () => task?.run({ decision: rows[0]?.id as number }, { world, log, signal } as never)
    await run()
    await run()
    expect((await list()).map((each: { snapshot_ref: string }) => each.snapshot_ref)).not.toContain(
      snapshot.snapshot_ref,
    )
    expect(await auditOf('action=snapshot.discarded')).toHaveLength(1)
  })
})
