import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Customer } from '../../../test/harness/service.ts'
import type { Database } from '../../database/open.ts'
import { failExport } from './attempt.ts'
import { type ExportService, startExportService } from './fixture.ts'
import { quoteMatching } from './matching-store.ts'

// The number of domains exceeds the row limit; they are inserted directly.

const sites = 10_040
let service: ExportService
let customer: Customer

beforeAll(async () => {
  service = await startExportService({
    load: async ({ service: { live } }) => addSites(live.database, 'site', sites),
  })
  customer = await service.customer({ credits: 1_000_000 })
})
afterEach(() => service.expectConsistentBooks())
afterAll(() => service.close())

async function addSites(
  database: ExportService['service']['live']['database'],
  name: string,
  count: number,
): Promise<void> {
  await sql`
    insert into domains (domain_ref, domain, last_observed_at)
    select 'dom_' || ${name}::text || number,
           ${name}::text || '-' || lpad(number::text, 6, '0') || '.example',
           '2026-03-01T12:00:00.123Z'
      from generate_series(1, ${count}::int) as number`.execute(database)
}

const lines = async (id: number) => (await service.download(customer, id)).text.split('\r\n').slice(1, -1)

test('an export stops at 10,000 rows and says so, and domain_after continues at the next row', async () => {
  const first = await service.exported(customer)
  expect(first).toMatchObject({
    total_rows: 10_000,
    expected_rows: 10_000,
    credits_used: 10_000,
    truncated_by: 'row_limit',
  })
  const before = await lines(first.id)
  expect(before).toHaveLength(10_000)
  expect(before[9_999]).toBe('site-010000.example,,observed,2026-03-01T12:00:00.123Z')
  const last = before[9_999]?.split(',')[0]
  const second = await service.exported(customer, { filters: { domain_after: last } })
  expect(second).toMatchObject({ total_rows: sites - 10_000, truncated_by: null })
  expect((await lines(second.id))[0]).toMatch(/^site-010001\.example,/)
})

test('an export of exactly 10,000 rows is complete', async () => {
  const body = { filters: { domain_after: `site-${String(sites - 10_000).padStart(6, '0')}.example` } }
  expect(await service.exported(customer, body)).toMatchObject({ total_rows: 10_000, truncated_by: null })
})

test('the quote of an export is for at most 10,000 rows', async () => {
  const queued = await service.post(customer, {})
  expect(queued.body.data.quoted_credits).toBe(10_000)
  const rejected = await service.post(customer, { max_credits: 9_999 })
  expect(rejected.status).toBe(402)
  await service.write()
})

test('an export whose rows take too long to count is quoted at the row limit', async () => {
  const { database } = service.service.live
  const filters = { domain_after: 'site-010039.example' }
  expect(await quoteMatching(database, filters, { rowsMax: 10_000 })).toBe(1)
  const slow = { rowsMax: 20_000, withinMs: 1 }
  expect(await quoteMatching(database, { exclude_provider: 'Nobody' }, slow)).toBe(20_000)
})

test('503: an export whose quote takes too long is refused if max_credits may be too low', async () => {
  const { promise: counted, resolve: end } = Promise.withResolvers<number>()
  // This count runs until the test ends it.
  const busy = { transaction: () => ({ execute: () => counted }) } as unknown as Database
  const unending = [1, 2].map(() => quoteMatching(busy, {}, { rowsMax: 10_000 }))
  const [refused, bounded] = await Promise.all([
    service.post(customer, { max_credits: 100 }),
    service.post(customer, { max_rows: 50, max_credits: 50 }),
  ])
  end(7)
  const { status, headers, body } = refused
  expect([status, body.errors.code]).toEqual([503, 'service_unavailable'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await Promise.all(unending)).toEqual([7, 7])
  expect([bounded.status, bounded.body.data.quoted_credits]).toEqual([202, 50])
  const id = bounded.body.data.export_id
  expect(await service.write()).toMatchObject([{ id }])
})

test('many simultaneous exports are all queued, each with a quote or an upper bound', async () => {
  const queued = await Promise.all(
    Array.from({ length: 100 }, () => service.post(customer, { max_credits: 10_000 })),
  )
  expect(new Set(queued.map(each => each.status))).toEqual(new Set([202]))
  expect(new Set(queued.map(each => each.body.data.export_id)).size).toBe(100)
  expect(new Set(queued.map(each => each.body.data.quoted_credits))).toEqual(new Set([10_000]))
  for (const { body } of queued)
    await failExport(service.service.live.database, body.data.export_id, 'unwanted')
})

test('expected_rows is at most max_rows, and a max_rows of 10,000 is the row limit', async () => {
  const poor = await service.customer({ credits: 20 })
  expect(await service.exported(poor, { max_rows: 30 })).toMatchObject({
    total_rows: 20,
    expected_rows: 30,
    truncated_by: 'credits',
  })
  expect(await service.exported(customer, { max_rows: 10_000 })).toMatchObject({ truncated_by: 'row_limit' })
})

test('truncated_by of an export names the limit that is reached first', async () => {
  for (const [credits, truncatedBy] of [
    [9_999, 'credits'],
    [10_000, 'row_limit'],
  ] as const) {
    const poor = await service.customer({ credits })
    expect(await service.exported(poor)).toMatchObject({
      total_rows: credits,
      expected_rows: 10_000,
      truncated_by: truncatedBy,
    })
  }
})

test('an export does not contain changes that happen while it is written', async () => {
  const { folder } = service.store
  const { database } = service.service.live
  const body = { filters: { domain_after: 'site-005000.example' } }
  const { export_id: id } = (await service.post(customer, body)).body.data
  let isFirst = true
  service.store.inUse = {
    ...folder,
    put: (name, content) =>
      folder.put(
        name,
        Readable.from(
          (async function* () {
            for await (const chunk of content) {
              if (isFirst) {
                await addSites(database, 'zebra', 50)
                await sql`delete from domains where domain = 'site-010040.example'`.execute(database)
              }
              isFirst = false
              yield chunk
            }
          })(),
        ),
      ),
  }
  await service.write()
  service.store.inUse = folder
  const written = await lines(id)
  expect(written).toHaveLength(sites - 5_000)
  expect(written.at(-1)).toMatch(/^site-010040\.example,/)
  const after = await service.exported(customer, body)
  expect(after.total_rows).toBe(sites - 5_000 - 1 + 50)
})
