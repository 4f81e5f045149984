import { shippedBrandDomains } from '@baize/registers/entries'
import { fileOfBytes } from '@baize/tables'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import {
  authorisation,
  fakeStream,
  fileOf,
  license,
  licensee,
  syncApproved,
} from '../../registers/fixture.ts'
import { discardSnapshot, findStream, type Stream } from '../../registers/index.ts'
import { verifyReplay } from '../../verify/replay.ts'
import { verifyVerdicts } from '../domains/index.ts'
import { shipBrandDomains } from './index.ts'

let service: TestService
let customer: Customer
let ada: Person
let bob: Person
let hours = 0
beforeAll(async () => {
  service = await startService()
  customer = await service.customer({ credits: 1_000 })
  ada = await signIn(service, { isStaff: true })
  bob = await signIn(service, { isStaff: true })
  await sync(['Otter Bet', 'Heron Sportsbook', 'Pike Play'])
})
afterAll(() => service.close())

const live = () => service.service.live
const page = '/dashboard/staff/brands'
const source = 'https://www.otterbet.example/states'

/** Syncs New York's page of brands, each time an hour later. */
async function sync(brands: readonly string[]) {
  hours += 1
  const [takenAt, now] = [new Date(Date.UTC(2026, 9, 1, hours)), new Date()]
  const items = brands.map(brand => `<li>${brand}</li>`).join('')
  const file = fileOfBytes(
    'page.html',
    `<html><body><h2>Licensed Operators</h2><ul>${items}</ul></body></html>`,
  )
  const stream = findStream('us_new_york.operators') as Stream
  const report = await syncApproved(live(), stream, [file], { takenAt, now })
  expect(report).toMatchObject({ status: 'applied', reasons: [] })
  return report.snapshot_ref as string
}

const form = (brand: string, domain: string) => ({
  market: 'us_new_york',
  brand,
  domain,
  source_url: source,
  source_day: '2026-09-30',
  reason: 'Their own page says so',
})
const rows = async () => (await ada.read(page)).body.data.brand_domains
async function propose(brand: string, domain: string): Promise<string> {
  expect((await ada.post(page, form(brand, domain))).status).toBe(303)
  return (await rows()).find((each: { status: string }) => each.status === 'proposed').brand_domain_ref
}
const decide = (person: Person, ref: string, verb: string, fields: Record<string, string> = {}) =>
  person.post(`${page}/${ref}/${verb}`, fields)

async function resolve(domain: string) {
  const { status, body } = await customer.ask(`/v1/domains/resolve?domain=${domain}&include[]=licenses`)
  expect([status, declaredData('resolve_domain')(body.data)]).toEqual([200, null])
  return body.data
}
const reviewed = { geo: 'us_new_york', license_number: null, basis: 'reviewed_brand' }

describe('the site of a brand that a register names', () => {
  let ref = ''

  test('a brand licenses no site, and a proposal does not either', async () => {
    expect((await resolve('otterbet.example')).verdict).toBe('no_record')
    ref = await propose('Otter Bet', 'https://play.otterbet.example/home')
    expect(await rows()).toMatchObject([
      { domain: 'otterbet.example', status: 'proposed', licenses: 1, is_own: true },
    ])
    expect((await resolve('otterbet.example')).verdict).toBe('no_record')
  })

  test('who proposed a row cannot approve it; another person of staff can', async () => {
    const { status, text } = await decide(ada, ref, 'approve')
    expect([status, text.includes('Another person of staff must approve it.')]).toEqual([400, true])
    expect((await decide(bob, ref, 'approve')).status).toBe(303)
    const data = await resolve('otterbet.example')
    expect(data).toMatchObject({
      verdict: 'licensed',
      licensed_by: [reviewed],
      company: { name: 'Otter Bet' },
      observations: {
        licenses: [{ jurisdiction: 'us_new_york', source_url: 'https://www.gaming.ny.gov/sports-wagering' }],
      },
    })
    expect((await resolve('pikeplay.example')).verdict).toBe('no_record')
  })

  test('the answers of licenses say what the register lists, which is no site', async () => {
    const found = await customer.ask('/v1/companies/resolve?domain=otterbet.example')
    const [profile] = found.body.data.companies
    expect(profile.domains.map((each: { domain: string }) => each.domain)).toEqual(['otterbet.example'])
    const [granted] = profile.licenses
    const { body } = await customer.ask(`/v1/licenses/resolve?license_ref=${granted.license_ref}`)
    expect(body.data.licenses).toMatchObject([{ jurisdiction: 'us_new_york', authorized_domains: [] }])
    const search = await customer.ask('/v1/domains/search?verdict=licensed&geo=us_new_york')
    expect(search.body.data.domains).toMatchObject([{ domain: 'otterbet.example', licensed_by: [reviewed] }])
  })

  test('a license that ends, or returns, ends or restores the verdict without a Signal', async () => {
    await sync(['Heron Sportsbook', 'Pike Play', 'Stoat Casino'])
    expect(await resolve('otterbet.example')).toMatchObject({ verdict: 'no_record', licensed_by: [] })
    expect(await rows()).toMatchObject([{ status: 'approved', licenses: 0 }])
    const back = await sync(['OTTER BET', 'Heron Sportsbook', 'Pike Play'])
    expect(await resolve('otterbet.example')).toMatchObject({ verdict: 'licensed', licensed_by: [reviewed] })
    await discardSnapshot(live(), { snapshotRef: back, reason: 'a wrong page', now: new Date() })
    expect((await resolve('otterbet.example')).verdict).toBe('no_record')
    await sync(['Otter Bet', 'Heron Sportsbook', 'Pike Play'])
    expect((await resolve('otterbet.example')).verdict).toBe('licensed')
    const feed = await customer.ask('/v1/signals/register-changes?jurisdiction=us_new_york&page_size=20')
    expect(feed.body.data.total).toBeGreaterThan(3)
    expect(JSON.stringify(feed.body.data.signals)).not.toContain('otterbet.example')
  })

  test('past facts say when the site was licensed', async () => {
    const facts = await live()
      .database.selectFrom('authorisations')
      .select(['known_from', 'known_to', 'first_seen_at'])
      .where('stream', '=', 'reviewed_brand')
      .orderBy('id')
      .execute()
    expect(facts).toHaveLength(3)
    expect(facts.map(({ known_to }) => known_to === null)).toEqual([false, false, true])
    expect(facts[2]?.first_seen_at).toEqual(facts[0]?.first_seen_at)
    for (const { known_from, known_to } of facts)
      expect(known_to === null || known_to > known_from).toBe(true)
  })

  test('a register of the market that lists the site itself needs no reviewed brand', async () => {
    const stream = fakeStream('us_new_york.sites')
    const [takenAt, now] = [new Date(), new Date()]
    const listed = fileOf(
      licensee('H1', { legalName: 'Otter NY LLC' }),
      license('L1', 'H1'),
      authorisation('otterbet.example', { licenseKey: 'L1', licenseeKey: 'H1' }),
    )
    await syncApproved(live(), stream, [listed], { takenAt, now })
    expect((await resolve('otterbet.example')).licensed_by).toEqual([
      { geo: 'us_new_york', license_number: 'L1-001' },
    ])
    const later = { takenAt: new Date(takenAt.getTime() + 1), now: new Date(now.getTime() + 1) }
    await syncApproved(live(), stream, [fileOf(licensee('H1', { legalName: 'Otter NY LLC' }))], later)
    expect((await resolve('otterbet.example')).licensed_by).toEqual([reviewed])
  })

  test('a removed row licenses nothing from then on', async () => {
    expect((await decide(bob, ref, 'remove', { reason: 'Sold' })).status).toBe(303)
    expect((await resolve('otterbet.example')).verdict).toBe('no_record')
    expect(await rows()).toMatchObject([{ status: 'removed' }])
  })

  test('a replay of the history gives the same verdicts, and derived ones are as stored', async () => {
    const ref = await propose('Heron Sportsbook', 'heron.example')
    await decide(bob, ref, 'approve')
    expect((await resolve('heron.example')).verdict).toBe('licensed')
    const { differences } = await verifyReplay(live(), service.database.connection)
    expect(differences).toEqual([])
    expect((await verifyVerdicts(live().database)).differences).toEqual([])
  })

  test.each([
    ['brand', { brand: 'Otter' }],
    ['brand', { domain: 'no domain' }],
    ['source_url', { source_url: 'javascript:alert(1)' }],
    ['source_day', { source_day: '2026-02-30' }],
    ['market', { market: 'atlantis' }],
    ['reason', { reason: ' ' }],
  ])('a form with a wrong field is shown again: %s %j', async (field, wrong) => {
    const count = (await rows()).length
    const { status, text } = await ada.post(page, { ...form('Pike Play', 'pike.example'), ...wrong })
    expect([status, text.includes(`id="dashboard-staff-brands-${field}-problem"`)]).toEqual([400, true])
    expect(await rows()).toHaveLength(count)
  })
})

describe('rows of the program', () => {
  test('each has a market with a register that names brands, a page and a day, and no two are equal', () => {
    const keys = shippedBrandDomains.map(({ market, brand, domain }) => `${market} ${brand} ${domain}`)
    expect(new Set(keys).size).toBe(keys.length)
    for (const { market, domain, source_url, source_day } of shippedBrandDomains) {
      expect([market, new URL(source_url).protocol]).toEqual([market, 'https:'])
      expect(new URL(source_url).hostname.endsWith(domain)).toBe(true)
      expect(new Date(source_day).toISOString().slice(0, 10)).toBe(source_day)
    }
  })

  test('they are proposals: a start licenses nothing, and what staff withdraw stays withdrawn', async () => {
    await shipBrandDomains(live(), new Date())
    const shipped = async () =>
      (await rows()).filter((row: { entered_by: string }) => row.entered_by === 'baize')
    const [first, ...others] = await shipped()
    expect(others).toHaveLength(shippedBrandDomains.length - 1)
    expect((await resolve('draftkings.com')).verdict).toBe('no_record')
    const { status, text } = await decide(bob, first.brand_domain_ref, 'approve')
    expect([status, text.includes('No register of us_colorado lists a license of')]).toEqual([400, true])
    await decide(bob, first.brand_domain_ref, 'remove', { reason: 'Not theirs' })
    await shipBrandDomains(live(), new Date())
    const statuses = (await shipped()).map(({ status: each }: { status: string }) => each)
    expect(statuses.toSorted()).toEqual([...others.map(() => 'proposed'), 'withdrawn'])
  })

  test('a row that does not exist is not found', async () => {
    expect((await decide(bob, 'bd_none', 'approve')).status).toBe(404)
  })
})
