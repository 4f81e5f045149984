import { Type } from 'typebox'
import type { Static } from '../../../core/operation.ts'
import { closedObject, instant, namedObject, nullable, oneOf } from '../../../core/schema.ts'

const text = Type.String()
const texts = Type.Array(text)
const moment = nullable(instant())

const regulatoryContext = closedObject({
  market: text,
  license_ref: text,
  license_number: text,
  licensee: closedObject({ company_ref: text, legal_name: text }),
  authorized_domain: Type.Boolean(),
})

const registration = closedObject({
  registrar: nullable(text),
  registered_at: moment,
  updated_at: moment,
  expires_at: moment,
  domain_statuses: texts,
  registrant: closedObject({
    disclosure_status: oneOf(['public', 'redacted', 'unavailable']),
    name: nullable(text),
    organization: nullable(text),
    country_code: nullable(text),
  }),
})

const dns = closedObject({
  records: closedObject({
    a: texts,
    aaaa: texts,
    ns: texts,
    mx: Type.Array(closedObject({ priority: Type.Integer(), host: text })),
  }),
  fingerprints: closedObject({ nameservers: nullable(text), mail: nullable(text), hosting: nullable(text) }),
})

const webPresence = closedObject({
  status: oneOf(['live', 'parked', 'blocked', 'offline', 'unknown']),
  requested_url: text,
  final_url: nullable(text),
  redirect_chain: texts,
  http_status: nullable(Type.Integer()),
  title: nullable(text),
  parked: Type.Boolean(),
  legal_pages: Type.Array(closedObject({ page_type: text, url: text })),
})

const legalClaim = closedObject({
  claim_type: oneOf(['owner', 'operator', 'billing_agent', 'data_controller', 'licensee']),
  claimed_name: text,
  company_registration_number: nullable(text),
  license_number: nullable(text),
  registered_address: nullable(text),
  match: closedObject({
    status: oneOf(['unresolved', 'matched', 'conflict']),
    matched_company_ref: nullable(text),
    matched_as: nullable(text),
  }),
  evidence_text: text,
})

const launch = oneOf(['pre_launch', 'launching', 'live', 'unknown'])

/** The values of findings that a profile uses. Some of their members are withheld from customers. */
export const evidenceValues = {
  registration,
  dns,
  web_presence: webPresence,
  launch: closedObject({ status: launch, confidence: oneOf(['high', 'medium', 'low']), reasons: texts }),
  legal_claims: closedObject({ ...Type.Omit(legalClaim, ['match']).properties, market: nullable(text) }),
  public_contacts: closedObject({ type: oneOf(['email']), value: text, source: oneOf(['website']) }),
}

export type EvidenceSection = keyof typeof evidenceValues
export type EvidenceValue<Section extends EvidenceSection> = Static<(typeof evidenceValues)[Section]>

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

// A launch profile (§2.10). It has no source URLs, evidence, confidence, reasons or observation status.
export const launchProfile = namedObject('OperatorLaunchProfile', {
  availability: oneOf(['available', 'not_available']),
  reason: nullable(oneOf(unavailableReasons), {
    description:
      'Why it is not available. `no_operator_context`: no operator with a numbered license in force that ' +
      'authorises the domain. `several_operator_contexts`: more than one. `no_site_evidence`: ' +
      'neither its registration nor an answer of its site was observed.',
  }),
  domain: text,
  observed_at: moment,
  regulatory_context: nullable(regulatoryContext),
  registration: nullable(registration),
  dns: nullable(dns),
  web_presence: nullable(webPresence),
  launch: nullable(closedObject({ status: launch, observed_at: moment })),
  legal_claims: Type.Array(legalClaim),
  public_contacts: closedObject({
    items: Type.Array(closedObject({ type: oneOf(['email']), value: text, source: oneOf(['website']) })),
  }),
  related_domains: Type.Array(
    closedObject({ domain: text, relationship: text, ownership_claimed: Type.Boolean() }),
  ),
  quality: closedObject({ source_count: Type.Integer(), warnings: texts }),
  coverage: Type.Array(
    closedObject({
      component: oneOf(components),
      status: oneOf(['included', 'available', 'not_available', 'not_requested']),
    }),
  ),
})

export type LaunchProfile = Static<typeof launchProfile>
