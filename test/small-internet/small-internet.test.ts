import { Resolver } from 'node:dns/promises'
import { fetchPage, resolveRecords } from '@baize/outbound'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSettings } from '../../src/config/settings.ts'
import { loadScenarios } from './scenario.ts'
import { type SmallInternet, startSmallInternet } from './start-small-internet.ts'

let internet: SmallInternet
beforeAll(async () => {
  internet = await startSmallInternet(loadScenarios())
})
afterAll(() => internet.close())

const network = () => readSettings(internet.environment).network
const get = (url: string) =>
  fetchPage(
    { url, userAgent: 'Baize/1', timeoutMs: 5_000, bytesMax: 100_000, signal: new AbortController().signal },
    network(),
  )

test('each scenario of the small internet has a different domain', () => {
  const domains = loadScenarios().map(({ domain }) => domain)
  expect(new Set(domains).size).toBe(domains.length)
})

test('a site of the small internet answers at a public address with a certificate of its name', async () => {
  expect(await get('https://luckyotter.example/')).toMatchObject({
    status: 200,
    certificate: { names: ['luckyotter.example', '*.luckyotter.example'], issuer: 'CN=Small internet' },
  })
  expect(internet.requestsTo('luckyotter.example').at(-1)).toMatchObject({
    url: 'https://luckyotter.example/',
    userAgent: 'Baize/1',
  })
})

test.each(['wrongname', 'expired', 'selfsigned'])(
  'the site %s.example has no trusted certificate',
  async name => {
    expect(await get(`https://${name}.example/`)).toMatchObject({ failure: { reason: 'tls' } })
  },
)

test('each name of the small internet exists, does not exist, or gets no answer, as declared', async () => {
  expect(await resolveRecords(network(), 'missing.example', 'A')).toEqual({
    outcome: 'nxdomain',
    records: [],
  })
  expect(await resolveRecords(network(), 'servfail.example', 'A')).toEqual({
    outcome: 'servfail',
    records: [],
  })
  expect(await resolveRecords(network(), 'noaddress.example', 'A')).toEqual({
    outcome: 'no_data',
    records: [],
  })
  expect(await resolveRecords(network(), 'luckyotter.example', 'MX')).toEqual({
    outcome: 'answered',
    records: [{ priority: 10, host: 'mx.hosting.example' }],
  })
  expect(internet.queries.filter(({ name }) => name === 'missing.example')).toHaveLength(2)
})

test('a DNS answer too long for UDP is sent over TCP', async () => {
  const long = Array.from({ length: 60 }, (_, index) => `ns${index}.a-rather-long-name-of-a-hoster.example`)
  const [scenario] = loadScenarios('live.yaml')
  const other = await startSmallInternet([
    { ...(scenario as NonNullable<typeof scenario>), dns: { 'luckyotter.example': { NS: long } } },
  ])
  const resolver = new Resolver()
  resolver.setServers([other.environment.DNS_SERVERS as string])
  expect(await resolver.resolveNs('luckyotter.example')).toHaveLength(60)
  await other.close()
})
