import { marketName } from './links.ts'

const upperCase = new Set(['id', 'url', 'rdap', 'dns', 'ukgc', 'mga', 'mcp', 'ip'])

/** Labels for members of answers whose name is unclear. */
const names: Readonly<Record<string, string>> = {
  a: 'IPv4 addresses',
  aaaa: 'IPv6 addresses',
  app_id: 'App',
  bytes: 'Size',
  connector_session_id: 'MCP session',
  data_completeness: 'Completeness of the profile',
  duration_ms: 'Time taken',
  expected_rows: 'Rows that match',
  credits_used: 'Credits charged',
  country_code: 'Country',
  final_url: 'Page reached',
  geo: 'Languages and places',
  geo_hints: 'Places addressed',
  http_status: 'HTTP status',
  inferred_geo: 'Place addressed',
  last_confirmed_at: 'Last confirmed',
  last_observed_at: 'Last observed',
  last_seen_at: 'Last seen',
  last_updated_at: 'Last updated',
  first_seen_at: 'First seen',
  issued_at: 'Issued',
  expires_at: 'Expires',
  completed_at: 'Completed',
  linkedin_url: 'LinkedIn',
  legal_entity: 'Legal name',
  legal_entity_name: 'Legal name',
  listed: 'In the register now',
  mx: 'Mail servers',
  normalized_name: 'Method',
  normalized_provider_name: 'Supplier',
  ns: 'Name servers',
  company_ref: 'Company',
  license_ref: 'License',
  matched_company_ref: 'Company',
  dns: 'DNS',
  observed_at: 'Observed',
  program_url: 'Page of the program',
  quoted_credits: 'Credits at most',
  registered_at: 'Registered',
  related_domain_normalized: 'Related site',
  requested_at: 'Requested',
  requested_url: 'Page asked for',
  settlement_status: 'Settlement',
  source_url: 'Source',
  superseded_at: 'Superseded',
  total_rows: 'Rows in the file',
  updated_at: 'Updated',
}

/** Converts `license_number` to `License number`. */
export function memberName(member: string): string {
  const known = Object.hasOwn(names, member) ? names[member] : undefined
  if (known !== undefined) return known
  const words = member.split('_').map(word => (upperCase.has(word) ? word.toUpperCase() : word))
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Words for members whose null means more than that the source states nothing. */
const nullWords: Readonly<Record<string, string>> = {
  to: 'still running',
  superseded_at: 'no',
  verdict: 'not bought',
  last_confirmed_at: 'never',
  last_seen_at: 'never',
  last_observed_at: 'never',
}

export const hasWordForNull = (member: string): boolean => Object.hasOwn(nullWords, member)

/** Returns the word for null in this member. */
export const wordForNull = (member: string): string =>
  (hasWordForNull(member) ? nullWords[member] : undefined) ?? 'not stated'

const ofMarkets = new Set(['geo', 'jurisdiction', 'market'])
const ofCountries = new Set(['country', 'country_code', 'geo_hints', 'inferred_geo'])
/** Slugs of the names of methods, such as `marmot-wallet`. */
const ofNames = new Set(['normalized_name', 'payment_methods'])
const countryNames = new Intl.DisplayNames('en', { type: 'region' })
/** The values of these members are words of the API, such as `open_banking`. */
const ofWords = new Set(
  [
    'availability category claim_type component disclosure_status evidence_routes',
    'page_type payment_categories reason relationship role settlement_status',
    'source status store subject_kind truncated_by',
  ].flatMap(each => each.split(' ')),
)

/** Returns the label of a member's value. */
export function labelOf(member: string, value: string): string {
  if (ofMarkets.has(member)) return marketName(value)
  if (ofCountries.has(member) && /^[A-Z]{2}$/.test(value)) return countryNames.of(value) ?? value
  if (ofNames.has(member))
    return value.replaceAll('-', ' ').replace(/\b\p{Ll}/gu, first => first.toUpperCase())
  if (value === 'local_apm') return 'local method'
  return ofWords.has(member) && /^[a-z_]+$/.test(value) ? value.replaceAll('_', ' ') : value
}
