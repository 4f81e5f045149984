import { withoutContacts } from '@baize/names'
import type { EvidenceRow } from './launch-evidence-store.ts'
import type { ExplainedMatch } from './match-claims.ts'
import type { ProfileSources } from './read-profile-sources.ts'
import { components, type EvidenceSection, type LaunchProfile, type unavailableReasons } from './schema.ts'

/**
 * Builds a launch profile. It is available with exactly one operator context and an observed registration or
 * site (§4.12 rule 3, contract section 15). Members that §2.10 withholds are left out.
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
    regulatory_context: { ...license, licensee: { company_ref, legal_name }, authorized_domain: true },
    registration: latestRow(evidence, 'registration')?.value ?? null,
    dns: latestRow(evidence, 'dns')?.value ?? null,
    web_presence: latestRow(evidence, 'web_presence')?.value ?? null,
    launch: launchOf(evidence),
    legal_claims: claimsOf(sources),
    public_contacts: {
      items: rowsOf(evidence, 'public_contacts').map(({ value: { value } }) => ({
        type: 'email' as const,
        value,
        source: 'website' as const,
      })),
    },
    // A technical relation never proves ownership (§2.10).
    related_domains: relatedDomains.map(related => ({ ...related, ownership_claimed: false })),
  }
  return {
    ...profile,
    quality: {
      source_count: sourcesOf(evidence),
      warnings: [...warningsOf(profile), ...renderingOf(evidence), ...failureOf(evidence)],
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

/** Returns whether a site or its registration was seen. DNS records alone are no evidence of a site. */
function isObserved(evidence: readonly EvidenceRow[]): boolean {
  const web = latestRow(evidence, 'web_presence')?.value
  return rowsOf(evidence, 'registration').length > 0 || (web?.http_status ?? null) !== null
}

type RowOf<Section extends EvidenceSection> = Extract<EvidenceRow, { section: Section }>

const rowsOf = <Section extends EvidenceSection>(evidence: readonly EvidenceRow[], section: Section) =>
  evidence.filter((row): row is RowOf<Section> => row.section === section)

/** Returns the latest finding of a section that has one value. */
const latestRow = <Section extends EvidenceSection>(evidence: readonly EvidenceRow[], section: Section) =>
  rowsOf(evidence, section).sort((one, other) => other.seen_at.getTime() - one.seen_at.getTime())[0]

/** Returns the launch status without its reasons and confidence, which only staff see. */
function launchOf(evidence: readonly EvidenceRow[]): LaunchProfile['launch'] {
  const row = latestRow(evidence, 'launch')
  return row === undefined ? null : { status: row.value.status, observed_at: row.seen_at.toISOString() }
}

function claimsOf({ evidence, matches }: ProfileSources): LaunchProfile['legal_claims'] {
  return rowsOf(evidence, 'legal_claims').map(({ value }, index) => {
    const { market: _market, evidence_text, ...claim } = value
    const { why: _why, ...match } = matches[index] as ExplainedMatch
    // Contacts are removed here too: imported findings, and older readings, may contain some.
    return { ...claim, match, evidence_text: withoutContacts(evidence_text) }
  })
}

function latestOf(evidence: readonly EvidenceRow[]): string | null {
  const latest = Math.max(...evidence.map(row => row.seen_at.getTime()))
  return Number.isFinite(latest) ? new Date(latest).toISOString() : null
}

/** Counts the sources: the registry's server, DNS and the site itself. */
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

/** Returns a warning if no browser saw the site, so that its launch is read from what the site sends. */
function renderingOf(evidence: readonly EvidenceRow[]): string[] {
  const isRendered = latestRow(evidence, 'launch')?.value.reasons?.includes('not_rendered') !== true
  return isRendered ? [] : ['page_not_rendered']
}

/** Returns warnings if the latest check failed, so that the site's state is from an earlier one. */
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
