import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readSettings } from '../../src/config/settings.ts'
import { loadScenarios } from '../../test/small-internet/scenario.ts'
import { type SmallInternet, startSmallInternet } from '../../test/small-internet/start-small-internet.ts'
import { fetchFile } from './fetch-file.ts'
import { fetchPage } from './fetch-page.ts'
import type { NetworkSettings } from './network-settings.ts'

let internet: SmallInternet
let network: NetworkSettings
let proxy: Server
/** The proxy records the requests that it received. */
const asked: { target: string; authorization: string | undefined }[] = []
let proxyStatus: number

beforeAll(async () => {
  internet = await startSmallInternet([
    ...loadScenarios('live.yaml'),
    ...loadScenarios('certificates.yaml'),
    ...loadScenarios('names.yaml'),
  ])
  network = readSettings(internet.environment).network
  proxy = createServer().on('connect', (request, client: Socket) => {
    const target = request.url ?? ''
    asked.push({ target, authorization: request.headers['proxy-authorization'] })
    if (proxyStatus !== 200) return void client.end(`HTTP/1.1 ${proxyStatus} Refused\r\n\r\n`)
    const rule = network.connectTo.find(({ host, port }) => host === null && target.endsWith(`:${port}`))
    const server = connect(rule?.toPort ?? 0, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connected\r\n\r\n')
      server.pipe(client).pipe(server)
    })
    for (const socket of [server, client]) socket.on('error', () => void server.destroy())
  })
  await new Promise<void>(listening => proxy.listen(0, '127.0.0.1', listening))
})
beforeEach(() => {
  asked.length = 0
  proxyStatus = 200
})
afterAll(async () => {
  await new Promise(closed => proxy.close(closed))
  await internet.close()
})

/** Returns `fetched`, or the reason of the failure. */
type Fetch = (url: string, network: NetworkSettings) => Promise<string>

const asPage: Fetch = async (url, network) => {
  const signal = new AbortController().signal
  const page = await fetchPage(
    { url, userAgent: 'Baize', timeoutMs: 5_000, bytesMax: 100_000, signal },
    network,
  )
  return 'failure' in page ? page.failure.reason : 'fetched'
}

const asFile: Fetch = async (url, network) => {
  try {
    const outcome = await fetchFile({ url, network, bytesMax: 100_000, timeoutMs: 5_000 })
    if (outcome.status === 'fetched') await outcome.file.dispose()
    return outcome.status
  } catch (error) {
    return (error as { reason: string }).reason
  }
}

const byProxy = (credentials = ''): NetworkSettings => {
  const { port } = proxy.address() as { port: number }
  return { ...network, connectTo: [], proxy: `http://${credentials}127.0.0.1:${port}` }
}

describe.each([
  { of: 'a page', fetch: asPage, untrusted: 'tls', unreachable: 'broken' },
  { of: 'a file', fetch: asFile, untrusted: 'unreachable', unreachable: 'unreachable' },
])('the route of $of', ({ fetch, untrusted, unreachable }) => {
  test('a request uses the configured name servers, certificate authorities and connections', async () => {
    expect(await fetch('https://luckyotter.example/', network)).toBe('fetched')
    expect(await fetch('https://luckyotter.example/', { ...network, caFile: null })).toBe(untrusted)
  })

  test.each(['wrongname', 'expired', 'selfsigned'])(
    'a request is refused with the certificate of %s.example',
    async name => {
      expect(await fetch(`https://${name}.example/`, network)).toBe(untrusted)
      expect(internet.requestsTo(`${name}.example`)).toEqual([])
    },
  )

  test('a request through a proxy names the address that was checked, and not the host name', async () => {
    expect(await fetch('https://luckyotter.example/', byProxy('otter:se%20cret@'))).toBe('fetched')
    expect(await fetch('http://luckyotter.example/', byProxy())).toBe('fetched')
    const authorization = `Basic ${Buffer.from('otter:se cret').toString('base64')}`
    expect(asked).toEqual([
      { target: '93.184.215.14:443', authorization },
      { target: '93.184.215.14:80', authorization: undefined },
    ])
    expect(internet.requestsTo('luckyotter.example').at(-1)?.url).toBe('http://luckyotter.example/')
  })

  test.each(['loopback', 'linklocal', 'metadata', 'mapped', 'nat64'])(
    'a request to %s.example is refused before the proxy is asked',
    async name => {
      expect(await fetch(`https://${name}.example/`, byProxy())).toBe('refused_address')
      expect(asked).toEqual([])
    },
  )

  test('a request is refused with an expired certificate even through a proxy', async () => {
    expect(await fetch('https://expired.example/', byProxy())).toBe(untrusted)
  })

  test('a refusal by the proxy is reported as such, and not as a failure of the server', async () => {
    proxyStatus = 403
    expect(await fetch('https://luckyotter.example/', byProxy())).toBe(unreachable)
    const away = { ...network, proxy: 'http://127.0.0.1:1' }
    expect(await fetch('https://luckyotter.example/', away)).toBe(unreachable)
  })
})

test('a request fails at its time limit if the name server does not answer', async () => {
  const signal = new AbortController().signal
  const request = { userAgent: 'Baize', timeoutMs: 200, bytesMax: 1_000, signal }
  expect(await fetchPage({ ...request, url: 'https://silent.example/' }, network)).toMatchObject({
    failure: { reason: 'timeout' },
  })
})

test('a page fetched through a proxy has the facts of its certificate', async () => {
  const signal = new AbortController().signal
  const request = { userAgent: 'Baize', timeoutMs: 5_000, bytesMax: 100_000, signal }
  expect(await fetchPage({ ...request, url: 'https://luckyotter.example/' }, byProxy())).toMatchObject({
    certificate: { names: ['luckyotter.example', '*.luckyotter.example'] },
  })
})
