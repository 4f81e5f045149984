import { withoutContacts } from '../../core/without-people.ts'
import type { EvidenceRow, EvidenceSection } from './launch-evidence-store.ts'
import { components, type LaunchProfile, type unavailableReasons } from './launch-profile.ts'
import type { ExplainedMatch } from './match-claims.ts'
import type { ProfileSources } from './read-profile-sources.ts'

/**
 * A profile is available with exactly one operator context and an observed registration, address or site
 * (§4.12 rule 3, contract section 15). What §2.10 withholds is left out.
 */
export function buildLaunchProfile(domain: string, sources: ProfileSources): LaunchProfile {
  const { contexts, evidence, relatedDomains } = sources
  const [context] = contexts
  if (context === undefined) return unavailable(domain, 'no_operator_context')
  if (contexts.length > 1) return unavailable(domain, 'several_operator_contexts')
  if (!isObserved(evidence)) return unavailable(domain, 'no_site_evidence')
  const { company_ref, legal_name, ...license } = context
  const profile = {
    availability: 'available' as const,
    reason: null,
    domain,
    observed_at: latestOf(evidence),
    regulatory_context: {
      ...license,
      licensee: { company_ref, legal_name },
      authorized_domain: true,
    },
    registration: latestValue(evidence, 'registration') as LaunchProfile['registration'],
    dns: latestValue(evidence, 'dns') as LaunchProfile['dns'],
    web_presence: latestValue(evidence, 'web_presence') as LaunchProfile['web_presence'],
    launch: launchOf(evidence),
    legal_claims: claimsOf(sources),
    public_contacts: {
      items: rowsOf(evidence, 'public_contacts').map(({ value }) => ({
        type: 'email' as const,
        value: String(value.value),
        source: 'website' as const,
      })),
    },
    // Technical relations never prove ownership (§2.10).
    related_domains: relatedDomains.map(related => ({ ...related, ownership_claimed: false })),
  }
  return {
    ...profile,
    quality: {
      source_count: sourcesOf(evidence),
      warnings: [...warningsOf(profile), ...failureOf(evidence)],
    },
    coverage: components.map(component => ({
      component,
      status: isPresent(profile[component]) ? ('included' as const) : ('not_available' as const),
    })),
  }
}

function unavailable(domain: string, reason: (typeof unavailableReasons)[number]): LaunchProfile {
  return {
    availability: 'not_available',
    reason,
    domain,
    observed_at: null,
    regulatory_context: null,
    registration: null,
    dns: null,
    web_presence: null,
    launch: null,
    legal_claims: [],
    public_contacts: { items: [] },
    related_domains: [],
    quality: { source_count: 0, warnings: [] },
    coverage: components.map(component => ({ component, status: 'not_available' })),
  }
}

/** A name that does not exist is no evidence of a site. */
function isObserved(evidence: readonly EvidenceRow[]): boolean {
  const dns = latestValue(evidence, 'dns') as LaunchProfile['dns']
  const web = latestValue(evidence, 'web_presence') as LaunchProfile['web_presence']
  const hasAddress = dns !== null && dns.records.a.length + dns.records.aaaa.length > 0
  return rowsOf(evidence, 'registration').length > 0 || hasAddress || (web?.http_status ?? null) !== null
}

const rowsOf = (evidence: readonly EvidenceRow[], section: EvidenceSection) =>
  evidence.filter(row => row.section === section)

/** Of a section with one value: the latest. */
function latestRow(evidence: readonly EvidenceRow[], section: EvidenceSection): EvidenceRow | undefined {
  return rowsOf(evidence, section).sort((one, other) => other.seen_at.getTime() - one.seen_at.getTime())[0]
}

const latestValue = (evidence: readonly EvidenceRow[], section: EvidenceSection): unknown =>
  latestRow(evidence, section)?.value ?? null

/** Reasons and confidence of the launch status are for staff alone. */
function launchOf(evidence: readonly EvidenceRow[]): LaunchProfile['launch'] {
  const row = latestRow(evidence, 'launch')
  if (row === undefined) return null
  const status = row.value.status as NonNullable<LaunchProfile['launch']>['status']
  return { status, observed_at: row.seen_at.toISOString() }
}

function claimsOf({ evidence, matches }: ProfileSources): LaunchProfile['legal_claims'] {
  return rowsOf(evidence, 'legal_claims').map(({ value }, index) => {
    const { market: _market, evidence_text, ...claim } = value
    // Imported findings, and readings of earlier rules, may have more.
    const quoted = withoutContacts(String(evidence_text))
    const { why: _why, ...match } = matches[index] as ExplainedMatch
    return { ...claim, match, evidence_text: quoted } as LaunchProfile['legal_claims'][number]
  })
}

function latestOf(evidence: readonly EvidenceRow[]): string | null {
  const latest = Math.max(...evidence.map(row => row.seen_at.getTime()))
  return Number.isFinite(latest) ? new Date(latest).toISOString() : null
}

/** The registry's server, DNS and the site itself. */
function sourcesOf(evidence: readonly EvidenceRow[]): number {
  const sources = evidence.map(({ section }) =>
    section === 'registration' || section === 'dns' ? section : 'site',
  )
  return new Set(sources).size
}

type Shown = Pick<LaunchProfile, 'registration' | 'web_presence' | 'legal_claims'>

function warningsOf({ registration, web_presence: web, legal_claims: claims }: Shown): string[] {
  return [
    ...(registration === null ? ['no_registration_data'] : []),
    ...(registration?.registrant.disclosure_status === 'redacted' ? ['registrant_redacted'] : []),
    ...(web?.status === 'blocked' ? ['site_refused_the_check'] : []),
    ...(web === null || web.status === 'unknown' ? ['site_state_unknown'] : []),
    ...(claims.some(({ match }) => match.status === 'conflict') ? ['legal_claim_conflict'] : []),
  ]
}

/** The state of the site is shown as an earlier check saw it. */
function failureOf(evidence: readonly EvidenceRow[]): string[] {
  const shown = latestRow(evidence, 'web_presence')
  if (shown === undefined || shown.failed_at === null) return []
  return [
    'latest_check_failed',
    ...(shown.was_refused ? ['site_refused_the_check'] : []),
    `site_seen_at:${shown.seen_at.toISOString()}`,
  ]
}

function isPresent(value: unknown): boolean {
  if (value === null) return false
  if (Array.isArray(value)) return value.length > 0
  const items = (value as { items?: unknown[] }).items
  return items === undefined || items.length > 0
}
