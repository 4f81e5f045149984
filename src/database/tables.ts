import type { Generated } from 'kysely'

// Written by `npm run generate` from the schema.

type AccountBalances = {
  account_id: number
  granted: number | null
  used: Generated<number>
  reserved: Generated<number>
}

type Accounts = {
  id: Generated<number>
  account_ref: string
  import_key: string | null
  name: string
  plan: string
  created_at: Generated<Date>
}

type ApiKeys = {
  id: Generated<number>
  key_ref: string
  account_id: number
  key_sha256: Buffer
  last_four: string
  name: string | null
  creation_nonce: string | null
  created_at: Generated<Date>
  expires_at: Date | null
  revoked_at: Date | null
  replaced_at: Date | null
  last_used_at: Date | null
}

type AuditEvents = {
  id: Generated<number>
  happened_at: Date
  user_id: number | null
  email: string | null
  account_id: number | null
  action: string
  subject: string | null
  details: Generated<unknown>
}

type Authorisations = {
  id: Generated<number>
  stream: string
  record_key: string
  domain_id: number
  market: string
  license_id: number | null
  company_id: number | null
  licensee_key: string | null
  published: string
  status: string | null
  counts: boolean
  first_seen_at: Date
  last_seen_at: Date | null
  known_from: Date
  known_to: Date | null
  from_event: Generated<number>
  to_event: number | null
}

type BlocklistEntries = {
  id: Generated<number>
  stream: string
  record_key: string
  regulator: string
  scope: string
  scope_rules: number
  published: string
  listed_as: string | null
  domain_id: number | null
  listed: boolean
  first_seen_at: Date
  last_seen_at: Date | null
  listed_at: Date | null
  delisted_at: Date | null
  missing_at: Date | null
  withdrawn: Generated<boolean>
  known_from: Date
  known_to: Date | null
  from_event: Generated<number>
  to_event: number | null
}

type BoughtAnswers = {
  account_id: number
  operation: string
  subject: string
  settlement_id: string
  idempotency_key: string
  bought_at: Date
}

type BrandDomains = {
  id: Generated<number>
  brand_domain_ref: string
  market: string
  brand: string
  domain: string
  source_url: string
  source_day: string
  why: string
  entered_by: string | null
  entered_at: Date
  approved_by: string | null
  approved_at: Date | null
  known_from: Date | null
  known_to: Date | null
  shipped_key: string | null
}

type Companies = {
  id: Generated<number>
  company_ref: string
  company_name: string | null
  legal_entity: string | null
  subject_kind: string
  role: Generated<string[]>
  country: string | null
  brands: Generated<string[]>
  aliases: Generated<string[]>
  apps: Generated<unknown>
  affiliate_program: Generated<boolean>
  geo_hints: Generated<string[]>
  evidence_routes: Generated<string[]>
  merged_into: number | null
  first_seen_at: Generated<Date>
  last_updated_at: Generated<Date>
  groups: Generated<unknown>
}

type CompanyCandidates = {
  company_id: number
  other_company_id: number
  score: number
  speaks_for: string[]
  speaks_against: string[]
  found_at: Date
}

type CompanyDecisions = {
  id: Generated<number>
  kind: string
  company_id: number
  other_company_id: number
  identities: unknown
  reason: string
  decided_at: Date
}

type CompanyDistinctions = {
  company_id: number
  other_company_id: number
  reason: string
  decided_at: Date
}

type CompanyGroups = {
  id: Generated<number>
  company_id: number
  name: string
  name_key: string
  source_url: string
  why: string
  stated_by: string | null
  stated_at: Date
  ended_at: Date | null
  end_reason: string | null
}

type CompanyIdentities = {
  stream: string
  identity_key: string
  company_id: number
  known_from: Generated<Date>
  seniority: Generated<number>
  first_seen_at: Generated<Date>
  company_name: string | null
  legal_entity: string | null
  subject_kind: Generated<string>
  role: Generated<string[]>
  country: string | null
  brands: Generated<string[]>
  aliases: Generated<string[]>
  apps: Generated<unknown>
  affiliate_program: Generated<boolean>
  geo_hints: Generated<string[]>
  evidence_routes: Generated<string[]>
  name_key: string | null
  registration: string | null
  operator_since: Date | null
  lei: string | null
}

type CompanyLinks = {
  id: Generated<number>
  stream: string
  identity_key: string
  evidence: string
  value: string
  with_stream: string
  with_key: string
  linked_at: Date
  lost_at: Date | null
}

type CompanySearch = {
  id: number
  ref: string
  missing: number
  sort_name: string
  document: string
  terms: number[]
  facets: number[]
  hit: unknown
  names: string
  sites: string
  facets_change: Generated<number>
}

type Contacts = {
  id: Generated<number>
  contact_ref: string
  company_id: number
  company_key: string | null
  name: string
  name_key: string
  title: string | null
  headline: string | null
  email: string | null
  linkedin_url: string | null
  profile_key: string | null
  country: string | null
  source: string
  source_url: string | null
  collected_at: Date
  last_verified_at: Date | null
  fetched_at: Date | null
}

type CoverageDays = {
  day: string
  market: string
  state: string
  rows: number
}

type DatasetEvents = {
  number: number
  kind: string
  at: Date
  snapshot_id: number | null
  detail: Generated<unknown>
  committed_at: Date | null
}

type DatasetVersion = {
  version: number
}

type DescribedRegisters = {
  stream: string
  description: string
  described_at: Generated<Date>
}

type DomainCompanies = {
  id: Generated<number>
  domain_id: number
  company_id: number
  company_key: string | null
  relation: string
  brand: string | null
  stream: string
  known_from: Date
  known_to: Date | null
  from_event: Generated<number>
  to_event: number | null
}

type DomainCounts = {
  verdict: string
  geo: string
  domains: number
}

type DomainListings = {
  verdict: string
  geo: string
  first_seen_at: Date
  domain: string
  domain_id: number
  members: string
  platform_id: number | null
  listed_since: Date | null
}

type Domains = {
  id: Generated<number>
  domain_ref: string
  domain: string
  inferred_geo: string | null
  verdict: Generated<string>
  licensed_by: Generated<unknown>
  blocked_by: Generated<unknown>
  mentioned: Generated<boolean>
  licensee_company_id: number | null
  first_seen_at: Date | null
  platform_id: number | null
  payment_categories: Generated<string[]>
  last_observed_at: Date | null
  last_read_at: Date | null
  last_checked_at: Date | null
}

type Enrichments = {
  enrichment_ref: string
  account_id: number
  check_id: number
  is_paid: boolean
  requested_at: Date
}

type Exports = {
  id: Generated<number>
  account_id: number
  key_id: number | null
  state: string
  format: string
  filters: unknown
  fields: string[]
  max_rows: number | null
  quoted_rows: number
  quoted_credits: number
  request_id: string | null
  client: unknown | null
  requested_at: Date
  waiting_since: Date | null
  attempt_id: string | null
  attempts: Generated<number>
  started_at: Date | null
  completed_at: Date | null
  expires_at: Date | null
  file_name: string | null
  bytes: number | null
  sha256: Buffer | null
  total_rows: number | null
  expected_rows: number | null
  truncated_by: string | null
  credits_used: number | null
  settlement_id: string | null
  failure: string | null
}

type Firmographics = {
  domain_id: number
  fetched_at: Date
  data: unknown
  stream: string
}

type FormerAuthorisations = {
  id: number
  stream: string
  record_key: string
  domain_id: number
  market: string
  license_id: number | null
  company_id: number | null
  licensee_key: string | null
  published: string
  status: string | null
  counts: boolean
  first_seen_at: Date
  last_seen_at: Date | null
  known_from: Date
  known_to: Date | null
  from_event: number
  to_event: number | null
  until_event: number
}

type FormerBlocklistEntries = {
  id: number
  stream: string
  record_key: string
  regulator: string
  scope: string
  scope_rules: number
  published: string
  listed_as: string | null
  domain_id: number | null
  listed: boolean
  first_seen_at: Date
  last_seen_at: Date | null
  listed_at: Date | null
  delisted_at: Date | null
  missing_at: Date | null
  withdrawn: boolean
  known_from: Date
  known_to: Date | null
  from_event: number
  to_event: number | null
  until_event: number
}

type FormerDomainCompanies = {
  id: number
  domain_id: number
  company_id: number
  company_key: string | null
  relation: string
  brand: string | null
  stream: string
  known_from: Date
  known_to: Date | null
  from_event: number
  to_event: number | null
  until_event: number
}

type FormerLicenseStates = {
  id: number
  license_id: number
  license_number: string | null
  status: string | null
  license_type: string | null
  role: string | null
  licensee_key: string | null
  issued_at: string | null
  expires_at: string | null
  source_url: string | null
  last_seen_at: Date | null
  known_from: Date
  known_to: Date | null
  from_event: number
  to_event: number | null
  until_event: number
}

type FormerLicenseeStates = {
  id: number
  stream: string
  record_key: string
  legal_name: string
  trading_names: string[]
  country: string | null
  registration_number: string | null
  first_seen_at: Date
  last_seen_at: Date | null
  known_from: Date
  known_to: Date | null
  from_event: number
  to_event: number | null
  until_event: number
}

type IdempotencyRecords = {
  account_id: number
  idempotency_key: string
  fingerprint: Buffer
  settlement_id: string
  status: number
  body: string
  credits: number
  created_at: Date
}

type ImportedObservations = {
  domain_id: number
  section: string
  value_key: string
  value: unknown
  first_seen_at: Date
  last_seen_at: Date
  last_confirmed_at: Date | null
}

type KeptChunks = {
  file_id: number
  position: number
  packed: Buffer
}

type KeptFiles = {
  id: Generated<number>
  sha256: Buffer
  bytes: number
  kept_at: Generated<Date>
}

type LedgerDays = {
  account_id: number
  day: string
  granted: number
  used: number
}

type LedgerEntries = {
  entry_id: Generated<number>
  account_id: number
  settlement_id: string
  kind: string
  price_key: string | null
  units: number | null
  credits: number
  request_id: string | null
  note: string | null
  recorded_at: Date
}

type LicenseSearch = {
  id: number
  ref: string
  missing: number
  sort_name: string
  document: string
  terms: number[]
  facets: number[]
  hit: unknown
  names: string
  sites: string
  facets_change: Generated<number>
}

type LicenseStates = {
  id: Generated<number>
  license_id: number
  license_number: string | null
  status: string | null
  license_type: string | null
  role: string | null
  licensee_key: string | null
  issued_at: string | null
  expires_at: string | null
  source_url: string | null
  last_seen_at: Date | null
  known_from: Date
  known_to: Date | null
  from_event: Generated<number>
  to_event: number | null
}

type LicenseeStates = {
  id: Generated<number>
  stream: string
  record_key: string
  legal_name: string
  trading_names: string[]
  country: string | null
  registration_number: string | null
  first_seen_at: Date
  last_seen_at: Date | null
  known_from: Date
  known_to: Date | null
  from_event: Generated<number>
  to_event: number | null
}

type Licenses = {
  id: Generated<number>
  license_ref: string
  stream: string
  record_key: string
  jurisdiction: string
  company_id: number | null
  company_key: string | null
  first_seen_at: Date
}

type LobbyRuns = {
  id: Generated<number>
  run_ref: string
  account_id: number
  visit_id: number
  suppliers: string[]
  reservation_id: string | null
  credits_charged: Generated<number>
  requested_at: Date
  request_id: string | null
  client: unknown | null
  key_id: number | null
  idempotency_key: string | null
}

type LobbyVisits = {
  id: Generated<number>
  domain: string
  url: string | null
  device: string
  state: string
  reason: string | null
  requested_at: Date
  started_at: Date | null
  finished_at: Date | null
  attempts: Generated<number>
  final_url: string | null
  sections: unknown | null
  games: unknown | null
  country: string | null
}

type LogoNames = {
  id: Generated<number>
  kind: string
  company_id: number | null
  name: string
  subject_id: number | null
}

type LogoStaleCompanies = {
  company_id: number
}

type LogoSubjects = {
  id: Generated<number>
  kind: string
  slug: string
  name: string
  name_folded: string
  name_joined: string
  stated_name: string | null
  domain_id: number | null
  role: Generated<string[]>
}

type Logos = {
  id: Generated<number>
  subject_id: number
  variant: string
  theme: string
  format: string
  width: number | null
  height: number | null
  file_name: string
  source: string
  status: string
  first_seen_at: Date
  superseded_at: Date | null
  reason: string | null
}

type McpSessions = {
  account_id: number
  session_id: string
  spent: number
  last_charged_at: Date
}

type Memberships = {
  user_id: number
  account_id: number
  role: string
  created_at: Date
}

type NameDecisions = {
  digest: Buffer
  is_person: boolean
  name: string | null
  why: string
  decided_by: string | null
  decided_at: Date
}

type Observations = {
  domain_id: number
  section: string
  value_key: string
  value: unknown
  first_seen_at: Date
  last_seen_at: Date
  last_confirmed_at: Date | null
}

type OutboundTurns = {
  host: string
  next_at: Date
}

type PasskeyChallenges = {
  challenge: string
  user_id: number | null
  expires_at: Date
}

type Passkeys = {
  credential_id: Buffer
  user_id: number
  public_key: Buffer
  counter: number
  transports: string[]
  name: string
  created_at: Date
  last_used_at: Date | null
}

type PastListings = {
  domain: string
  list_id: number
  published: string
}

type PastLists = {
  id: Generated<number>
  stream: string
  market: string
  listed_on: string
  file_name: string
  sha256: Buffer
  sites: number
  rejected: number
  loaded_at: Date
  withdrawn_at: Date | null
}

type PlanChanges = {
  id: Generated<number>
  account_id: number
  plan_before: string
  plan_after: string
  reason: string
  changed_at: Date
}

type PlatformReadings = {
  domain_id: number
  seen_at: Date
  platform_id: number
  stream: string
}

type Platforms = {
  id: Generated<number>
  platform_key: string
  name: string
  aliases: Generated<string[]>
  reviewed_at: Date | null
}

type PortfolioFiles = {
  portfolio_id: number
  content: Buffer
  site_column: number
  uploaded_at: Date
}

type PortfolioMembers = {
  portfolio_id: number
  id: Generated<number>
  domain: string
  added_after: number
  verdict: string | null
  licensed_in: string[] | null
  blocked_in: string[] | null
  known_at: Date | null
}

type PortfolioNotices = {
  portfolio_id: number
  channel: string
  target: string
  secret: Buffer | null
  changes: Generated<number>
  message: unknown | null
  attempts: Generated<number>
  next_at: Date
  failing_since: Date | null
  last_at: Date | null
  last_outcome: string | null
  disabled_at: Date | null
}

type PortfolioScreenings = {
  portfolio_id: number
  known_at: Date
  position: Generated<number>
  credits: Generated<number>
  credits_max: number
  stopped_at: Date | null
  version: Generated<number>
}

type PortfolioSweep = {
  is_only: Generated<boolean>
  last_number: number
}

type Portfolios = {
  id: Generated<number>
  account_id: number
  name: string
  note: string | null
  size: Generated<number>
  created_at: Date
  changed_at: Date
  created_after: Generated<number>
  seen_cursor: string | null
  seen_number: number | null
}

type ProspectListRequests = {
  prospect_list_id: number
  name: string
  email: string
  company: string
  request: string
  received_at: Date
}

type ProspectLists = {
  id: Generated<number>
  prospect_list_ref: string
  import_key: string | null
  account_id: number | null
  cadence: string
  status: string
  requested_at: Date
  ready_at: Date | null
  result: unknown | null
  target_account_count: Generated<number | null>
}

type ReceiptKeys = {
  kid: string
  public_key: Buffer
  private_key: Buffer | null
  created_at: Date
  retired_at: Date | null
  revoked_at: Date | null
  revoked_because: string | null
}

type Regimes = {
  id: Generated<number>
  regime_ref: string
  market: string
  vertical: string
  state: string
  from_day: string
  to_day: string | null
  source_url: string
  note: string | null
  why: string
  entered_by: string | null
  entered_at: Date
  ends_id: number | null
  approved_by: string | null
  approved_at: Date | null
  known_from: Date | null
  known_to: Date | null
  shipped_key: string | null
}

type RegisterFacts = {
  stream: string
  market: string
  kind: string
  official_url: string
  resolve: string | null
  format: string
  language: string
  layout: string
  layout_recorded_at: string | null
  publishes: string[]
  cadence_words: string
  cadence_hours: number
  terms: string | null
  sources: unknown
}

type RegisterProbes = {
  stream: string
  probed_at: Date
  is_well: boolean
  reasons: string[]
  changes: string[]
  found_url: string | null
  media_type: string | null
  rows: number | null
  newest_date: string | null
  is_nightly: Generated<boolean>
}

type RegisterRuns = {
  id: Generated<number>
  stream: string
  started_at: Date
  finished_at: Date
  status: string
  snapshot_id: number | null
  reasons: Generated<string[]>
}

type RegisterSnapshots = {
  id: Generated<number>
  snapshot_ref: string
  stream: string
  number: number | null
  status: Generated<string>
  taken_at: Date
  received_at: Generated<Date>
  applied_at: Date | null
  is_correction: Generated<boolean>
  is_backfill: Generated<boolean>
  content_sha256: Buffer
  files: unknown
  form: string
  parser_version: number
  rows_sha256: Buffer
  rows: number
  rejected: number
  rejected_by_reason: unknown
  rejects: unknown
  undecided: number
  figures: unknown
  added: number
  removed: number
  changed: number
  signals: Generated<number>
  hold_reasons: Generated<string[]>
  difference: unknown | null
  difference_sha256: Buffer | null
  approved_at: Date | null
  approved_because: string | null
  discarded_at: Date | null
  discarded_because: string | null
}

type RegisterStreams = {
  stream: string
  market: string
  covers: string[]
  parser_version: number | null
  snapshot_number: Generated<number>
  last_taken_at: Date | null
  last_confirmed_at: Date | null
  last_run_at: Date | null
  quarantined_snapshot_id: number | null
  makes_market_entries: Generated<boolean>
  regulator: string | null
  regulator_country_code: string | null
  official_url: string | null
  source_claim: string | null
  qualification: string | null
  source_identity: string | null
  cadence_hours: number | null
  watch_url: string | null
  watch_is_official: Generated<boolean>
  watch_found_url: string | null
  watch_every_minutes: number | null
  watch_snapshot_id: number | null
  watch_etag: string | null
  watch_last_modified: string | null
  watched_at: Date | null
  watch_failures: Generated<number>
}

type Renderers = {
  worker: string
  state: string
  reason: string | null
  message: string | null
  renders: number
  failed: number
  killed: number
  processes: number
  last_failure: string | null
  seen_at: Date
}

type Reservations = {
  reservation_id: string
  account_id: number
  credits: number
  purpose: string
  leased_until: Date
  created_at: Generated<Date>
}

type SavedPages = {
  id: Generated<number>
  account_id: number
  name: string
  address: string
  saved_at: Date
}

type SearchStale = {
  subject: string
  id: number
}

type SearchTerms = {
  id: Generated<number>
  subject: string
  field: string
  value: string
  rows: Generated<number>
}

type SearchWords = {
  subject: string
  word: string
}

type Sessions = {
  session_sha256: Buffer
  user_id: number
  account_id: number | null
  browser: string | null
  created_at: Date
  proved_at: Date
  last_used_at: Date
  draft: Buffer | null
  draft_expires_at: Date | null
}

type Settlements = {
  settlement_id: string
  account_id: number
  kind: string
  credits: number
  settled_at: Date
}

type SettlingProbes = {
  only_row: Generated<boolean>
  probed_at: Date
}

type SignInLinks = {
  link_sha256: Buffer
  user_id: number
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

type SignalCounts = {
  feed: string
  market: string
  stream: string
  event_type: string
  platform_id: number
  day: string
  signals: number
  first_number: number
  last_number: number
}

type SignalMonths = {
  feed: string
  market: string
  stream: string
  event_type: string
  platform_id: number
  month: string
  signals: number
  first_number: number
  last_number: number
}

type SignalSequence = {
  last_number: number
}

type SignalTotals = {
  feed: string
  market: string
  stream: string
  event_type: string
  platform_id: number
  signals: number
  first_number: number
  last_number: number
}

type Signals = {
  number: number
  signal_ref: string
  type: string
  stream: string | null
  market: string | null
  event_type: string
  record_kind: string | null
  record_key: string | null
  is_market_entry: Generated<boolean>
  platform_id: number | null
  domain_id: number | null
  company_id: number | null
  license_id: number | null
  published_legal_name: string | null
  former_legal_name: string | null
  headline: string
  content: unknown
  occurred_at: Date
  detected_at: Date
  last_corrected_at: Date | null
  snapshot_id: number | null
  correction_of: string | null
  is_backfill: Generated<boolean>
}

type SigningSecrets = {
  purpose: string
  secret: Buffer
  created_at: Generated<Date>
}

type SiteCaptures = {
  id: Generated<number>
  check_id: number
  position: number
  kind: string
  purpose: string
  url: string
  final_url: string | null
  status: number | null
  headers: unknown
  facts: unknown
  body_hash: Buffer | null
  truncated: boolean
  seen_at: Date
}

type SiteChecks = {
  id: Generated<number>
  domain_id: number
  state: string
  reason: string | null
  asked_by: string
  account_id: number | null
  key_id: number | null
  reservation_id: string | null
  idempotency_key: string | null
  request_id: string | null
  client: unknown | null
  requested_at: Date
  started_at: Date | null
  finished_at: Date | null
  attempts: Generated<number>
  was_licensed: boolean | null
  reading_id: number | null
  credits_charged: number | null
}

type SiteFindings = {
  reading_id: number
  section: string
  value_key: string
  domain_id: number
  value: unknown
  rule: string
  strength: number
  capture_id: number | null
  seen_at: Date
  snippet: string | null
}

type SiteReadings = {
  id: Generated<number>
  check_id: number
  rules_version: string
  read_at: Date
}

type SnapshotDecisions = {
  id: Generated<number>
  snapshot_ref: string
  decision: string
  reason: string
  email: string
  requested_at: Date
  finished_at: Date | null
  failure: string | null
}

type SummedDays = {
  day: string
}

type SummedLedgerDays = {
  day: string
}

type SuppressionDecisions = {
  id: Generated<number>
  reason: string
  decided_at: Date
  contacts: number
  stored_answers: number
  listed_contacts: number
}

type Suppressions = {
  id: Generated<number>
  decision_id: number
  handle: string
  company_id: number | null
  digest: Buffer
}

type UsageDays = {
  account_id: number
  day: string
  endpoint: string
  key_id: number
  requests: number
  credits: number
}

type UsageRecords = {
  usage_id: Generated<number>
  account_id: number
  key_id: number | null
  requested_at: Date
  endpoint: string
  status: number
  credits: number
  duration_ms: number
  request_params: unknown
  settlement_status: string
  source: string
  request_id: string | null
  client_version: string | null
  mcp_tool_name: string | null
  connector_session_id: string | null
  mcp_client_name: string | null
  mcp_client_version: string | null
}

type Users = {
  id: Generated<number>
  user_ref: string
  email: string
  name: string | null
  is_staff: Generated<boolean>
  created_at: Date
}

type VerdictChanges = {
  number: number
  change_ref: string
  domain_id: number
  verdict_before: string
  licensed_by_before: unknown
  blocked_by_before: unknown
  verdict_after: string
  licensed_by_after: unknown
  blocked_by_after: unknown
  markets: string[]
  cause: string
  is_correction: Generated<boolean>
  correction_of: string | null
  is_free: Generated<boolean>
  signal_refs: Generated<string[]>
  occurred_at: Date
  detected_at: Date
  event: Generated<number>
}

export type Tables = {
  account_balances: AccountBalances
  accounts: Accounts
  api_keys: ApiKeys
  audit_events: AuditEvents
  authorisations: Authorisations
  blocklist_entries: BlocklistEntries
  bought_answers: BoughtAnswers
  brand_domains: BrandDomains
  companies: Companies
  company_candidates: CompanyCandidates
  company_decisions: CompanyDecisions
  company_distinctions: CompanyDistinctions
  company_groups: CompanyGroups
  company_identities: CompanyIdentities
  company_links: CompanyLinks
  company_search: CompanySearch
  contacts: Contacts
  coverage_days: CoverageDays
  dataset_events: DatasetEvents
  dataset_version: DatasetVersion
  described_registers: DescribedRegisters
  domain_companies: DomainCompanies
  domain_counts: DomainCounts
  domain_listings: DomainListings
  domains: Domains
  enrichments: Enrichments
  exports: Exports
  firmographics: Firmographics
  former_authorisations: FormerAuthorisations
  former_blocklist_entries: FormerBlocklistEntries
  former_domain_companies: FormerDomainCompanies
  former_license_states: FormerLicenseStates
  former_licensee_states: FormerLicenseeStates
  idempotency_records: IdempotencyRecords
  imported_observations: ImportedObservations
  kept_chunks: KeptChunks
  kept_files: KeptFiles
  ledger_days: LedgerDays
  ledger_entries: LedgerEntries
  license_search: LicenseSearch
  license_states: LicenseStates
  licensee_states: LicenseeStates
  licenses: Licenses
  lobby_runs: LobbyRuns
  lobby_visits: LobbyVisits
  logo_names: LogoNames
  logo_stale_companies: LogoStaleCompanies
  logo_subjects: LogoSubjects
  logos: Logos
  mcp_sessions: McpSessions
  memberships: Memberships
  name_decisions: NameDecisions
  observations: Observations
  outbound_turns: OutboundTurns
  passkey_challenges: PasskeyChallenges
  passkeys: Passkeys
  past_listings: PastListings
  past_lists: PastLists
  plan_changes: PlanChanges
  platform_readings: PlatformReadings
  platforms: Platforms
  portfolio_files: PortfolioFiles
  portfolio_members: PortfolioMembers
  portfolio_notices: PortfolioNotices
  portfolio_screenings: PortfolioScreenings
  portfolio_sweep: PortfolioSweep
  portfolios: Portfolios
  prospect_list_requests: ProspectListRequests
  prospect_lists: ProspectLists
  receipt_keys: ReceiptKeys
  regimes: Regimes
  register_facts: RegisterFacts
  register_probes: RegisterProbes
  register_runs: RegisterRuns
  register_snapshots: RegisterSnapshots
  register_streams: RegisterStreams
  renderers: Renderers
  reservations: Reservations
  saved_pages: SavedPages
  search_stale: SearchStale
  search_terms: SearchTerms
  search_words: SearchWords
  sessions: Sessions
  settlements: Settlements
  settling_probes: SettlingProbes
  sign_in_links: SignInLinks
  signal_counts: SignalCounts
  signal_months: SignalMonths
  signal_sequence: SignalSequence
  signal_totals: SignalTotals
  signals: Signals
  signing_secrets: SigningSecrets
  site_captures: SiteCaptures
  site_checks: SiteChecks
  site_findings: SiteFindings
  site_readings: SiteReadings
  snapshot_decisions: SnapshotDecisions
  summed_days: SummedDays
  summed_ledger_days: SummedLedgerDays
  suppression_decisions: SuppressionDecisions
  suppressions: Suppressions
  usage_days: UsageDays
  usage_records: UsageRecords
  users: Users
  verdict_changes: VerdictChanges
}
