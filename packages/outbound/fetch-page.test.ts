import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FetchedPage, fetchPage } from './fetch-page.ts'
import { networkAllowing, startTestServer, type TestServer } from './fixture.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const noNetwork = networkAllowing()

const get = (url: string, more: Partial<Parameters<typeof fetchPage>[0]> = {}, network = noNetwork) =>
  fetchPage(
    {
      url,
      userAgent: 'Baize/test',
      timeoutMs: 5_000,
      bytesMax: 1_000,
      signal: new AbortController().signal,
      ...more,
    },
    network,
  )
const fromServer = (path: string, more = {}) =>
  get(`${server.url}${path}`, more, { ...noNetwork, allowedHosts: [server.host] })

test('a page is returned with its status, headers and body; a redirect is not followed', async () => {
  server.answer('/', (response, { headers }) =>
    response.writeHead(301, { Location: '/en#top', 'X-Agent': headers['user-agent'] }).end('moved'),
  )
  const page = (await fromServer('/')) as FetchedPage
  expect(page).toMatchObject({ status: 301, location: `${server.url}/en`, truncated: false })
  expect(page.headers['x-agent']).toBe('Baize/test')
  expect(Buffer.from(page.body).toString()).toBe('moved')
})

test.each([
  ['a large body', (text: string) => Buffer.from(text), {}],
  ['a compressed body that grows', (text: string) => gzipSync(text), { 'content-encoding': 'gzip' }],
])('a page with %s is cut at its limit', async (_title, encode, headers) => {
  server.answer('/large', response => response.writeHead(200, headers).end(encode('x'.repeat(3_000_000))))
  const page = (await fromServer('/large')) as FetchedPage
  expect(page.truncated).toBe(true)
  expect(page.body.byteLength).toBe(1_000)
})

test('a page that a server sends slowly is aborted at the time limit of the whole request', async () => {
  server.answer('/drip', response => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  })
  expect(await fromServer('/drip', { timeoutMs: 300 })).toEqual({
    failure: { reason: 'timeout', message: 'no whole response within 300 ms' },
  })
})

test("a request that its caller aborts fails with the caller's reason", async () => {
  server.answer('/silent', () => {})
  const leaving = new AbortController()
  const waiting = fromServer('/silent', { signal: leaving.signal })
  leaving.abort(new Error('the worker stops'))
  await expect(waiting).rejects.toThrow('the worker stops')
})

test.each([
  'http://127.0.0.1/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://10.0.0.1/',
  'http://localhost/',
])('the address %s is refused before any connection', async url => {
  expect(await get(url)).toMatchObject({ failure: { reason: 'refused_address' } })
})

test('ports other than 80 and 443 are refused, unless settings allow the host', async () => {
  expect(await get('http://192.0.2.1:8080/')).toMatchObject({ failure: { reason: 'refused_address' } })
})

test('an address is checked before OUTBOUND_CONNECT_TO replaces it', async () => {
  const connectTo = [{ host: null, port: 80, toHost: '127.0.0.1', toPort: server.port }]
  server.answer('/judged', (response, { headers }) => response.end(headers.host))
  const page = (await get('http://93.184.216.34/judged', {}, { ...noNetwork, connectTo })) as FetchedPage
  expect(Buffer.from(page.body).toString()).toBe('93.184.216.34')
  expect(await get('http://127.0.0.1/judged', {}, { ...noNetwork, connectTo })).toMatchObject({
    failure: { reason: 'refused_address' },
  })
})

test('a refused connection and an invalid response are reported with different reasons', async () => {
  const closed = await startTestServer()
  await closed.close()
  const network = { ...noNetwork, allowedHosts: [closed.host] }
  expect(await get(closed.url, {}, network)).toMatchObject({ failure: { reason: 'refused_connection' } })
  server.answer('/cut', response => response.destroy())
  expect(await fromServer('/cut')).toMatchObject({ failure: { reason: 'broken' } })
})
