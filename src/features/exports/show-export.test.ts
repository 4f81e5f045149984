import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import type { Customer } from '../../../test/harness/service.ts'
import { failExport } from './attempt.ts'
import { type ExportService, startExportService } from './fixture.ts'
import { expireExports, sweepExportFiles } from './sweep-exports.ts'

const hourMs = 3_600_000

let service: ExportService
let customer: Customer
let now = new Date()

beforeAll(async () => {
  service = await startExportService({ now: () => now })
})
beforeEach(async () => {
  now = new Date()
  customer = await service.customer({ plan: 'starter', credits: 100_000 })
})
afterEach(() => service.expectConsistentBooks())
afterAll(() => service.close())

const database = () => service.service.live.database
const account = async (of: Customer) => (await of.ask('/v1/account')).body.data
const code = (response: { body: { errors: { code: string } } }) => response.body.errors.code

describe('polling and downloading an export', () => {
  test('a queued export is a 404 with Retry-After and its state', async () => {
    const { export_id: id } = (await service.post(customer, {})).body.data
    for (const path of [`/v1/exports/${id}`, `/v1/exports/${id}/download`]) {
      const pending = await customer.ask(path)
      expect([pending.status, code(pending)]).toEqual([404, 'export_pending'])
      expect(pending.body.errors.details).toEqual({ export_id: id, status: 'queued' })
      expect(Number(pending.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    }
    now = new Date(now.getTime() + hourMs)
    expect((await customer.ask(`/v1/exports/${id}`)).headers.get('retry-after')).toBe('30')
    await service.write()
  })

  test('404: an export of another account has the same response as a missing one', async () => {
    const { id } = await service.exported(customer)
    const stranger = await service.customer({ plan: 'starter' })
    const request = (requested: number) =>
      Promise.all(['', '/download'].map(suffix => stranger.ask(`/v1/exports/${requested}${suffix}`)))
    const [foreign, missing] = [await request(id), await request(id + 1)]
    // The clock of this test is fixed, so that timestamps are equal too.
    expect(foreign.map(each => each.text)).toEqual(
      missing.map(each => each.text.replaceAll(String(id + 1), String(id))),
    )
    for (const { status, body } of foreign) {
      expect([status, body.errors]).toEqual([404, { code: 'not_found', details: {} }])
      expect(body.message).toBe(`There is no export ${id}.`)
    }
  })

  test('export ids do not reveal how many exports other accounts have', async () => {
    const ids = [(await service.exported(customer)).id, (await service.exported(customer)).id]
    const [first = 0, second = 0] = ids
    expect(Math.abs(second - first)).toBeGreaterThan(1_000_000)
  })

  const invalidIds = [
    '0',
    '-1',
    '+1',
    '1.0',
    '1.5',
    '1e0',
    'one',
    '99999999999999999999',
    '1%00',
    '%201',
    '1%20',
    '1%0A',
  ]

  test('404: an invalid export id is not found', async () => {
    const paths = invalidIds.flatMap(id => [`/v1/exports/${id}`, `/v1/exports/${id}/download`])
    const results = await Promise.all(
      paths.map(async path => {
        const rejected = await customer.ask(path)
        return [path, rejected.status, code(rejected)]
      }),
    )
    expect(results).toEqual(paths.map(path => [path, 404, 'not_found']))
  })

  test('404: an export id in another spelling is not found', async () => {
    const { id } = await service.exported(customer)
    for (const spelling of [`0${id}`, `+${id}`, `${id}.0`, `${id}e0`])
      for (const suffix of ['', '/download']) {
        const rejected = await customer.ask(`/v1/exports/${spelling}${suffix}`)
        expect([rejected.status, code(rejected)], spelling).toEqual([404, 'not_found'])
      }
  })

  test('a completed export has the record of §2.16 and a complete file', async () => {
    const record = await service.exported(customer)
    expect(declaredData('show_export')(record)).toBeNull()
    expect(record).toMatchObject({
      status: 'completed',
      format: 'csv',
      download_url: `/v1/exports/${record.id}/download`,
      truncated_by: null,
      completed_at: now.toISOString(),
      expires_at: new Date(now.getTime() + 24 * hourMs).toISOString(),
    })
    expect(record.total_rows).toBe(record.expected_rows)
    expect(record.credits_used).toBe(record.total_rows)
    const file = await service.download(customer, record.id)
    expect(file.status).toBe(200)
    expect(Buffer.byteLength(file.text)).toBe(record.bytes)
    expect(createHash('sha256').update(file.text).digest('hex')).toBe(record.sha256)
  })

  test('a download is an attachment named after the export and day, and repeating it is free', async () => {
    const { id, credits_used: used } = await service.exported(customer, { export_format: 'json' })
    const [file, again] = [await service.download(customer, id), await service.download(customer, id)]
    expect(file.headers.get('content-disposition')).toBe(
      `attachment; filename="baize-export-${id}-${now.toISOString().slice(0, 10)}.json"`,
    )
    expect(file.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(file.headers.get('cache-control')).toBe('private, no-store')
    expect(again.text).toBe(file.text)
    expect((await account(customer)).credits_used).toBe(used)
  })

  test('ranges of a download add up to the file', async () => {
    const { id, bytes } = await service.exported(customer)
    const whole = (await service.download(customer, id)).text
    const middle = Math.floor(bytes / 2)
    const parts = await Promise.all(
      [`bytes=0-${middle}`, `bytes=${middle + 1}-`].map(range => service.download(customer, id, { range })),
    )
    expect(parts.map(part => part.status)).toEqual([206, 206])
    expect(parts[0]?.headers.get('content-range')).toBe(`bytes 0-${middle}/${bytes}`)
    expect(parts.map(part => part.text).join('')).toBe(whole)
    expect((await service.download(customer, id, { range: `bytes=${bytes}-` })).status).toBe(416)
  })

  test('an export is a 404 after 24 hours, even before its file is deleted', async () => {
    const { id } = await service.exported(customer)
    const { files } = service.service
    now = new Date(now.getTime() + 24 * hourMs - 1)
    await expireExports(database(), files, now)
    expect((await service.download(customer, id)).status).toBe(200)
    now = new Date(now.getTime() + 1)
    const expired = await customer.ask(`/v1/exports/${id}`)
    expect([expired.status, code(expired)]).toEqual([404, 'export_expired'])
    await expireExports(database(), files, now)
    for (const suffix of ['', '/download']) {
      const gone = await customer.ask(`/v1/exports/${id}${suffix}`)
      expect(gone.text.replace(/"timestamp":"[^"]+"/, '')).toBe(
        expired.text.replace(/"timestamp":"[^"]+"/, ''),
      )
    }
    const left: string[] = []
    for await (const { name } of files.list('exports')) left.push(name)
    expect(left.filter(name => name.startsWith(`exports/${id}-`))).toEqual([])
  })

  test('a failed export is a 404, without a charge', async () => {
    const { export_id: id } = (await service.post(customer, {})).body.data
    expect(await failExport(database(), id, 'the disk is full')).toBe(true)
    for (const suffix of ['', '/download']) {
      const failed = await customer.ask(`/v1/exports/${id}${suffix}`)
      expect([failed.status, code(failed)]).toEqual([404, 'export_failed'])
      expect(failed.text).not.toContain('disk')
    }
    expect(await account(customer)).toMatchObject({ credits_used: 0, credits_reserved: 0 })
    expect(await service.write()).toEqual([])
  })

  test('a download is a 503 while the file store is unavailable, and later a 200', async () => {
    const { id } = await service.exported(customer)
    const { files } = service.service
    const find = files.find
    files.find = () => Promise.reject(new Error('connect ECONNREFUSED 10.1.2.3:9000'))
    const away = await service.download(customer, id)
    files.find = find
    expect([away.status, code(away)]).toEqual([503, 'service_unavailable'])
    expect(away.headers.get('retry-after')).toBe('10')
    expect(away.text).not.toContain('10.1.2.3')
    expect((await service.download(customer, id)).status).toBe(200)
  })
})

test('the sweep deletes export files without a row, and no others', async () => {
  const { files } = service.service
  const { id } = await service.exported(customer)
  await sweepExportFiles(database(), files)

  const strays = [
    `exports/${id}-01934b9c-0000-7000-8000-000000000000.csv`,
    `exports/${id}-01934b9c-0000-7000-8000-000000000000.csv.0123456789ab.part`,
    'exports/notes.txt',
  ]
  for (const name of strays) await files.put(name, Readable.from(['x']))
  await files.put('logos/other.svg', Readable.from(['x']))
  expect(await sweepExportFiles(database(), files)).toBe(strays.length)
  expect((await service.download(customer, id)).status).toBe(200)
  expect(await files.find('logos/other.svg')).not.toBeNull()
})
