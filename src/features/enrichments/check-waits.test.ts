import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { Failure } from '../../core/failure.ts'
import { CheckWaits, type CheckWaitsOptions } from './check-waits.ts'
import { type CheckService, startCheckService } from './fixture.ts'
import { startBackgroundCheck } from './index.ts'

type Listener = Parameters<CheckWaitsOptions['listen']>[0]

let service: CheckService
let waits: CheckWaits
let listeners: Listener[]
let checkId: number
const deaf = (listener: Listener) => {
  listeners.push(listener)
  return { close: async () => {} }
}
const open = (options: Partial<CheckWaitsOptions> = {}) =>
  new CheckWaits({ database: service.service.live.database, listen: deaf, waitMs: 60_000, ...options })

beforeAll(async () => {
  service = await startCheckService()
})
beforeEach(async () => {
  listeners = []
  waits = open()
  const check = { domain: 'waited.example', askedBy: 'refresh', now: new Date() } as const
  const started = await service.service.live.database
    .transaction()
    .execute(tx => startBackgroundCheck(tx, check))
  checkId = started?.checkId as number
})
afterEach(async () => {
  await service.end()
  await waits.close()
})
afterAll(() => service.close())

test('a request also notices a check that ended before it waited, or without a notification', async () => {
  const early = waits.wait(checkId, null)
  expect(waits.count).toBe(1)
  await service.end()
  await early
  await waits.wait(checkId, null)
  expect(waits.count).toBe(0)
})

test('a notification wakes only the requests that wait for its check', async () => {
  const both = [waits.wait(checkId, null), waits.wait(checkId, null)]
  const other = waits.wait(checkId + 1, null)
  listeners[0]?.onPayload(String(checkId))
  await Promise.all(both)
  expect([waits.count, listeners.length]).toEqual([1, 1])
  waits.stop()
  await other
})

test('a request stops waiting for a check when its client disconnects', async () => {
  const leaving = new AbortController()
  const waiting = waits.wait(checkId, leaving.signal)
  leaving.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
  expect(waits.count).toBe(0)
  await expect(waits.wait(checkId, leaving.signal)).rejects.toThrow('left')
})

test('a process with too many waiting requests refuses the next request with 503', async () => {
  const small = open({ places: 1 })
  small.enter()
  let refusal: unknown
  try {
    small.enter()
  } catch (error) {
    refusal = error
  }
  expect(refusal).toBeInstanceOf(Failure)
  expect(refusal).toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 10 })
  small.leave()
  small.enter()
  small.leave()
  await small.close()
})

test('close ends all waits for checks, and returns after the last request is answered', async () => {
  const order: string[] = []
  waits.enter()
  const request = waits
    .wait(checkId, null)
    .then(() => order.push('answered'))
    .finally(() => waits.leave())
  await waits.close().then(() => order.push('closed'))
  await request
  expect(order).toEqual(['answered', 'closed'])
  await waits.wait(checkId, null)
})
