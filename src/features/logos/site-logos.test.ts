import { afterAll, beforeAll, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { drawing, type LogoFeed, logoLine, openLogoFeed } from './fixture.ts'
import { withdrawLogos } from './index.ts'

const [first, second] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z']

let service: TestService
let customer: Customer
let feed: LogoFeed
const misfits = declaredData('resolve_domain')
beforeAll(async () => {
  service = await startService()
  customer = await service.customer()
  feed = await openLogoFeed(service)
  for (const width of [1, 2, 3, 4]) await feed.put(`${width}.svg`, drawing(width))
  const otter = (rest: object) => logoLine('operator_brand', 'lucky-otter', 'Lucky Otter', rest)
  await feed.load(
    [
      {
        kind: 'company',
        key: 'moor',
        company_name: 'Ottermoor',
        role: ['operator'],
        brands: ['Lucky Otter'],
      },
      {
        kind: 'domain',
        domain: 'otter.example',
        company: 'moor',
        relation: 'licensee',
        brand: 'Lucky Otter',
      },
      { kind: 'domain', domain: 'plain.example', company: 'moor', relation: 'licensee' },
      otter({ file: '1.svg', source: 'website' }),
      logoLine('company', 'ottermoor', 'Ottermoor', { domain: 'moor.example', file: '3.svg' }),
      logoLine('company', 'ottermoor', 'Ottermoor', {
        domain: 'moor.example',
        file: '4.svg',
        status: 'rejected',
      }),
    ],
    { now: new Date(first) },
  )
  await feed.load([otter({ file: '2.svg', source: 'business_profile' })], { now: new Date(second) })
})
afterAll(async () => {
  await feed.close()
  await service.close()
})

async function logosOf(domain: string) {
  const { status, body } = await customer.ask(`/v1/domains/resolve?domain=${domain}&include[]=logos`)
  expect([status, misfits(body.data)]).toEqual([200, null])
  return body.data.observations.logos
}

const url = expect.stringMatching(/^http:\/\/baize\.test\/logos\/[0-9a-f]{64}\.svg$/)
const shape = { variant: 'logo', theme: 'light', format: 'svg', height: 10, url }

test('a site has the logos of its brand, with their history', async () => {
  expect(await logosOf('otter.example')).toEqual([
    {
      ...shape,
      width: 2,
      source: 'business_profile',
      current: true,
      first_seen_at: second,
      superseded_at: null,
    },
    { ...shape, width: 1, source: 'website', current: false, first_seen_at: first, superseded_at: second },
  ])
})

test('a site has the logos that an import assigns to its domain, without rejected ones', async () => {
  expect(await logosOf('moor.example')).toEqual([
    { ...shape, width: 3, source: 'catalog', current: true, first_seen_at: first, superseded_at: null },
  ])
})

test('the logo of a Company is not a logo of its sites', async () => {
  expect(await logosOf('plain.example')).toEqual([])
  expect(await logosOf('nobody.example')).toEqual([])
})

test("the slug of a site's brand finds its images", async () => {
  const { body } = await customer.ask('/v1/domains/resolve?domain=otter.example&include[]=logos')
  const { slug } = body.data.observations.brand
  expect((await service.ask(`/images/operator_brand/${slug}?fallback=404`)).status).toBe(302)
})

test('a withdrawn logo ends at the moment of its withdrawal', async () => {
  const now = new Date('2026-03-01T00:00:00.000Z')
  const reason = 'its owner asked for it'
  await withdrawLogos(service.service.live, { kind: 'operator_brand', slug: 'lucky-otter', reason, now })
  const logos = (await logosOf('otter.example')).map(
    ({ width, current, superseded_at }: Record<string, unknown>) => ({ width, current, superseded_at }),
  )
  expect(logos).toEqual([
    { width: 2, current: false, superseded_at: now.toISOString() },
    { width: 1, current: false, superseded_at: second },
  ])
})
