import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Customer } from '../../../test/harness/service.ts'
import {
  abandonAttempt,
  beginAttempt,
  creditsAwaitedMsMax,
  type ExportAttempt,
  failExport,
} from './attempt.ts'
import { type ExportService, startExportService } from './fixture.ts'

let now = new Date()
let service: ExportService
let customer: Customer
/** The rows of an export without filters. A profile in each row makes its quote six times as much. */
let rows: number

beforeAll(async () => {
  service = await startExportService({ now: () => now })
  rows = (await service.exported(await service.customer({ credits: 100_000 }))).total_rows
})
beforeEach(async () => {
  now = new Date()
  customer = await service.customer({ credits: 7 * rows })
})
afterEach(() => service.expectConsistentBooks())
afterAll(() => service.close())

const database = () => service.service.live.database
const begin = (id: number) => beginAttempt(database(), id, now)
const show = async (id: number) => (await customer.ask(`/v1/exports/${id}`)).body
const reserved = async () => (await customer.ask('/v1/account')).body.data.credits_reserved

/** Queues an export with launch profiles. One site of the demo has a profile, which costs 5 credits. */
async function queue(): Promise<number> {
  const body = { export_format: 'json', fields: ['operator_launch_profile'] }
  return (await service.post(customer, body)).body.data.export_id
}

test('an export waits for its full quote while another export of the account reserves credits', async () => {
  const [first, second] = [await queue(), await queue()]
  const writing = (await begin(first)) as ExportAttempt
  expect([await begin(second), await begin(second)]).toEqual(['waits', 'waits'])
  expect((await show(second)).errors.details).toEqual({ export_id: second, status: 'queued' })
  expect(await reserved()).toBe(6 * rows)
  await abandonAttempt(database(), writing)
  expect((await show(first)).errors.details).toEqual({ export_id: first, status: 'queued' })
  await service.write()
  for (const id of [first, second])
    expect((await show(id)).data).toMatchObject({
      total_rows: rows,
      credits_used: rows + 5,
      truncated_by: null,
    })
})

test('an export with no free credits is queued, and written when credits are released', async () => {
  customer = await service.customer({ credits: 6 * rows })
  const first = await queue()
  const writing = (await begin(first)) as ExportAttempt
  expect(await reserved()).toBe(6 * rows)
  const second = await queue()
  expect(await begin(second)).toBe('waits')
  await abandonAttempt(database(), writing)
  await service.write()
  for (const id of [first, second])
    expect((await show(id)).data).toMatchObject({
      total_rows: rows,
      credits_used: rows + 5,
      truncated_by: null,
    })
})

test('two exports begin at once if the balance covers both quotes', async () => {
  customer = await service.customer({ credits: 12 * rows })
  const [first, second] = [await queue(), await queue()]
  const attempts = [await begin(first), await begin(second)]
  expect(attempts).toMatchObject([{ credits: 6 * rows }, { credits: 6 * rows }])
  await service.write()
})

test('an export that has waited for the maximum begins with the rest of the balance', async () => {
  const [first, second] = [await queue(), await queue()]
  await begin(first)
  expect(await begin(second)).toBe('waits')
  now = new Date(now.getTime() + creditsAwaitedMsMax - 1)
  expect(await begin(second)).toBe('waits')
  now = new Date(now.getTime() + 1)
  expect(await begin(second)).toMatchObject({ credits: rows })
  for (const id of [first, second]) await failExport(database(), id, 'unwanted')
})

test('an export is written with the balance below its quote if nothing else is reserved', async () => {
  customer = await service.customer({ credits: 9 })
  const id = await queue()
  expect(await begin(id)).toMatchObject({ credits: 9 })
  await service.write()
  expect((await show(id)).data).toMatchObject({ total_rows: 9, truncated_by: 'credits' })
})
