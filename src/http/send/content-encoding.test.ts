import { type IncomingHttpHeaders, request as send } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { catalogue } from '../../catalogue.ts'
import { demoKey } from '../../core/api-key.ts'

let service: TestService
let customer: Customer
beforeAll(async () => {
  service = await startService({ world: 'demo' })
  customer = await service.customer()
})
afterAll(() => service.close())

type Raw = { status: number; headers: IncomingHttpHeaders; bytes: Buffer }

/** Returns the bytes as they are sent, which `fetch` would decode. */
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
/** This answer has 24 KB that differ only by the time. */
const long = '/v1/people/roles'
const withoutTime = (bytes: Buffer) => ({ ...JSON.parse(bytes.toString()), timestamp: '' })

describe('an answer above 4 KB', () => {
  test.each(encodings)('an answer above 4 KB is compressed as %s on request', async encoding => {
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

  test('an answer above 4 KB is sent plain unless encodings are accepted, and has Vary', async () => {
    const { headers, bytes } = await ask(long)
    expect(headers).toMatchObject({ vary: 'accept-encoding', 'content-length': String(bytes.length) })
    expect(headers['content-encoding']).toBeUndefined()
  })

  test('an answer above 4 KB has the same headers for HEAD', async () => {
    const accepted = { 'accept-encoding': 'gzip' }
    const [head, get] = await Promise.all([ask(long, accepted, 'HEAD'), ask(long, accepted)])
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    for (const name of ['content-encoding', 'vary', 'content-type'])
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]])
  })

  test('an answer above 4 KB is replayed byte for byte in any encoding', async () => {
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

test('a verdict is not compressed, because it is short', async () => {
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

describe.each(varied)('the compression of %s', (path, vary) => {
  test.each(encodings)(
    'an unchanging resource is compressed as %s, and is a 304 for a client that has a copy',
    async encoding => {
      const accepted = { 'accept-encoding': encoding }
      const [plain, compressed] = [await ask(path), await ask(path, accepted)]
      expect(decode[encoding](compressed.bytes)).toEqual(plain.bytes)
      expect(compressed.headers).toMatchObject({ 'content-encoding': encoding, vary })
      expect(compressed.headers.etag).not.toBe(plain.headers.etag)
      const known = await ask(path, { ...accepted, 'if-none-match': String(compressed.headers.etag) })
      expect([known.status, known.bytes.length, known.headers.etag]).toEqual([
        304,
        0,
        compressed.headers.etag,
      ])
    },
  )
})

test('the pages of the reference are sent in less than 12 KB each, and load nothing else', async () => {
  const accepted = { 'accept-encoding': 'gzip, deflate, br, zstd' }
  const paths = ['/docs', ...catalogue.map(({ name }) => `/docs/reference/${name}`)]
  const pages = await Promise.all(paths.map(path => ask(path, accepted)))
  for (const [at, { status, bytes }] of pages.entries())
    expect([paths[at], status, bytes.length < 12_000]).toEqual([paths[at], 200, true])
})
