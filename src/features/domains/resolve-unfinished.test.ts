import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../../test/harness/eventually.ts'
import type { Customer, Response } from '../../../test/harness/service.ts'
import { type CheckService, registration, startBeside, startCheckService } from '../enrichments/fixture.ts'
import { failLostChecks } from '../enrichments/index.ts'

// These requests start a check that ends late, never, or with a launch profile.

let service: CheckService
let customer: Customer
let moment = Date.parse('2026-11-20T08:00:00Z')
const otter = 'domain=luckyotter.example'

beforeAll(async () => {
  service = await startCheckService({ now: () => new Date(moment), observation: { waitSeconds: 30 } })
})
beforeEach(async () => {
  moment += 24 * 60 * 60_000
  customer = await service.customer({ credits: 100 })
})
afterEach(async () => {
  await service.end()
  await service.expectConsistentBooks()
})
afterAll(() => service.close())

const spent = async (of: Customer) => {
  const { credits_used: used, credits_reserved: reserved } = await service.account(of)
  return { used, reserved }
}

function shown({ status, body }: Response) {
  const { billing, observations } = body.data
  return {
    status,
    charged: billing.credits_charged,
    refresh: billing.refresh,
    run: observations.enrichment_run.status,
    fromCache: observations.meta.served_from_cache,
  }
}

const unfinished = {
  status: 200,
  charged: 1,
  refresh: { status: 'reserved', credits: 10 },
  run: 'running',
  fromCache: true,
}
const notCharged = { status: 'not_charged', credits: 0 }

describe('a request whose check takes longer than it waits', () => {
  let hasty: CheckService
  beforeAll(async () => {
    hasty = await startCheckService({ now: () => new Date(moment), observation: { waitSeconds: 0.05 } })
  })
  afterAll(() => hasty.close())

  test('a check that outlasts its request continues, and is charged when it is completed', async () => {
    const asking = await hasty.customer({ credits: 100 })
    const answer = await hasty.resolve(asking, `${otter}&include[]=geo&max_age_days=0`)
    expect(shown(answer)).toEqual(unfinished)
    const { enrichment_run: run, geo } = answer.body.data.observations
    expect([run.completed_at, geo]).toEqual([null, expect.any(Object)])
    const { credits_used: used, credits_reserved: reserved } = await hasty.account(asking)
    expect([used, reserved]).toEqual([1, 10])
    const poll = async () => (await asking.ask(`/v1/enrichments/${run.enrichment_id}`)).body.data
    expect(await poll()).toMatchObject({ status: 'queued', credits_charged: 0 })
    await hasty.end()
    expect(await poll()).toMatchObject({ status: 'completed', credits_charged: 10 })
    const after = await hasty.resolve(asking, `${otter}&include[]=geo&max_age_days=1`)
    expect(shown(after)).toEqual({ ...unfinished, refresh: notCharged, run: 'completed' })
    expect(await hasty.account(asking)).toMatchObject({ credits_used: 12, credits_reserved: 0 })
    await hasty.expectConsistentBooks()
  })
})

test('a service that is shutting down answers waiting requests, and their check continues', async () => {
  const beside = await startBeside(service)
  const headers = { 'x-api-key': customer.key }
  const asked = fetch(`${beside.url}/v1/domains/resolve?${otter}&include[]=geo&max_age_days=0`, { headers })
  await eventually('it waits', () => beside.waits.count === 1)
  beside.waits.stop()
  const response = await asked
  const answer = { status: response.status, body: await response.json() } as Response
  expect(shown(answer)).toEqual(unfinished)
  await beside.close()
  expect(await spent(customer)).toEqual({ used: 1, reserved: 10 })
  await service.end()
  expect(await spent(customer)).toEqual({ used: 11, reserved: 0 })
})

test('a check whose worker was lost ends its waiting request, and releases the credits', async () => {
  const asked = service.resolve(customer, `${otter}&include[]=geo&max_age_days=0`)
  await service.waiting(1)
  const failedJob = [{ key: 'check:luckyotter.example', state: 'failed', last_error: 'out of memory' }]
  await failLostChecks(service.service.live.database, async () => failedJob, new Date(moment))
  expect(shown(await asked)).toEqual({ ...unfinished, refresh: notCharged, run: 'failed' })
  expect(await spent(customer)).toEqual({ used: 1, reserved: 0 })
})

test('each request with max_age_days=0 starts and pays for a new check', async () => {
  for (const used of [11, 22]) {
    const asked = service.resolve(customer, `${otter}&include[]=geo&max_age_days=0`)
    await service.waiting(1)
    await service.end()
    expect(shown(await asked)).toMatchObject({ refresh: { status: 'charged' }, fromCache: false })
    expect((await spent(customer)).used).toBe(used)
    moment += 1
  }
})

test('a launch profile that becomes available by a check costs each waiting request 5 credits', async () => {
  const query = `${otter}&include[]=operator_launch_profile&max_age_days=0`
  const started = service.resolve(customer, query)
  const [check] = await service.open()
  const joining = await service.customer({ credits: 6 })
  const joined = service.resolve(joining, query)
  await service.waiting(2)
  expect(await spent(customer)).toEqual({ used: 0, reserved: 16 })
  expect(await spent(joining)).toEqual({ used: 0, reserved: 6 })
  await service.find(check?.checkId as number, [registration])
  await service.end()
  expect(shown(await started)).toMatchObject({ charged: 6, refresh: { status: 'charged', credits: 10 } })
  expect(shown(await joined)).toMatchObject({ charged: 6, refresh: notCharged })
  expect(await spent(customer)).toEqual({ used: 16, reserved: 0 })
  expect(await spent(joining)).toEqual({ used: 6, reserved: 0 })
})
