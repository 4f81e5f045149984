import { afterAll, beforeAll, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { day, entry, fakeStream, fileOf, syncApproved } from '../../registers/fixture.ts'
import { readWithStreams } from './checked-streams-store.ts'
import { readVerdictRows } from './domain-store.ts'

let service: TestService
let customer: Customer
const misfits = declaredData('resolve_domains')
beforeAll(async () => {
  service = await startService()
  customer = await service.customer()
})
afterAll(() => service.close())

test('a batch with checked_streams names the snapshots of which all its verdicts are', async () => {
  const { live } = service.service
  const estonia = fakeStream('estonia.blocklist')
  const sync = (dayNumber: number, ...domains: string[]) =>
    syncApproved(live, estonia, [fileOf(...domains.map(each => entry(each)))], {
      takenAt: day(dayNumber),
      now: day(dayNumber),
    })
  const older = await sync(1, 'early.example')
  const { body } = await customer.ask('/v1/domains/resolve', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ domains: ['early.example'], checked_streams: true }),
  })
  expect(misfits(body.data)).toBeNull()
  const { streams, registers, blocklists, oldest_snapshot_at } = body.data.checked
  expect(streams).toContainEqual({
    stream: 'estonia.blocklist',
    market: 'estonia',
    kind: 'register_and_blocklist',
    snapshot_ref: older.snapshot_ref,
    last_snapshot_at: day(1).toISOString(),
    truth_state: expect.any(String),
  })
  const times = streams.map((each: { last_snapshot_at: string }) => each.last_snapshot_at)
  expect([registers, blocklists, oldest_snapshot_at]).toEqual([1, 1, times.toSorted()[0]])

  let readings = 0
  let newer = older
  const { result, streams: after } = await readWithStreams(live, day(2), async reads => {
    const rows = await readVerdictRows(reads, ['late.example'])
    if (++readings === 1) newer = await sync(2, 'early.example', 'late.example')
    return rows.get('late.example')?.verdict
  })
  expect([readings, result]).toEqual([2, 'blocklisted'])
  expect(after.find(each => each.stream === 'estonia.blocklist')?.snapshot_ref).toBe(newer.snapshot_ref)
})
