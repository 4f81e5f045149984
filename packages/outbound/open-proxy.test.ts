import { request as httpRequest } from 'node:http'
import { connect as connectSocket, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startDnsServer } from '../../test/small-internet/dns-server.ts'
import { publicAddress } from '../../test/small-internet/scenario.ts'
import { networkAllowing, startTestServer } from './fixture.ts'
import type { NetworkSettings } from './network-settings.ts'
import { openProxy } from './open-proxy.ts'
import { openSocket } from './open-socket.ts'

const bytesMax = 1_000_000

async function open(network: NetworkSettings, limits = { bytesMax }) {
  const proxy = await openProxy(network, limits)
  onTestFinished(() => proxy[Symbol.asyncDispose]())
  return proxy
}

async function openSite() {
  const site = await startTestServer()
  onTestFinished(() => site.close())
  site.answer('/page?a=1', (response, { headers, body }) => {
    response.writeHead(200, { 'x-saw': `${headers.host} ${headers.cookie} ${headers['proxy-connection']}` })
    response.end(`page ${body}`)
  })
  return site
}

/** Sends a request as a browser sends one without encryption. */
function ask(
  port: number,
  url: string,
  body = '',
): Promise<{ status: number; saw: unknown; text: string } | null> {
  return new Promise(resolve => {
    const headers = { host: new URL(url).host, cookie: 'a=1', 'proxy-connection': 'keep-alive' }
    const method = body === '' ? 'GET' : 'POST'
    const sent = httpRequest({ port, host: '127.0.0.1', path: url, method, headers }, async answer => {
      const text = await Array.fromAsync(answer).then(
        pieces => Buffer.concat(pieces).toString(),
        () => 'cut',
      )
      resolve({ status: answer.statusCode ?? 0, saw: answer.headers['x-saw'], text })
    })
    sent.on('error', () => resolve(null))
    sent.end(body)
  })
}

/** Opens a tunnel and returns the first line of the answer. */
function tunnel(port: number, to: string): Promise<string> {
  return new Promise(resolve => {
    const socket = connectSocket(port, '127.0.0.1', () =>
      socket.write(`CONNECT ${to} HTTP/1.1\r\nhost: ${to}\r\n\r\n`),
    )
    socket.once('data', piece => {
      resolve(piece.toString().split('\r\n')[0] ?? '')
      socket.destroy()
    })
    socket.on('error', () => resolve('closed'))
  })
}

test('the proxy passes on requests and their bodies, without headers of the connection', async () => {
  const site = await openSite()
  const { port } = await open(networkAllowing(site.host))
  expect(await ask(port, `${site.url}/page?a=1`)).toEqual({
    status: 200,
    saw: `${site.host} a=1 undefined`,
    text: 'page ',
  })
  expect(await ask(port, `${site.url}/page?a=1`, 'sent')).toMatchObject({ text: 'page sent' })
  expect(await tunnel(port, site.host)).toBe('HTTP/1.1 200 OK')
})

test.each([
  '127.0.0.1:80',
  '127.0.0.1:443',
  '[::1]:80',
  '[::ffff:127.0.0.1]:443',
  '[64:ff9b::7f00:1]:80',
  '2130706433:80',
  '0x7f000001:443',
  '127.1:80',
  '0.0.0.0:80',
  '10.0.0.1:80',
  '169.254.169.254:80',
  'localhost:443',
  'private.example:80',
  'site.example:22',
  'site.example:8080',
  'update.googleapis.com:443',
  'accounts.google.com:443',
  'missing.example:443',
])('the proxy refuses %s', async to => {
  const dns = await startDnsServer(
    new Map([
      ['private.example', { A: ['127.0.0.1'] }],
      ['site.example', { A: [publicAddress] }],
      ['localhost', { A: ['127.0.0.1'] }],
    ]),
  )
  onTestFinished(() => dns.close())
  const proxy = await open({ ...networkAllowing(), dnsServers: [`127.0.0.1:${dns.port}`] })
  expect(await tunnel(proxy.port, to)).toBe('HTTP/1.1 502 Bad Gateway')
  expect(await ask(proxy.port, `http://${to}/`)).toBe(null)
  expect(proxy.failureOf(new URL(`http://${to}`).hostname)).toMatch(
    /not a public|not one of|not for pages|resolve/,
  )
})

test('a name is resolved once, so a later address does not count', async () => {
  const dns = await startDnsServer(
    new Map([['changing.example', { A: [publicAddress], later: ['127.0.0.1'] }]]),
  )
  onTestFinished(() => dns.close())
  const site = await openSite()
  const { port } = await open({
    ...networkAllowing(),
    dnsServers: [`127.0.0.1:${dns.port}`],
    connectTo: [{ host: 'changing.example', port: 80, toHost: '127.0.0.1', toPort: site.port }],
  })
  for (let visit = 0; visit < 3; visit += 1)
    expect(await ask(port, 'http://changing.example/page?a=1')).toMatchObject({ status: 200 })
  expect(dns.queries.filter(({ type }) => type === 'A')).toHaveLength(1)
})

test('the proxy stops at its number of bytes', async () => {
  const site = await openSite()
  site.answer('/large', response => void response.end('x'.repeat(500_000)))
  const proxy = await open(networkAllowing(site.host), { bytesMax: 100_000 })
  expect((await ask(proxy.port, `${site.url}/large`))?.text ?? 'cut').toBe('cut')
  expect(proxy.isUsedUp()).toBe(true)
  expect(await ask(proxy.port, `${site.url}/page?a=1`)).toBe(null)
})

test('the proxy stops at its number of bytes of an upload, too', async () => {
  const site = await openSite()
  const proxy = await open(networkAllowing(site.host), { bytesMax: 100_000 })
  await ask(proxy.port, `${site.url}/page?a=1`, 'x'.repeat(500_000))
  expect(proxy.isUsedUp()).toBe(true)
})

test.each([
  ['a status below 100', 'HTTP/1.1 099 X'],
  ['the status 000', 'HTTP/1.1 000 X'],
  ['a header that Node does not write', 'HTTP/1.1 200 OK\r\nx-odd: a\u0001b'],
])('an answer with %s breaks its connection, and the next request is answered', async (_, head) => {
  const odd = createServer(socket => {
    socket.on('error', () => {}).once('data', () => socket.end(`${head}\r\n\r\n`))
  })
  await new Promise<void>(resolve => odd.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>(resolve => void odd.close(() => resolve())))
  const { port: oddPort } = odd.address() as { port: number }
  const site = await openSite()
  const { port } = await open(networkAllowing(site.host, `127.0.0.1:${oddPort}`))
  expect(await ask(port, `http://127.0.0.1:${oddPort}/`)).toBe(null)
  expect(await ask(port, `${site.url}/page?a=1`)).toMatchObject({ status: 200 })
})

test('the time limit of a connection ends before it is connected, and not afterwards', async () => {
  const site = await openSite()
  const url = new URL(site.url)
  const judged = [{ address: '127.0.0.1', family: 4 as const }]
  const limit = new AbortController()
  const socket = await openSocket(url, judged, networkAllowing(site.host), limit.signal)
  onTestFinished(() => void socket.destroy())
  limit.abort()
  expect(socket.destroyed).toBe(false)
  await expect(openSocket(url, judged, networkAllowing(site.host), limit.signal)).rejects.toThrow(/abort/)
  const late = new AbortController()
  const connecting = openSocket(url, judged, networkAllowing(site.host), late.signal)
  late.abort()
  await expect(connecting).rejects.toThrow(/abort/)
})
