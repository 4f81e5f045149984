import type { Reading } from '@baize/registers'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ExportService, startExportService } from '../src/features/exports/fixture.ts'
import {
  authorisation,
  day,
  fakeStream,
  fileOf,
  license,
  licensee,
  syncApproved,
} from '../src/registers/fixture.ts'
import { loadLines } from './harness/load-lines.ts'
import type { Customer } from './harness/service.ts'

// Tests that different operations give the same answers about one fact.

const named = [
  [
    'quolltrade',
    {
      company_name: 'Quoll Trade',
      legal_entity: 'Quoll Works Ltd',
      subject_kind: 'trade_name',
      evidence_routes: ['website'],
    },
  ],
  ['quollfiled', { company_name: 'Quoll Filed', legal_entity: 'Quoll Filed Ltd' }],
  ['quollonly', { legal_entity: 'Quoll Only Ltd' }],
  ['quollsaid', { legal_entity: 'Quoll Said Ltd', subject_kind: 'unknown' }],
] as const

const linesOf = ([key, names]: (typeof named)[number]) => [
  { kind: 'company', key, ...names },
  { kind: 'domain', domain: `${key}.example`, company: key, relation: 'licensee' },
  {
    kind: 'license',
    jurisdiction: 'mga',
    license_number: `${key}/1`,
    company: key,
    authorized_domains: [`${key}.example`],
  },
]

const lines = [
  ...named.flatMap(linesOf),
  ...['quollfiled', 'quolltrade'].flatMap(company => [
    { kind: 'domain', domain: 'quollshared.example', company, relation: 'brand_owner' },
    { kind: 'domain', domain: 'quollbrands.example', company, relation: 'brand_owner' },
  ]),
  {
    kind: 'license',
    jurisdiction: 'mga',
    license_number: 'quollshared/1',
    company: 'quollfiled',
    authorized_domains: ['quollshared.example'],
  },
  {
    kind: 'license',
    jurisdiction: 'mga',
    license_number: 'quollgone/1',
    status: 'Revoked',
    authorized_domains: ['quollimported.example'],
  },
  { kind: 'company', key: 'quoll', company_name: 'Quoll Games', subject_kind: 'legal_entity' },
  { kind: 'domain', domain: 'quoll.example', company: 'quoll', relation: 'licensee' },
  { kind: 'domain', domain: 'quollboth.example', company: 'quollonly', relation: 'licensee' },
  { kind: 'domain', domain: 'quollboth.example', company: 'quolltrade', relation: 'brand_owner' },
  { kind: 'blocklist_entry', regulator: 'poland', domain: 'quollboth.example' },
  { kind: 'platform', key: 'quollrival', name: 'Quollrival', reviewed: true },
  ...['quollrival', 'quolldeck', 'quollrival'].map((platform, hour) => ({
    kind: 'platform_reading',
    domain: 'quollboth.example',
    platform,
    seen_at: `2026-03-01T0${Math.min(hour, 1)}:00:00Z`,
  })),
  { kind: 'platform', key: 'quolldeck', name: 'Quolldeck', reviewed: true },
  {
    kind: 'platform_reading',
    domain: 'quoll.example',
    platform: 'quolldeck',
    seen_at: '2026-02-01T10:00:00Z',
  },
]

let service: ExportService
let customer: Customer
beforeAll(async () => {
  service = await startExportService({
    world: 'demo_with_registers',
    load: async ({ service: { live } }) => void (await loadLines(live, lines)),
  })
  customer = await service.customer({ credits: 1_000_000 })
})
afterAll(() => service.close())

async function answer(path: string, parameters: Record<string, string>) {
  const { status, body } = await customer.ask(`${path}?${new URLSearchParams(parameters)}`)
  expect([status, path, body.errors]).toEqual([200, path, undefined])
  return body.data
}

const resolveDomain = (domain: string, section: string) =>
  answer('/v1/domains/resolve', { domain, 'include[]': section })
const resolveCompany = async (parameters: Record<string, string>) =>
  (await answer('/v1/companies/resolve', parameters)).companies[0]

async function sync(market: string, dayNumber: number, ...readings: Reading[]): Promise<void> {
  const moment = day(dayNumber)
  const stream = fakeStream(`${market}.licenses`)
  const options = { takenAt: moment, now: moment }
  const report = await syncApproved(service.service.live, stream, [fileOf(...readings)], options)
  expect([report.status, report.reasons]).toEqual(['applied', []])
}

async function exportedLines(): Promise<Record<string, string>[]> {
  const { id } = await service.exported(customer, {})
  return parse((await service.download(customer, id)).text, { columns: true })
}

test('a stored reading of a platform is an observation in every operation', async () => {
  const seenAt = '2026-02-01T10:00:00.000Z'
  const { observations } = await resolveDomain('quoll.example', 'platform_history')
  expect(observations).toMatchObject({
    status: 'observed',
    last_enriched_at: seenAt,
    meta: { observed_at: seenAt },
    platform_history: [{ platform: 'Quolldeck', from: seenAt, to: null, observations: 1 }],
  })
  const [hit] = (await answer('/v1/companies/search', { q: 'Quoll Games' })).hits
  expect(hit).toMatchObject({ platform_present: true, last_observed_at: seenAt })
  expect(await resolveCompany({ company_ref: hit.company_ref })).toMatchObject({ last_observed_at: seenAt })
  expect(await exportedLines()).toContainEqual({
    domain_normalized: 'quoll.example',
    company_name: 'Quoll Games',
    status: 'observed',
    last_enriched_at: seenAt,
  })
  const filters = { enriched_after: '2026-01-31T00:00:00Z' }
  const { id } = await service.exported(customer, { filters })
  expect((await service.download(customer, id)).text).toContain('quoll.example')
})

test.each(named.map(([key, names]) => [key, names] as const))(
  'the names of %s are the same in every operation, and legal_entity finds a legal name',
  async (key, names) => {
    const domain = `${key}.example`
    const profile = await resolveCompany({ domain })
    const isFiled = !('subject_kind' in names)
    const [company_name, legal_entity] = [
      'company_name' in names ? names.company_name : names.legal_entity,
      isFiled ? names.legal_entity : null,
    ]
    const expected = { company_name, legal_entity }
    expect(profile).toMatchObject(expected)

    const lookup = await customer.ask(
      `/v1/companies/resolve?${new URLSearchParams({ legal_entity: names.legal_entity })}`,
    )
    expect(lookup.status).toBe(isFiled ? 200 : 404)
    expect(await resolveCompany({ name: names.legal_entity })).toMatchObject(expected)

    const found = await answer('/v1/companies/search', { q: names.legal_entity })
    expect(found.hits[0]).toMatchObject(expected)
    expect(found.identity_match).toMatchObject({ ...expected, name: names.legal_entity })

    const license = { license_number: `${key}/1`, jurisdiction: 'mga' }
    expect((await answer('/v1/licenses/resolve', license)).licenses[0]).toMatchObject(expected)
    expect((await answer('/v1/licenses/search', { domain })).hits[0]).toMatchObject({ company_name })
    const verdict = await resolveDomain(domain, 'licenses')
    expect(verdict.company.name).toBe(company_name)
    expect(verdict.observations.company).toMatchObject({
      name: company_name,
      legal_entity_name: legal_entity,
    })
    expect(await exportedLines()).toContainEqual(
      expect.objectContaining({ domain_normalized: domain, company_name }),
    )
  },
)

test('a text that is a site identifies the Company that the verdict of the site shows', async () => {
  const domain = 'quollshared.example'
  const { company } = await resolveDomain(domain, 'licenses')
  expect(company.name).toBe('Quoll Filed')
  const found = await answer('/v1/companies/search', { q: `https://${domain}/casino` })
  expect(found).toMatchObject({
    total: 2,
    answered: true,
    answer_basis: 'identity',
    identity_match: { type: 'domain', name: domain, company_ref: company.company_ref },
  })
  expect((await answer('/v1/companies/search', { domain })).identity_match).toEqual(found.identity_match)
  const { identity_match } = await answer('/v1/companies/search/preview', { q: domain })
  expect(identity_match).toMatchObject({ type: 'domain', name: domain, company_ref: null })
  expect((await resolveCompany({ domain })).company_ref).toBe(company.company_ref)
})

test('a site of several Companies, none of them a licensee, identifies no Company', async () => {
  const found = await answer('/v1/companies/search', { q: 'quollbrands.example' })
  expect(found).toMatchObject({ total: 2, answered: false, identity_match: null })
})

test('the first Company of a site is the same in profiles, observations and exports', async () => {
  const domain = 'quollboth.example'
  const { company_name } = await resolveCompany({ domain })
  expect(company_name).toBe('Quoll Only Ltd')
  expect((await resolveDomain(domain, 'geo')).observations.company.name).toBe(company_name)
  const line = (await exportedLines()).find(each => each.domain_normalized === domain)
  expect(line?.company_name).toBe(company_name)
})

test('one of two platforms read at the same time is the current one in every operation', async () => {
  const domain = 'quollboth.example'
  const [current] = (await resolveDomain(domain, 'platform_history')).observations.platform_history
  expect(current).toMatchObject({ platform: 'Quolldeck', to: null })
  for (const platform of ['quolldeck', 'quollrival']) {
    const found = await answer('/v1/domains/search', { verdict: 'blocklisted', platform })
    const isThere = found.domains.some((row: { domain: string }) => row.domain === domain)
    expect([platform, isThere]).toEqual([platform, platform === 'quolldeck'])
  }
})

test('evidence_routes of a Company includes `register` if the Company has an imported license', async () => {
  expect((await resolveCompany({ domain: 'quollonly.example' })).evidence_routes).toEqual(['register'])
  expect((await resolveCompany({ domain: 'quoll.example' })).evidence_routes).toEqual([])
  const both = (await resolveCompany({ name: 'Quoll Trade' })).evidence_routes
  expect(both).toEqual(['website', 'register'])
})

describe('the filter published_legal_name of register changes', () => {
  const feed = '/v1/signals/register-changes'
  const changesOf = (published_legal_name: string, more = {}) =>
    answer(feed, { jurisdiction: 'jersey', published_legal_name, ...more })
  const eventsOf = (page: { signals: { change: { event_type: string } }[] }) =>
    page.signals.map(signal => signal.change.event_type)

  beforeAll(async () => {
    const holding = { licenseeKey: 'J1' }
    const site = authorisation('quollpast.example', holding)
    const before = licensee('J1', { legalName: 'Quoll Past Ltd' })
    const after = licensee('J1', { legalName: 'Quoll Now Ltd' })
    const active = license('JL1', 'J1')
    const suspended = license('JL1', 'J1', { status: 'suspended' })
    await sync('jersey', 1, before, active)
    await sync('jersey', 2, before, active, site)
    await sync('jersey', 3, after, suspended, site)
    await sync('jersey', 4, after, active, site)
  })

  test('the filter published_legal_name matches the name before and after each change', async () => {
    const [past, now] = [await changesOf('Quoll Past Ltd'), await changesOf('Quoll Now Ltd')]
    const renamed = ['published_status_changed', 'legal_entity_changed', 'legal_entity_changed']
    expect(eventsOf(past).sort()).toEqual(['authorized_domains_changed', ...renamed].sort())
    expect(eventsOf(now).sort()).toEqual([...renamed, 'published_status_changed'].sort())
    expect([past.total, now.total]).toEqual([past.signals.length, now.signals.length])
    const refs = (page: typeof past) =>
      page.signals.map((signal: { signal_ref: string }) => signal.signal_ref)
    expect(refs(past).filter((ref: string) => refs(now).includes(ref))).toHaveLength(renamed.length)
  })

  test('the filter published_legal_name counts and pages its matches', async () => {
    const whole = await changesOf('Quoll Past Ltd')
    const first = await changesOf('Quoll Past Ltd', { page_size: 1 })
    expect(first).toMatchObject({ total: whole.total, has_more: true })
    const rest = await changesOf('Quoll Past Ltd', { after: first.next_cursor })
    expect([...first.signals, ...rest.signals]).toEqual(whole.signals)
    const other = { jurisdiction: 'jersey', published_legal_name: 'Quoll Now Ltd', after: first.next_cursor }
    const { status, body } = await customer.ask(`${feed}?${new URLSearchParams(other)}`)
    expect([status, body.errors.code]).toEqual([400, 'cursor_filter_mismatch'])
    const renames = await changesOf('Quoll Past Ltd', { event_type: 'legal_entity_changed' })
    expect(renames).toMatchObject({ total: 2, query: { event_type: ['legal_entity_changed'] } })
    const days = { occurred_from: '2026-01-02', occurred_to: '2026-01-02' }
    expect(await changesOf('Quoll Past Ltd', days)).toMatchObject({ total: 1 })
  })
})

test('a domain with only a suspended license is in exports, whether synced or imported', async () => {
  const suspended = { licenseeKey: 'G1', status: 'suspended' }
  await sync(
    'alderney',
    1,
    licensee('G1'),
    license('GL1', 'G1', { status: 'suspended' }),
    authorisation('quollsynced.example', { ...suspended, licenseKey: 'GL1' }),
    authorisation('quollnobody.example', { status: 'suspended', counts: false }),
  )
  const exported = await exportedLines()
  for (const name of ['quollsynced', 'quollimported', 'quollnobody']) {
    const { verdict, observations } = await resolveDomain(`${name}.example`, 'licenses')
    expect([name, verdict, observations.licenses]).toMatchObject([
      name,
      'no_record',
      [{ status: name === 'quollimported' ? 'revoked' : 'suspended' }],
    ])
    expect(exported).toContainEqual({
      domain_normalized: `${name}.example`,
      company_name: observations.company?.name ?? '',
      status: 'not_observed',
      last_enriched_at: '',
    })
  }
})

test('the previews of all operations mask the same name in the same way', async () => {
  for (const path of ['/v1/companies/search/preview', '/v1/licenses/search/preview']) {
    const { sample } = await answer(path, { domain: 'quollonly.example' })
    expect(sample, path).toMatchObject([{ company_name: expect.stringMatching(/^Qu[^a-z]*$/) }])
  }
})
