import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { buildLaunchProfile } from './build-launch-profile.ts'
import type { EvidenceRow } from './launch-evidence-store.ts'
import { noProfileSources, type ProfileSources } from './read-profile-sources.ts'
import { launchProfile } from './schema.ts'

const context = {
  market: 'mga',
  license_ref: 'lic_1',
  license_number: 'MGA/B2C/9901/2019',
  company_ref: 'co_1',
  legal_name: 'Ottermoor Gaming Limited',
}
const other = { ...context, company_ref: 'co_2' }

const row = (section: EvidenceRow['section'], value: object, more: Partial<EvidenceRow> = {}) =>
  ({
    domain_id: 1,
    section,
    value,
    seen_at: new Date('2026-11-01T12:00:00Z'),
    failed_at: null,
    was_refused: false,
    ...more,
  }) as EvidenceRow
const dns = (a: string[]) =>
  row('dns', {
    records: { a, aaaa: [], ns: ['ns1.dns.example'], mx: [] },
    fingerprints: { nameservers: null, mail: null, hosting: null },
  })
const registration = (disclosure_status = 'redacted') =>
  row('registration', {
    registrar: 'Registrar Inc.',
    registered_at: '2019-01-02T00:00:00.000Z',
    updated_at: null,
    expires_at: null,
    domain_statuses: ['active'],
    registrant: { disclosure_status, name: null, organization: null, country_code: null },
  })
const web = (status: string, httpStatus: number | null = 200, seenAt = '2026-11-01T12:00:00Z') =>
  row(
    'web_presence',
    {
      status,
      requested_url: 'https://luckyotter.example/',
      final_url: null,
      redirect_chain: ['https://luckyotter.example/'],
      http_status: httpStatus,
      title: null,
      parked: status === 'parked',
      legal_pages: [],
    },
    { seen_at: new Date(seenAt) },
  )

const build = (sources: Partial<ProfileSources>) =>
  buildLaunchProfile('luckyotter.example', { ...noProfileSources, contexts: [context], ...sources })

describe('the availability of a launch profile', () => {
  test.each<[string, Partial<ProfileSources>, string | null]>([
    ['no operator context', { contexts: [], evidence: [dns(['192.0.2.1'])] }, 'no_operator_context'],
    [
      'two operator contexts',
      { contexts: [context, other], evidence: [dns(['192.0.2.1'])] },
      'several_operator_contexts',
    ],
    ['nothing observed', {}, 'no_site_evidence'],
    ['a name without an address', { evidence: [dns([])] }, 'no_site_evidence'],
    ['a name that does not exist', { evidence: [dns([]), web('offline', null)] }, 'no_site_evidence'],
    ['DNS records alone', { evidence: [dns(['192.0.2.1'])] }, 'no_site_evidence'],
    [
      'an address whose site never answered',
      { evidence: [dns(['192.0.2.1']), web('offline', null)] },
      'no_site_evidence',
    ],
    ['a registration', { evidence: [registration()] }, null],
    ['a site that refused the check', { evidence: [web('blocked', 403)] }, null],
  ])('the availability of a launch profile follows from its evidence: %s', (_title, sources, reason) => {
    const profile = build(sources)
    expect(profile.reason).toBe(reason)
    expect(profile.availability).toBe(reason === null ? 'available' : 'not_available')
    expect(Value.Check(launchProfile, profile)).toBe(true)
  })
})

test('a launch profile has each observed component, and says which it lacks', () => {
  const profile = build({
    evidence: [registration(), dns(['192.0.2.1']), web('live'), row('launch', { status: 'live' })],
    relatedDomains: [{ domain: 'otterroyale.example', relationship: 'certificate' }],
  })
  expect(profile.regulatory_context).toEqual({
    market: 'mga',
    license_ref: 'lic_1',
    license_number: 'MGA/B2C/9901/2019',
    licensee: { company_ref: 'co_1', legal_name: 'Ottermoor Gaming Limited' },
    authorized_domain: true,
  })
  expect(profile.related_domains).toEqual([
    { domain: 'otterroyale.example', relationship: 'certificate', ownership_claimed: false },
  ])
  expect(profile.quality).toEqual({ source_count: 3, warnings: ['registrant_redacted'] })
  expect(Object.fromEntries(profile.coverage.map(each => [each.component, each.status]))).toEqual({
    regulatory_context: 'included',
    registration: 'included',
    dns: 'included',
    web_presence: 'included',
    launch: 'included',
    legal_claims: 'not_available',
    public_contacts: 'not_available',
    related_domains: 'included',
  })
})

test('a launch profile withholds reasons and confidence of the launch status', () => {
  const evidence = [registration(), row('launch', { status: 'live', reasons: ['lobby'], confidence: 0.9 })]
  expect(build({ evidence }).launch).toEqual({ status: 'live', observed_at: '2026-11-01T12:00:00.000Z' })
})

test('a launch profile shows the state of the site from the later of two checks', () => {
  const evidence = [web('live', 200, '2026-10-01T00:00:00Z'), web('blocked', 403)]
  expect(build({ evidence }).web_presence?.status).toBe('blocked')
  expect(build({ evidence }).quality.warnings).toContain('site_refused_the_check')
})
