import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { declaredData } from '../../../../test/harness/declared-schema.ts'
import { loadLines } from '../../../../test/harness/load-lines.ts'
import { type Customer, startService, type TestService } from '../../../../test/harness/service.ts'
import { mergeCompanies } from '../../companies/index.ts'
import { suppressPerson } from '../../people/index.ts'
import { findDomainId } from '../domain-store.ts'
import { wasLive } from './launch-evidence-store.ts'

// Each test has its own site, licensed to its own operator.
let service: TestService
let customer: Customer
let worlds = 0
let site: string
let operator: string
const now = new Date('2026-11-20T08:00:00Z')
const misfits = declaredData('resolve_domain')

beforeAll(async () => {
  service = await startService({ now: () => now })
  customer = await service.customer({ credits: 1_000 })
})
beforeEach(async () => {
  worlds += 1
  site = `site${worlds}.example`
  operator = `Operator ${worlds} Limited`
  await load(company('operator', operator), license('operator', 1))
})
afterAll(() => service.close())

const load = (...lines: object[]) => loadLines(service.service.live, lines, { now })
const keyOf = (key: string) => `${key}-${worlds}`
const numberOf = (nth: number) => `MGA/B2C/${worlds * 10 + nth}/2020`
const company = (key: string, legal_entity: string) => ({
  kind: 'company',
  key: keyOf(key),
  company_name: legal_entity,
  legal_entity,
  subject_kind: 'legal_entity',
  role: ['operator'],
})
const license = (key: string, nth: number, domains = [site]) => ({
  kind: 'license',
  jurisdiction: 'mga',
  license_number: numberOf(nth),
  license_type: 'Gaming Service - B2C',
  status: 'Active',
  company: keyOf(key),
  authorized_domains: domains,
  source_url: 'https://registers.example/mga',
  first_seen_at: '2024-01-15T06:00:00Z',
  last_seen_at: '2026-10-01T06:00:00Z',
})

type Found = { section: string; value_key: string; value: object; snippet?: string }
const check = (checked_at: string, ...findings: Found[]) => ({
  kind: 'site_check',
  domain: site,
  checked_at,
  findings: findings.map(each => ({ ...each, rule: 'secret-rule', strength: 1 })),
})

const web = (status: string): Found => ({
  section: 'web_presence',
  value_key: '',
  value: {
    status,
    requested_url: `https://${site}/`,
    final_url: null,
    redirect_chain: [],
    http_status: 200,
    title: null,
    parked: false,
    legal_pages: [],
  },
})
const launch = (status: string): Found => ({
  section: 'launch',
  value_key: '',
  value: { status, confidence: 'medium', reasons: ['secret_reason'] },
})
const contact = (value: string): Found => ({
  section: 'public_contacts',
  value_key: value,
  value: { type: 'email', value, source: 'website' },
})
const claim = (claimed_name: string, license_number: string | null = null): Found => ({
  section: 'legal_claims',
  value_key: `licensee:${claimed_name}:${license_number}`,
  value: {
    claim_type: 'licensee',
    claimed_name,
    company_registration_number: null,
    license_number,
    registered_address: null,
    market: license_number === null ? null : 'mga',
    evidence_text: `Licensed to ${claimed_name}.`,
  },
  snippet: `Licensed to ${claimed_name}.`,
})

async function ask() {
  const answer = await customer.ask(`/v1/domains/resolve?domain=${site}&include[]=operator_launch_profile`)
  expect([answer.status, misfits(answer.body.data)]).toEqual([200, null])
  return { ...answer, credits: answer.body.data.credits_charged as number }
}
const profile = async () => (await ask()).body.data.observations.operator_launch_profile

async function wasLiveBefore(moment: string): Promise<boolean> {
  const { database } = service.service.live
  return wasLive(database, (await findDomainId(database, site)) as number, new Date(moment))
}

async function refOf(key: string): Promise<string> {
  const { rows } = await sql<{ company_ref: string }>`
    select company_ref from company_identities join companies on companies.id = company_id
     where identity_key = ${keyOf(key)}`.execute(service.service.live.database)
  return rows[0]?.company_ref as string
}

test('a launch profile shows how claims match registers, but not how the claims were read', async () => {
  await load(
    company('other', `Heron ${worlds} Limited`),
    license('other', 2, ['heron.example']),
    check(
      '2026-11-01T08:00:00Z',
      web('live'),
      claim(operator, numberOf(1)),
      claim(operator, numberOf(2)),
      claim(`Otter ${worlds} N.V.`, 'MGA/B2C/1/2001'),
      claim(`Stranger ${worlds} Limited`),
    ),
  )
  const { legal_claims: claims, quality } = await profile()
  const company_ref = await refOf('operator')
  const matched = { status: 'matched', matched_company_ref: company_ref, matched_as: 'licensee' }
  const none = { matched_company_ref: null, matched_as: null }
  expect(claims.map((each: { match: object }) => each.match)).toEqual([
    matched,
    { status: 'conflict', matched_company_ref: await refOf('other'), matched_as: 'licensee' },
    { status: 'unresolved', ...none },
    { status: 'unresolved', ...none },
  ])
  expect(claims[0]).toEqual({
    claim_type: 'licensee',
    claimed_name: operator,
    company_registration_number: null,
    license_number: numberOf(1),
    registered_address: null,
    match: matched,
    evidence_text: `Licensed to ${operator}.`,
  })
  expect(quality.warnings).toContain('legal_claim_conflict')
})

test('a launch profile of DNS records alone is not available and costs nothing', async () => {
  const records = { a: ['192.0.2.1'], aaaa: [], ns: ['ns1.dns.example'], mx: [] }
  const fingerprints = { nameservers: 'ns1.dns.example', mail: null, hosting: null }
  const dns = { section: 'dns', value_key: '', value: { records, fingerprints } }
  await load(check('2026-11-01T08:00:00Z', dns))
  expect((await ask()).credits).toBe(1)
  expect(await profile()).toMatchObject({
    availability: 'not_available',
    reason: 'no_site_evidence',
    dns: null,
  })
  await load(check('2026-11-02T08:00:00Z', dns, web('parked')))
  expect((await ask()).credits).toBe(6)
  expect(await profile()).toMatchObject({ availability: 'available', dns: { records } })
})

test('a launch profile omits members that are not delivered, such as confidence and snippets', async () => {
  await load(check('2026-11-01T08:00:00Z', web('live'), launch('live'), claim(operator)))
  const { text, credits } = await ask()
  expect(credits).toBe(6)
  expect(text).not.toMatch(/secret|confidence|reasons|snippet|"market":null|observation_status|evidence_ref/)
})

const parkedAt = (at: string) => check(at, web('parked'), launch('pre_launch'))

test.each([
  ['live', ['live', 'live'], 'unknown'],
  ['live by its scripts', ['live', 'unknown'], 'unknown'],
  ['launching', ['live', 'launching'], 'pre_launch'],
  ['parked', ['parked', 'pre_launch'], 'pre_launch'],
])(
  'a parked site that was %s before is pre_launch only if it was never live',
  async (_title, [presence, launched], expected) => {
    await load(
      check('2026-10-01T08:00:00Z', web(presence as string), launch(launched as string)),
      parkedAt('2026-11-01T08:00:00Z'),
    )
    expect((await profile()).launch).toEqual({ status: expected, observed_at: '2026-11-01T08:00:00.000Z' })
    expect(await wasLiveBefore('2026-11-01T08:00:00Z')).toBe(expected === 'unknown')
    expect(await wasLiveBefore('2026-10-01T08:00:00Z')).toBe(false)
  },
)

test.each([
  ['a payment method', 'payment_methods', { normalized_name: 'visa', category: 'card' }],
  ['a supplier', 'supplier_brands', { normalized_provider_name: 'NetEnt' }],
  ['a platform', 'platform', {}],
])('a parked site is not pre_launch if an earlier import has %s', async (_title, section, fields) => {
  const seen = (seen_at: string) =>
    section === 'platform'
      ? [
          { kind: 'platform', key: keyOf('p'), name: keyOf('p'), reviewed: false },
          { kind: 'platform_reading', domain: site, platform: keyOf('p'), seen_at },
        ]
      : [
          {
            ...{ kind: 'observation', domain: site, section, ...fields },
            ...{ first_seen_at: seen_at, last_seen_at: seen_at, last_confirmed_at: seen_at },
          },
        ]
  await load(parkedAt('2026-11-01T08:00:00Z'), ...seen('2026-11-02T08:00:00Z'))
  expect((await profile()).launch.status).toBe('pre_launch')
  await load(...seen('2025-11-01T08:00:00Z'))
  expect((await profile()).launch.status).toBe('unknown')
  expect(await wasLiveBefore('2025-11-02T08:00:00Z')).toBe(true)
  expect(await wasLiveBefore('2025-11-01T08:00:00Z')).toBe(false)
})

test('a parked site that is live in a later check is reported as live', async () => {
  await load(parkedAt('2026-10-01T08:00:00Z'), check('2026-11-01T08:00:00Z', web('live'), launch('live')))
  expect((await profile()).launch.status).toBe('live')
})

test('claims and contacts that a site no longer shows are removed, even if it is blocked later', async () => {
  const names = (claims: { claimed_name: string }[]) => claims.map(each => each.claimed_name)
  const [gone, kept] = [`Gone ${worlds} Limited`, `Kept ${worlds} Limited`]
  await load(check('2026-08-01T08:00:00Z', web('live'), claim(gone), contact(`help@${site}`)))
  await load(check('2026-08-20T08:00:00Z', web('live'), claim(kept)))
  expect(names((await profile()).legal_claims)).toEqual([gone, kept])
  await load(check('2026-09-10T08:00:00Z', web('live')))
  expect(names((await profile()).legal_claims)).toEqual([kept])
  await load(check('2026-09-11T08:00:00Z', web('blocked')))
  const { legal_claims, public_contacts } = await profile()
  expect([names(legal_claims), public_contacts.items]).toEqual([[kept], []])
})

test('a failed check replaces findings of a completed check only if it is 30 days newer', async () => {
  const failed = (at: string) => ({
    ...check(at, web('unknown'), launch('unknown')),
    state: 'failed',
    reason: 'server_error',
  })
  const seen = async () => {
    const { web_presence, launch: launched } = await profile()
    return [web_presence.status, launched.status]
  }
  await load(check('2026-09-01T08:00:00Z', web('live'), launch('live')))
  await load(failed('2026-09-20T08:00:00Z'))
  expect(await seen()).toEqual(['live', 'live'])
  await load(failed('2026-10-20T08:00:00Z'))
  expect(await seen()).toEqual(['unknown', 'unknown'])
})

test.each([
  ['a refusal', 'blocked', ['latest_check_failed', 'site_refused_the_check'], 'unknown'],
  ['a failure', 'unknown', ['latest_check_failed'], 'pre_launch'],
])(
  'the last known state of a site is shown with its date after %s',
  async (_title, status, warnings, launched) => {
    const failed = { ...check('2026-11-19T08:00:00Z', web(status), launch('unknown')), state: 'failed' }
    await load(parkedAt('2026-11-01T08:00:00Z'), { ...failed, reason: 'blocked' })
    const shown = await profile()
    expect([shown.web_presence.status, shown.launch.status]).toEqual(['parked', launched])
    expect(shown.quality.warnings).toEqual([
      'no_registration_data',
      ...warnings,
      'site_seen_at:2026-11-01T08:00:00.000Z',
    ])
    await load(parkedAt('2026-11-19T10:00:00Z'))
    expect(await profile()).toMatchObject({
      launch: { status: 'pre_launch' },
      quality: { warnings: ['no_registration_data'] },
    })
  },
)

test('a launch profile does not deliver a suppressed address', async () => {
  const [help, privacy] = [`help@${site}`, `privacy@${site}`]
  await load(check('2026-11-01T08:00:00Z', web('live'), contact(help), contact(privacy)))
  await suppressPerson(service.service.live, { email: help, reason: 'they asked', now })
  const { items } = (await profile()).public_contacts
  expect(items).toEqual([{ type: 'email', value: privacy, source: 'website' }])
})

test('merged operators are one operator in a launch profile, whichever name the site states', async () => {
  const former = `Former ${worlds} N.V.`
  await load(
    company('former', former),
    license('former', 2),
    check('2026-11-01T08:00:00Z', web('live'), claim(former, numberOf(2))),
  )
  const before = await ask()
  expect(before.body.data.observations.operator_launch_profile.reason).toBe('several_operator_contexts')
  expect(before.credits).toBe(1)
  const [from, into] = [await refOf('former'), await refOf('operator')]
  await mergeCompanies(service.service.live, { from, into, reason: 'one', now })
  const after = await profile()
  expect(after.regulatory_context.licensee).toEqual({ company_ref: into, legal_name: operator })
  expect(after.legal_claims[0].match).toMatchObject({ status: 'matched', matched_company_ref: into })
})
