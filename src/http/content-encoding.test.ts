import { type IncomingHttpHeaders, request as send } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../test/harness/service.ts'
import { demoKey } from '../core/api-key.ts'
import { chooseEncoding } from './content-encoding.ts'

let service: TestService
let customer: Customer
beforeAll(async () => {
  service = await startService({ world: 'demo' })
  customer = await service.customer()
})
afterAll(() => service.close())

type Raw = { status: number; headers: IncomingHttpHeaders; bytes: Buffer }

/** The bytes as they are sent: `fetch` would decode them. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Raw> {
  const { promise, resolve, reject } = Promise.withResolvers<Raw>()
  const outgoing = send(new URL(path, service.url), { method, headers: { 'x-api-key': demoKey, ...headers } })
  outgoing.on('response', async incoming => {
    const bytes = Buffer.concat(await incoming.toArray())
    resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes })
  })
  outgoing.on('error', reject)
  outgoing.end()
  return promise
}

const decode = { br: brotliDecompressSync, gzip: gunzipSync }
const encodings = ['br', 'gzip'] as const
/** 24 KB that are always the same but for the time. */
const long = '/v1/people/roles'
const withoutTime = (bytes: Buffer) => ({ ...JSON.parse(bytes.toString()), timestamp: '' })

describe('the encoding of a response', () => {
  test.each([
    [undefined, null],
    ['', null],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;Q=1', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', null],
    ['*', 'br'],
    ['*;q=0', null],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['identity', null],
    ['identity, gzip;q=0.5', null],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['deflate, zstd', null],
    ['gzip;q=2', null],
    ['gzip;q=0.0001', null],
    [' gzip ; q=0.5 ', 'gzip'],
    [',,;;=,q=1', null],
  ])('for Accept-Encoding %j is %j', (accepted, encoding) => {
    expect(chooseEncoding({ headers: accepted === undefined ? {} : { 'accept-encoding': accepted } })).toBe(
      encoding,
    )
  })
})

describe('an answer above 4 KB', () => {
  test.each(encodings)('is compressed as %s where that is asked for', async encoding => {
    const plain = await ask(long)
    const { headers, bytes } = await ask(long, { 'accept-encoding': encoding })
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      vary: 'accept-encoding',
      'content-type': plain.headers['content-type'],
      'content-length': String(bytes.length),
    })
    expect(bytes.length).toBeLessThan(plain.bytes.length / 3)
    expect(withoutTime(decode[encoding](bytes))).toEqual(withoutTime(plain.bytes))
  })

  test('is sent plain where it is not, and caches learn that it varies', async () => {
    const { headers, bytes } = await ask(long)
    expect(headers).toMatchObject({ vary: 'accept-encoding', 'content-length': String(bytes.length) })
    expect(headers['content-encoding']).toBeUndefined()
  })

  test('has the same headers for HEAD', async () => {
    const accepted = { 'accept-encoding': 'gzip' }
    const [head, get] = await Promise.all([ask(long, accepted, 'HEAD'), ask(long, accepted)])
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    for (const name of ['content-encoding', 'vary', 'content-type'])
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]])
  })

  test('is replayed byte for byte in any encoding', async () => {
    const path = '/v1/companies/search?role=operator&jurisdiction=ukgc'
    const headers = { 'x-api-key': customer.key, 'idempotency-key': 'compressed-or-not' }
    const first = await ask(path, { ...headers, 'accept-encoding': 'br' })
    const again = await ask(path, { ...headers, 'accept-encoding': 'gzip' })
    const plain = await ask(path, headers)
    expect(plain.bytes.length).toBeGreaterThan(4_096)
    expect(brotliDecompressSync(first.bytes)).toEqual(plain.bytes)
    expect(gunzipSync(again.bytes)).toEqual(plain.bytes)
    expect(plain.headers['idempotency-replayed']).toBe('true')
  })
})

test('a verdict is not compressed: it is short', async () => {
  const path = '/v1/domains/resolve?domain=luckyotter.example'
  const { headers, bytes } = await ask(path, { 'accept-encoding': 'gzip, br' })
  expect(bytes.length).toBeLessThan(4_096)
  expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined])
})

/** Pages of the docs are served as HTML or Markdown. */
const varied = [
  ['/openapi.json', 'accept-encoding'],
  ['/docs/errors', 'accept, accept-encoding'],
] as const

describe.each(varied)('%s', (path, vary) => {
  test.each(encodings)('is compressed as %s, and 304 where the client has it', async encoding => {
    const accepted = { 'accept-encoding': encoding }
    const [plain, compressed] = [await ask(path), await ask(path, accepted)]
    expect(decode[encoding](compressed.bytes)).toEqual(plain.bytes)
    expect(compressed.headers).toMatchObject({ 'content-encoding': encoding, vary })
    expect(compressed.headers.etag).not.toBe(plain.headers.etag)
    const known = await ask(path, { ...accepted, 'if-none-match': String(compressed.headers.etag) })
    expect([known.status, known.bytes.length, known.headers.etag]).toEqual([304, 0, compressed.headers.etag])
  })
})

test('the reference page loads less than 1.2 MB', async () => {
  const accepted = { 'accept-encoding': 'gzip, deflate, br, zstd' }
  const page = await ask('/docs', accepted)
  const [, file] = page.bytes.toString().match(/src="(docs\/assets\/[^"]+)"/) ?? []
  const loaded = [page, await ask(`/${file}`, accepted), await ask('/docs/openapi.json', accepted)]
  expect(loaded.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(loaded.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThan(1_200_000)
})
