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
afterEach(() => service.expectTrueBooks())
afterAll(() => service.close())

const database = () => service.service.live.database
const account = async (who: Customer) => (await who.ask('/v1/account')).body.data
const code = (response: { body: { errors: { code: string } } }) => response.body.errors.code

describe('polling and downloading', () => {
  test('404 while it is queued, with the seconds to wait and which state it is in', async () => {
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

  test('404: a stranger’s export answers byte for byte as a missing one, and says which there is not', async () => {
    const { id } = await service.exported(customer)
    const stranger = await service.customer({ plan: 'starter' })
    const asked = () =>
      Promise.all(['', '/download'].map(suffix => stranger.ask(`/v1/exports/${id + 1}${suffix}`)))
    const missing = await asked()
    expect((await service.exported(customer)).id).toBe(id + 1)
    const foreign = await asked()
    // The clock of this test stands still, so that not even the timestamps differ.
    expect(foreign.map(each => each.text)).toEqual(missing.map(each => each.text))
    for (const { status, body } of foreign) {
      expect([status, body.errors]).toEqual([404, { code: 'not_found', details: {} }])
      expect(body.message).toBe(`There is no export ${id + 1}.`)
    }
  })

  test.each([
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
  ])('404: %s is the id of no export', async id => {
    for (const suffix of ['', '/download']) {
      const refused = await customer.ask(`/v1/exports/${id}${suffix}`)
      expect([refused.status, code(refused)]).toEqual([404, 'not_found'])
    }
  })

  test('404: the id of an export in another spelling', async () => {
    const { id } = await service.exported(customer)
    for (const spelling of [`0${id}`, `+${id}`, `${id}.0`, `${id}e0`])
      for (const suffix of ['', '/download']) {
        const refused = await customer.ask(`/v1/exports/${spelling}${suffix}`)
        expect([refused.status, code(refused)], spelling).toEqual([404, 'not_found'])
      }
  })

  test('shows the record of §2.16, and what tells that the file is whole', async () => {
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

  test('downloads as an attachment with a telling name, as often as it is asked for, and free', async () => {
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

  test('downloads in ranges that make the whole', async () => {
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

  test('404 once its 24 hours are over, whether or not its file is gone yet', async () => {
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

  test('404 when it failed, of which nothing is charged', async () => {
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

  test('503 while the store of the files is away, and 200 when it is back', async () => {
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

test('the sweep takes what nobody names, and nothing else', async () => {
  const { files } = service.service
  const { id } = await service.exported(customer)
  await sweepExportFiles(database(), files)

  const strays = [
    `exports/${id}-01934b9c-0000-7000-8000-000000000000.csv`,
    `exports/${id}-01934b9c-0000-7000-8000-000000000000.csv.0123456789ab.part`,
    'exports/notes.txt',
  ]
  for (const name of strays) await files.put(name, Readable.from(['x']))
  await files.put('logos/kept.svg', Readable.from(['x']))
  expect(await sweepExportFiles(database(), files)).toBe(strays.length)
  expect((await service.download(customer, id)).status).toBe(200)
  expect(await files.find('logos/kept.svg')).not.toBeNull()
})
