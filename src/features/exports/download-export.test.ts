import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Customer } from '../../../test/harness/service.ts'
import { demoKey } from '../../core/api-key.ts'
import { type ExportService, startExportService } from './fixture.ts'

let service: ExportService
let customer: Customer
let record: { id: number; bytes: number; sha256: string; credits_used: number }

beforeAll(async () => {
  service = await startExportService()
})
beforeEach(async () => {
  customer = await service.customer({ plan: 'starter', credits: 100_000 })
  record = await service.exported(customer)
})
afterEach(() => service.expectConsistentBooks())
afterAll(() => service.close())

const download = (headers: Record<string, string> = {}) => service.download(customer, record.id, headers)
const tagOf = (sha256: string) => `"${sha256}"`

const fileHeaders = [
  'content-type',
  'content-length',
  'content-disposition',
  'accept-ranges',
  'etag',
  'cache-control',
]
const headersOf = ({ headers }: { headers: Headers }) =>
  Object.fromEntries(fileHeaders.map(name => [name, headers.get(name)]))

describe('HEAD of a download', () => {
  test.each(['', '?spreadsheet=true'])(
    'HEAD of a download%s has the headers of GET without the file, and is free',
    async query => {
      const path = `/v1/exports/${record.id}/download${query}`
      const whole = await customer.ask(path)
      const head = await customer.ask(path, { method: 'HEAD', headers: { range: 'bytes=0-3' } })
      expect([head.status, head.text]).toEqual([200, ''])
      expect(headersOf(head)).toEqual(headersOf(whole))
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(whole.text)))
      expect((await customer.ask('/v1/account')).body.data.credits_used).toBe(record.credits_used)
    },
  )

  test('HEAD of a download does not read the file', async () => {
    const { inUse, folder } = service.store
    let opened = 0
    service.store.inUse = {
      ...folder,
      find: async name => {
        const file = await folder.find(name)
        return file && { ...file, open: range => file.open(range).finally(() => (opened += 1)) }
      },
    }
    const head = await customer.ask(`/v1/exports/${record.id}/download`, { method: 'HEAD' })
    service.store.inUse = inUse
    expect([head.status, opened]).toEqual([200, 0])
  })

  test('HEAD reads the file once for the length of the spreadsheet, and caches it', async () => {
    const { inUse, folder } = service.store
    const opened: number[] = []
    service.store.inUse = {
      ...folder,
      find: async name => {
        const file = await folder.find(name)
        return file && { ...file, open: range => file.open(range).finally(() => opened.push(1)) }
      },
    }
    const path = `/v1/exports/${record.id}/download?spreadsheet=true`
    const etag = `"${record.sha256}-spreadsheet"`
    await customer.ask(path, { method: 'HEAD' })
    const measured = opened.length
    await customer.ask(path, { method: 'HEAD' })
    const unchanged = await customer.ask(path, { headers: { 'if-none-match': etag } })
    expect([unchanged.status, opened.length]).toEqual([304, measured])
    const part = await customer.ask(path, { headers: { range: 'bytes=0-9' } })
    service.store.inUse = inUse
    expect([part.status, part.text, opened.length]).toEqual([206, 'domain_nor', measured + 1])
  })

  test('HEAD of a download fails like GET, without a body', async () => {
    const path = `/v1/exports/${record.id}/download`
    const stranger = await service.customer()
    for (const ask of [
      () => service.ask(path, { method: 'HEAD' }),
      () => stranger.ask(path, { method: 'HEAD' }),
      () => customer.ask(`${path}?colour=red`, { method: 'HEAD' }),
    ]) {
      const { status, text } = await ask()
      expect([[400, 401, 404].includes(status), text]).toEqual([true, ''])
    }
  })

  test('HEAD of a download works with the demo key', async () => {
    const path = '/v1/exports/1/download'
    const whole = await service.ask(path, { key: demoKey })
    const head = await service.ask(path, { key: demoKey, method: 'HEAD' })
    expect([head.status, head.text, headersOf(head)]).toEqual([200, '', headersOf(whole)])
  })

  test('405: a download lists HEAD in Allow for other methods', async () => {
    const { status, headers, body } = await customer.ask(`/v1/exports/${record.id}/download`, {
      method: 'PUT',
    })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect(body.errors).toEqual({ code: 'method_not_allowed', details: { allowed: ['GET', 'HEAD'] } })
  })
})

describe('the ETag of a download', () => {
  test('the ETag of a CSV download is the sha256 in its record, and a spreadsheet has another', async () => {
    const exact = await download()
    const spreadsheet = await customer.ask(`/v1/exports/${record.id}/download?spreadsheet=true`)
    expect(exact.headers.get('etag')).toBe(tagOf(record.sha256))
    expect(spreadsheet.headers.get('etag')).toBe(tagOf(`${record.sha256}-spreadsheet`))
  })

  test('304: a download whose ETag matches If-None-Match has no body', async () => {
    const tag = tagOf(record.sha256)
    for (const tags of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, text, headers } = await download({ 'if-none-match': tags, range: 'bytes=0-3' })
      expect([status, text, headers.get('etag')], tags).toEqual([304, '', tag])
    }
    for (const tags of ['"other"', record.sha256, `"${record.sha256}-spreadsheet"`])
      expect((await download({ 'if-none-match': tags })).status, tags).toBe(200)
    const path = `/v1/exports/${record.id}/download`
    const head = await customer.ask(path, { method: 'HEAD', headers: { 'if-none-match': tag } })
    expect(head.status).toBe(304)
  })

  test('a download resumes if If-Range is its ETag, and restarts otherwise', async () => {
    const whole = (await download()).text
    const rest = await download({ range: 'bytes=10-', 'if-range': tagOf(record.sha256) })
    expect([rest.status, rest.text]).toEqual([206, whole.slice(10)])
    for (const other of ['"other"', `W/${tagOf(record.sha256)}`, 'Sat, 21 Nov 2026 12:00:00 GMT']) {
      const restarted = await download({ range: 'bytes=10-', 'if-range': other })
      expect([restarted.status, restarted.text === whole], other).toEqual([200, true])
    }
    const beyond = await download({ range: `bytes=${record.bytes}-`, 'if-range': '"other"' })
    expect(beyond.status).toBe(200)
  })
})

test('a missing export file is a 500 whose message does not say that nothing was charged', async () => {
  const { inUse } = service.store
  service.store.inUse = { ...inUse, find: async () => null }
  const { status, body } = await download()
  service.store.inUse = inUse
  expect([status, body.errors.code]).toEqual([500, 'internal_error'])
  expect(body.message).toBe('The file of this export is missing. Contact the operator of the service.')
})

test('a failing file store is a retryable 503 without headers of the file', async () => {
  const { inUse, folder } = service.store
  const down = async () => {
    throw new Error('the store is down')
  }
  service.store.inUse = {
    ...folder,
    find: async name => {
      const file = await folder.find(name)
      return file && { ...file, open: down }
    },
  }
  const { status, headers, body } = await download()
  service.store.inUse = inUse
  expect([status, body.errors.code, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '10'])
  for (const name of ['etag', 'content-disposition', 'accept-ranges'])
    expect(headers.get(name), name).toBeNull()
})

test('a download is never compressed: its length and ETag are those of the record', async () => {
  const { id, bytes, sha256 } = await service.exported(customer, { export_format: 'json' })
  expect(bytes).toBeGreaterThan(4_096)
  const { headers } = await service.download(customer, id, { 'accept-encoding': 'gzip, br' })
  expect(['content-encoding', 'content-length', 'etag'].map(name => headers.get(name))).toEqual([
    null,
    String(bytes),
    tagOf(sha256),
  ])
})
