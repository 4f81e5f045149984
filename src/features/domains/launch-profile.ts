import { Type } from 'typebox'
import type { Static } from '../../core/operation.ts'
import { closed, instant, nullable, oneOf } from '../../core/schema.ts'

const text = Type.String()
const texts = Type.Array(text)
const moment = nullable(instant())

const regulatoryContext = Type.Object(
  {
    market: text,
    license_ref: text,
    license_number: text,
    licensee: Type.Object({ company_ref: text, legal_name: text }, closed),
    authorized_domain: Type.Boolean(),
  },
  closed,
)

const registration = Type.Object(
  {
    registrar: nullable(text),
    registered_at: moment,
    updated_at: moment,
    expires_at: moment,
    domain_statuses: texts,
    registrant: Type.Object(
      {
        disclosure_status: oneOf(['public', 'redacted', 'unavailable']),
        name: nullable(text),
        organization: nullable(text),
        country_code: nullable(text),
      },
      closed,
    ),
  },
  closed,
)

const dns = Type.Object(
  {
    records: Type.Object(
      {
        a: texts,
        aaaa: texts,
        ns: texts,
        mx: Type.Array(Type.Object({ priority: Type.Integer(), host: text }, closed)),
      },
      closed,
    ),
    fingerprints: Type.Object(
      { nameservers: nullable(text), mail: nullable(text), hosting: nullable(text) },
      closed,
    ),
  },
  closed,
)

const webPresence = Type.Object(
  {
    status: oneOf(['live', 'parked', 'blocked', 'offline', 'unknown']),
    requested_url: text,
    final_url: nullable(text),
    redirect_chain: texts,
    http_status: nullable(Type.Integer()),
    title: nullable(text),
    parked: Type.Boolean(),
    legal_pages: Type.Array(Type.Object({ page_type: text, url: text }, closed)),
  },
  closed,
)

const legalClaim = Type.Object(
  {
    claim_type: oneOf(['owner', 'operator', 'billing_agent', 'data_controller', 'licensee']),
    claimed_name: text,
    company_registration_number: nullable(text),
    license_number: nullable(text),
    registered_address: nullable(text),
    match: Type.Object(
      {
        status: oneOf(['unresolved', 'matched', 'conflict']),
        matched_company_ref: nullable(text),
        matched_as: nullable(text),
      },
      closed,
    ),
    evidence_text: text,
  },
  closed,
)

const launch = oneOf(['pre_launch', 'launching', 'live', 'unknown'])

/** Values of findings that a profile is built of. What customers do not see is beside. */
export const evidenceValues = {
  registration,
  dns,
  web_presence: webPresence,
  launch: Type.Object(
    { status: launch, confidence: oneOf(['high', 'medium', 'low']), reasons: texts },
    closed,
  ),
  legal_claims: Type.Object(
    { ...Type.Omit(legalClaim, ['match']).properties, market: nullable(text) },
    closed,
  ),
  public_contacts: Type.Object({ type: oneOf(['email']), value: text, source: oneOf(['website']) }, closed),
}

export const unavailableReasons = [
  'no_operator_context',
  'several_operator_contexts',
  'no_site_evidence',
] as const

export const components = [
  'regulatory_context',
  'registration',
  'dns',
  'web_presence',
  'launch',
  'legal_claims',
  'public_contacts',
  'related_domains',
] as const

// §2.10. Source URLs, evidence, confidence, reasons and observation status are left out, not null.
export const launchProfile = Type.Object(
  {
    availability: oneOf(['available', 'not_available']),
    reason: nullable(oneOf(unavailableReasons), {
      description:
        'Why it is not available. `no_operator_context`: no operator with a numbered license in force that ' +
        'authorises the domain. `several_operator_contexts`: more than one. `no_site_evidence`: the ' +
        'domain was not observed.',
    }),
    domain: text,
    observed_at: moment,
    regulatory_context: nullable(regulatoryContext),
    registration: nullable(registration),
    dns: nullable(dns),
    web_presence: nullable(webPresence),
    launch: nullable(Type.Object({ status: launch, observed_at: moment }, closed)),
    legal_claims: Type.Array(legalClaim),
    public_contacts: Type.Object(
      {
        items: Type.Array(
          Type.Object({ type: oneOf(['email']), value: text, source: oneOf(['website']) }, closed),
        ),
      },
      closed,
    ),
    related_domains: Type.Array(
      Type.Object({ domain: text, relationship: text, ownership_claimed: Type.Boolean() }, closed),
    ),
    quality: Type.Object({ source_count: Type.Integer(), warnings: texts }, closed),
    coverage: Type.Array(
      Type.Object(
        {
          component: oneOf(components),
          status: oneOf(['included', 'available', 'not_available', 'not_requested']),
        },
        closed,
      ),
    ),
  },
  { ...closed, named: 'OperatorLaunchProfile' },
)

export type LaunchProfile = Static<typeof launchProfile>
