import { afterAll, beforeAll, expect, test } from 'vitest'
import { publicAddress, type Scenario } from '../../../test/small-internet/scenario.ts'
import {
  type CheckingService,
  startCheckingService,
} from '../../../test/small-internet/start-checking-service.ts'

const svg = (colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">
     <rect width="40" height="20" fill="${colour}"/></svg>`
const page = (name: string) =>
  `<html><head><title>${name}</title><link rel="icon" href="/icon.svg">
   <script type="application/ld+json">{"@type": "Organization", "logo": "/declared.svg"}</script></head>
   <body><header><a href="/"><img src="/header.svg" alt="${name} logo"></a></header>
   <p>${name}</p></body></html>`

const site = (domain: string, responses: Scenario['responses']): Scenario => ({
  about: 'A site with a logo.',
  domain,
  licensed: false,
  license: null,
  background: false,
  slow: false,
  dns: { [domain]: { A: [publicAddress] } },
  certificate: 'valid',
  refuses: [],
  responses: { '/': { html: page('Amber Heron') }, ...responses },
  rdap: null,
  expect: { web_presence: 'live', launch: 'unknown', outcome: 'completed' },
})

const declaring = site('declaring.example', { '/declared.svg': { text: svg('red') } })
const showing = site('showing.example', { '/header.svg': { text: svg('green') } })
const marked = site('marked.example', {
  '/declared.svg': { text: 'no image' },
  '/header.svg': { status: 302, redirect: '/elsewhere.svg' },
  '/icon.svg': { text: svg('blue') },
})
const bare = site('bare.example', {})

let service: CheckingService
let worker: { stop(): Promise<void> }

beforeAll(async () => {
  service = await startCheckingService([declaring, showing, marked, bare])
  worker = await service.startWorker()
  await Promise.all([declaring, showing, marked, bare].map(each => service.check(each)))
})
afterAll(async () => {
  await worker.stop()
  await service.close()
})

async function logosOf({ domain }: Scenario) {
  const customer = await service.customer({ credits: 10 })
  const { body } = await customer.ask(`/v1/domains/resolve?domain=${domain}&include[]=logos`)
  return body.data.observations.logos
}

test('the logo that a site declares for itself is stored, served and found by search', async () => {
  const [logo, ...others] = await logosOf(declaring)
  expect(others).toEqual([])
  expect(logo).toMatchObject({ source: 'website', variant: 'logo', format: 'svg', width: 40, height: 20 })
  expect(logo).toMatchObject({ current: true, superseded_at: null })
  const served = await service.ask(new URL(logo.url).pathname, { key: null })
  expect([served.status, served.text]).toEqual([200, expect.stringContaining('fill="red"')])
  const customer = await service.customer()
  const { body } = await customer.ask('/v1/logos/search?q=declaring')
  const [found] = body.data.results
  expect(found).toMatchObject({ domain: 'declaring.example', logos: [{ url: logo.url, source: 'website' }] })
})

test('without a declared logo, the image in the header is the logo, or else the icon', async () => {
  const [ofHeader] = await logosOf(showing)
  expect(ofHeader).toMatchObject({ source: 'website', variant: 'logo' })
  expect(service.internet.requestsTo('showing.example').map(({ path }) => path)).toEqual([
    '/',
    '/declared.svg',
    '/header.svg',
  ])
  expect(await logosOf(marked)).toMatchObject([{ source: 'website', variant: 'icon' }])
})

test('a site without any image has no logo, and gets at most 8 requests', async () => {
  expect(await logosOf(bare)).toEqual([])
  expect(service.internet.requestsTo('bare.example').length).toBeLessThanOrEqual(8)
})

test('a new logo of a site replaces the earlier logo, which stays in the history', async () => {
  const [first] = await logosOf(declaring)
  declaring.responses['/declared.svg'] = { text: svg('gold') }
  await service.check(declaring)
  const logos = await logosOf(declaring)
  expect(logos).toHaveLength(2)
  const [current] = logos.filter((each: { current: boolean }) => each.current)
  const [earlier] = logos.filter((each: { current: boolean }) => !each.current)
  expect(earlier).toMatchObject({ url: first.url, superseded_at: current.first_seen_at })
  expect(current.url).not.toBe(first.url)
})
