import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../../../test/harness/service.ts'
import { startHousekeeping } from '../../instance/start-housekeeping.ts'

let service: TestService
let housekeeping: { stop(): Promise<void> }
beforeAll(async () => {
  service = await startService()
  housekeeping = await startHousekeeping(service.service)
})
afterAll(async () => {
  await housekeeping.stop()
  await service.close()
})

async function metric(name: string): Promise<number> {
  const { text } = await service.ask('/metrics')
  const line = text.split('\n').find(each => each.startsWith(`${name} `))
  if (line === undefined) throw new Error(`/metrics has no ${name}`)
  return Number(line.slice(name.length + 1))
}

test('/metrics counts settlements with an unknown outcome, and how each was later resolved', async () => {
  const { settler, live } = service.service
  const names = ['stands', 'absent', 'forgotten'].map(
    found => `baize_settlements_unknown_resolved_total{found="${found}"}`,
  )
  const counts = () => Promise.all(['baize_settlements_unknown_total', ...names].map(metric))
  expect(await counts()).toEqual([0, 0, 0, 0])
  const settlementId = '01890000-0000-7000-8000-000000000001'
  settler.unknown.add([{ kind: 'charge', accountId: 1, settlementId, credits: 1 }], 0)
  expect(await counts()).toEqual([1, 0, 0, 0])
  await settler.unknown.followUp(live.database, Date.now())
  expect(await counts()).toEqual([1, 0, 1, 0])
  expect(await counts()).toEqual([1, 0, 1, 0])
})

test('/metrics counts throttled requests by operation, separately from served requests', async () => {
  const narrow = await startService({ throttlePerMinute: 1 })
  try {
    const { ask } = narrow
    const form = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
    for (const path of ['/v1/account', '/v1/domains/resolve', '/v1/nothing', '/v1/account']) await ask(path)
    await ask('/v1/exports', { method: 'POST' })
    for (let count = 0; count < 7; count += 1) await ask('/prospect-list-requests', form)
    for (let count = 0; count < 11; count += 1) await ask('/images/a.example')
    await ask('/logos/none.svg')
    const { text } = await ask('/metrics')
    expect(text.split('\n').filter(line => line.startsWith('baize_throttled_total'))).toEqual([
      'baize_throttled_total{operation="resolve_domain"} 1',
      'baize_throttled_total{operation="none"} 1',
      'baize_throttled_total{operation="show_account"} 1',
      'baize_throttled_total{operation="create_export"} 1',
      'baize_throttled_total{operation="request_prospect_list"} 2',
      'baize_throttled_total{operation="show_image"} 1',
      'baize_throttled_total{operation="show_logo"} 1',
    ])
    expect(text).not.toContain('status="429"')
  } finally {
    await narrow.close()
  }
})

test('/metrics counts usage records that could not be written', async () => {
  const dropped = 'baize_usage_records_dropped_total'
  expect(await metric(dropped)).toBe(0)
  const record = {
    accountId: 1,
    status: 200,
    requestId: 'a request',
    settlementStatus: 'none' as const,
    requestedAt: new Date(),
    endpoint: 'show_account',
    durationMs: 1,
    requestParams: '{}',
    source: 'api' as const,
    client: null,
    keyId: null,
  }
  const { usage } = service.service
  usage.record({ ...record, requestParams: 'this is no JSON' })
  await usage.flush()
  expect(await metric(dropped)).toBe(1)
  // 2,000 records are being written and 20,000 wait, so the further ones are lost.
  for (let index = 0; index < 22_003; index++) usage.record(record)
  expect(await metric(dropped)).toBe(4)
})
