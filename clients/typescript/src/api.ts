// Generated from openapi.json by `npm run generate`; do not edit.
import type { Call, CallOptions } from './call.ts'
import type { Pages, PagesOptions } from './pages.ts'

/** The version of this package. */
export const version = '0.1.0'

/** One of the values that this version knows, or another one: services add such values. */
export type Open<Known extends string> = Known | (string & {})

export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters are in braces. */
  path: string
  /** Takes an Idempotency-Key, and `max_credits`. */
  isPriced: boolean
  /** The member of the answer with the rows of a page. */
  rows?: string
  /** Answers with a file instead of JSON. */
  isFile?: boolean
}

export interface ResolveDomainParams {
  /** The URL or host of a casino. */
  domain: string
  /** Observation sections to add, such as `payment_methods`. */
  include?: readonly ObservationSection[] | undefined
  /** Maximum age of the evidence, in days. */
  max_age_days?: number | undefined
  /** Whether `checked.streams` names the streams behind the verdict, with their snapshots. */
  checked_streams?: boolean | undefined
  /** Whether `receipt` has a signed statement of this answer, which anybody can verify with the keys in `/.well-known/jwks.json`. */
  receipt?: boolean | undefined
  /** The day or instant that is asked about: what was in force then. */
  as_of?: string | undefined
  /** The day or instant of knowledge: what this service knew then. */
  known_at?: string | undefined
  /** Maximum credits for the whole request. */
  max_credits?: number | undefined
}

export interface ResolveDomainsParams {
  /** URLs or hosts of casinos. */
  domains: readonly string[]
  /** Whether `checked.streams` names the streams behind the verdict, with their snapshots. */
  checked_streams?: boolean | undefined
  /** Whether `receipt` has a signed statement of this answer, which anybody can verify with the keys in `/.well-known/jwks.json`. */
  receipt?: boolean | undefined
  /** The day or instant that is asked about: what was in force then. */
  as_of?: string | undefined
  /** The day or instant of knowledge: what this service knew then. */
  known_at?: string | undefined
  /** Maximum credits for the whole request. */
  max_credits?: number | undefined
}

export interface SearchDomainsParams {
  /** Verdict of the listed domains. */
  verdict: 'blocklisted' | 'licensed' | 'mixed'
  /** Regulator of blocklisted or mixed domains (`poland`), or jurisdiction of licensed ones (`ukgc`). */
  geo?: Jurisdiction | undefined
  /** Start of a window, inclusive: domains whose listing of today began in it. */
  since?: string | undefined
  /** End of the same window, exclusive. */
  until?: string | undefined
  /** Domains that `geo` (without it: every regulator) lists no more and last listed before this time. */
  dropped_before?: string | undefined
  /** Sites currently observed to accept this payment rail. */
  payment_category?: PaymentCategory | undefined
  /** Sites whose latest reading is on this reviewed platform. */
  platform?: string | undefined
  page?: number | undefined
  per_page?: number | undefined
  /** The `next_cursor` of the previous page. */
  after?: string | undefined
  /** Maximum credits for the whole request. */
  max_credits?: number | undefined
}

export interface CreateEnrichmentParams {
  /** The URL or host of a site. */
  domain: string
  /** A completed check of at most this age is reused, free; 0: none is. */
  max_age_days?: number | undefined
  /** Maximum credits for the whole request. */
  max_credits?: number | undefined
}

export interface ShowEnrichmentParams {
  /** The `enrichment_id` of one of your requests. */
  id: string
}

export interface CreateLobbyRunParams {
  /** The URL or host of a casino. */
  domain: string
  /** The page of the lobby, on the same registrable domain. */
  url?: string | undefined
  device?: 'desktop' | 'mobile' | undefined
  /** Suppliers by key or name. */
  suppliers?: readonly string[] | undefined
  /** Your own run of the same page and device of at most this age is reused, free; 0: none is. */
  max_age_minutes?: number | undefined
  /** Maximum credits for the whole request. */
  max_credits?: number | undefined
}

export interface ListLobbyRunsParams {
  /** Only runs of this site. */
  domain?: string | undefined
  /** The `next_cursor` of the previous page. */
  after?: string | undefined
}

export interface ShowLobbyRunParams {
  /** The `lobby_run_ref` of one of your runs. */
  ref: string
}

export interface ListLobbyChangesParams {
  /** The `lobby_run_ref` of one of your runs. */
  ref: string
  /** The `lobby_run_ref` of the earlier run. */
  since: string
}

export interface PreviewCompaniesParams {
  /** Free text, 2 to 200 characters, not counting blanks at its ends. */
  q?: string | undefined
  /** A site, reduced to its registrable domain. */
  domain?: string | undefined
  /** A Company may have several roles. */
  role?: Role | undefined
  /** A market code, such as `ukgc`. */
  jurisdiction?: Jurisdiction | undefined
  /** The status of a license in its register, in any spelling. */
  license_status?: LicenseStatus | undefined
  /** Companies with a site currently observed to accept that category. */
  payment_category?: PaymentCategory | undefined
  /** false: no reviewed platform is published. */
  has_platform?: boolean | undefined
  /** Whether an affiliate program is known. */
  affiliate_program?: boolean | undefined
  /** A place that the Company or its sites appear to address, as in `geo_hints`, in any case. */
  geo?: string | undefined
  /** Members of that group, as staff stated them with a source, in any case. */
  group?: string | undefined
}

export interface SearchCompaniesParams {
  /** Free text, 2 to 200 characters, not counting blanks at its ends. */
  q?: string | undefined
  /** A site, reduced to its registrable domain. */
  domain?: string | undefined
  /** A Company may have several roles. */
  role?: Role | undefined
  /** A market code, such as `ukgc`. */
  jurisdiction?: Jurisdiction | undefined
  /** The status of a license in its register, in any spelling. */
  license_status?: LicenseStatus | undefined
  /** Companies with a site currently observed to accept that category. */
  payment_category?: PaymentCategory | undefined
  /** false: no reviewed platform is published. */
  has_platform?: boolean | undefined
  /** Whether an affiliate program is known. */
  affiliate_program?: boolean | undefined
  /** A place that the Company or its sites appear to address, as in `geo_hints`, in any case. */
  geo?: string | undefined
  /** Members of that group, as staff stated them with a source, in any case. */
  group?: string | undefined
  /** Companies with a site currently observed with that payment method. */
  payment_method?: string | undefined
  /** Companies with a site currently observed with that supplier brand. */
  supplier_brand?: string | undefined
  /** Companies with a site whose most recent reading names that reviewed platform, by key, name or alias. */
  platform?: string | undefined
  page?: number | undefined
  page_size?: number | undefined
  /** The `next_cursor` of the previous page. */
  after?: string | undefined
  /** Maximum credits for the whole request. */
  max_credits?: number | undefined
}

export interface ResolveCompanyParams {
  /** Opaque identifier. */
  company_ref?: string | undefined
  /** As the register prints it. */
  license_number?: string | undefined
  /** The jurisdiction of `license_number`; required if several use that number. */
  jurisdiction?: Jurisdiction | undefined
  /** A casino URL or host. */
  domain?: string | undefined
  /** A legal name as a source filed it. */
  legal_entity?: string | undefined
  /** A name, brand or alias as published. */
  name?: string | undefined
  /** Add firmographics for this Domain of the Company only. */
  domain_ref?: string | undefined
  /** `firmographics` adds data about the organisations behind the Domains, at 12 credits each. */
  include?: readonly 'firmographics'[] | undefined
  /** Refresh firmographics older than this; 0 refreshes all. */
  max_age_days?: number | undefined
  /** Whether to return stored firmographics if no refresh was attempted, or it failed for the moment (`source_temporarily_unavailable`). */
  allow_stale_on_error?: boolean | undefined
  /** Maximum credits for the whole request. */
  max_credits?: number | undefined
}

export interface ListPeopleParams {
  /** The Company. */
  company_ref: string
  /** Keys of the role glossary (`GET /v1/people/roles`) or words of a title, separated by `OR` or commas. */
  role?: string | undefined
  /** Return only the number of people per glossary key, of every key with any `role`. */
  count_only?: boolean | undefined
  /** Maximum number of contacts to return and to charge. */
  limit?: number | undefined
  /** Contacts fetched longer ago are `stale`. */
  max_age_days?: number | undefined
  /** false: contacts past `max_age_days` are neither returned nor charged. */
  allow_stale?: boolean | undefined
  /** The `next_cursor` of the previous page. */
  after?: string | undefined
  /** Maximum credits for the whole request. */
  max_credits?: number | undefined
}

export interface ResolveLicenseParams {
  /** Opaque handle. */
  license_ref?: string | undefined
  /** As the register prints it. */
  license_number?: string | undefined
  /** The register of `license_number`, where several use it. */
  jurisdiction?: Jurisdiction | undefined
  /** Whether `receipt` has a signed statement of this answer, which anybody can verify with the keys in `/.well-known/jwks.json`. */
  receipt?: boolean | undefined
  /** The day or instant that is asked about: what was in force then. */
  as_of?: string | undefined
  /** The day or instant of knowledge: what this service knew then. */
  known_at?: string | undefined
  /** Maximum credits for the whole request. */
  max_credits?: number | undefined
}

export interface PreviewLicensesParams {
  /** Free text, 2 to 200 characters, not counting blanks at its ends. */
  q?: string | undefined
  /** A site, reduced to its registrable domain. */
  domain?: string | undefined
  /** A market code, such as `ukgc`. */
  jurisdiction?: Jurisdiction | undefined
  /** The status of a license in its register, in any spelling. */
  license_status?: LicenseStatus | undefined
  /** In the register's wording, in any case; `facet_counts` lists the types. */
  license_type?: string | undefined
}

export interface SearchLicensesParams {
  /** Free text, 2 to 200 characters, not counting blanks at its ends. */
  q?: string | undefined
  /** A site, reduced to its registrable domain. */
  domain?: string | undefined
  /** A market code, such as `ukgc`. */
  jurisdiction?: Jurisdiction | undefined
  /** The status of a license in its register, in any spelling. */
  license_status?: LicenseStatus | undefined
  /** In the register's wording, in any case; `facet_counts` lists the types. */
  license_type?: string | undefined
  page?: number | undefined
  page_size?: number | undefined
  /** The `next_cursor` of the previous page. */
  after?: string | undefined
  /** Maximum credits for the whole request. */
  max_credits?: number | undefined
}

export interface ListMarketEntriesParams {
  /** Must be `operator`. */
  role: 'operator'
  /** The market that was entered, by its license regime. */
  market: Jurisdiction
  /** Sections whose availability `quality.coverage` reports. */
  include?: readonly ('firmographics' | 'contacts')[] | undefined
  /** Domains or `domain_ref`s for the sections. */
  domains?: readonly string[] | undefined
  contacts_limit?: number | undefined
  max_age_days?: number | undefined
  /** Only changes that occurred on this day (UTC) or later. */
  occurred_from?: string | undefined
  /** Only changes that occurred on this day (UTC) or earlier. */
  occurred_to?: string | undefined
  /** `next_cursor` of the previous page. */
  after?: string | undefined
  /** Must be 1. */
  page?: number | undefined
  /** Signals per page. */
  page_size?: number | undefined
  /** Maximum credits for the whole request. */
  max_credits?: number | undefined
}

export interface ListPlatformSitesParams {
  /** Must be `operator`. */
  role: 'operator'
  /** Key, name or alias of a reviewed platform, in any case. */
  platform: string
  /** Only changes that occurred on this day (UTC) or later. */
  occurred_from?: string | undefined
  /** Only changes that occurred on this day (UTC) or earlier. */
  occurred_to?: string | undefined
  /** `next_cursor` of the previous page. */
  after?: string | undefined
  /** Must be 1. */
  page?: number | undefined
  /** Signals per page. */
  page_size?: number | undefined
  /** Maximum credits for the whole request. */
  max_credits?: number | undefined
}

export interface ListRegisterChangesParams {
  /** The jurisdiction of the registers and blocklists. */
  jurisdiction: Jurisdiction
  /** Only changes of this source, e.g. `ukgc.licences`. */
  source_stream_key?: string | undefined
  /** Only changes of records published under exactly this name, before or after the change. */
  published_legal_name?: string | undefined
  /** An event type. */
  event_type?: 'added_to_register' | 'removed_from_register' | 'revoked' | 'returned_to_register' | 'authorized_domains_changed' | 'published_expiry_changed' | 'license_type_changed' | 'legal_entity_changed' | 'published_status_changed' | 'expiry_date_passed' | readonly ('added_to_register' | 'removed_from_register' | 'revoked' | 'returned_to_register' | 'authorized_domains_changed' | 'published_expiry_changed' | 'license_type_changed' | 'legal_entity_changed' | 'published_status_changed' | 'expiry_date_passed')[] | undefined
  /** Only changes that occurred on this day (UTC) or later. */
  occurred_from?: string | undefined
  /** Only changes that occurred on this day (UTC) or earlier. */
  occurred_to?: string | undefined
  /** `next_cursor` of the previous page. */
  after?: string | undefined
  /** Must be 1. */
  page?: number | undefined
  /** Signals per page. */
  page_size?: number | undefined
  /** Maximum credits for the whole request. */
  max_credits?: number | undefined
}

export interface ListVerdictChangesParams {
  verdict_before?: Verdict | undefined
  verdict_after?: Verdict | undefined
  /** Only changes with this market before or after. */
  geo?: Jurisdiction | undefined
  /** Only changes that occurred on this day (UTC) or later. */
  occurred_from?: string | undefined
  /** Only changes that occurred on this day (UTC) or earlier. */
  occurred_to?: string | undefined
  /** `next_cursor` of the previous page. */
  after?: string | undefined
  /** Must be 1. */
  page?: number | undefined
  page_size?: number | undefined
  /** Maximum credits for the whole request. */
  max_credits?: number | undefined
}

export interface PutPortfolioParams {
  /** The name of the portfolio: up to 64 of `a-z`, `0-9`, `-` and `_`. */
  name: string
  /** URLs or hosts. */
  domains: readonly string[]
  /** Your note about it. */
  note?: string | null | undefined
  /** Whom to inform of new changes, at most once an hour. */
  notify?: {
    /** The address of a member. */
    email?: string | undefined
    /** Receives a Standard Webhook. */
    url?: string | undefined
  } | null | undefined
}

export interface ChangePortfolioParams {
  /** The name of the portfolio: up to 64 of `a-z`, `0-9`, `-` and `_`. */
  name: string
  /** URLs or hosts to add. */
  add?: readonly string[] | undefined
  /** URLs or hosts to remove. */
  remove?: readonly string[] | undefined
  /** Your note about it. */
  note?: string | null | undefined
  /** Whom to inform of new changes, at most once an hour. */
  notify?: {
    /** The address of a member. */
    email?: string | undefined
    /** Receives a Standard Webhook. */
    url?: string | undefined
  } | null | undefined
}

export interface GetPortfolioParams {
  /** The name of the portfolio: up to 64 of `a-z`, `0-9`, `-` and `_`. */
  name: string
}

export interface DeletePortfolioParams {
  /** The name of the portfolio: up to 64 of `a-z`, `0-9`, `-` and `_`. */
  name: string
}

export interface ListPortfolioMembersParams {
  /** The name of the portfolio: up to 64 of `a-z`, `0-9`, `-` and `_`. */
  name: string
  /** The `next_cursor` of the previous page. */
  after?: string | undefined
  page_size?: number | undefined
  /** Maximum credits for the whole request. */
  max_credits?: number | undefined
}

export interface ListPortfolioChangesParams {
  /** The name of the portfolio: up to 64 of `a-z`, `0-9`, `-` and `_`. */
  name: string
  /** The `next_cursor` of the previous page. */
  after?: string | undefined
  page_size?: number | undefined
  /** Maximum credits for the whole request. */
  max_credits?: number | undefined
}

export interface SearchLogosParams {
  /** A fragment of a name, 3 to 100 characters. */
  q: string
  /** Only subjects of this kind. */
  kind?: LogoKind | undefined
}

export interface ListRegimesParams {
  /** The market; without it, all. */
  market?: Jurisdiction | undefined
  /** A day (`2026-10-01`) or an ISO 8601 time with an offset: the regimes in force then, by what is known now. */
  as_of?: string | undefined
  /** Regimes that this service published or closed after this time, ISO 8601 with an offset. */
  known_after?: string | undefined
}

export interface CreateExportParams {
  /** A domain must match all filters. */
  filters?: {
    /** Domains currently licensed in this market, such as `ukgc`. */
    jurisdiction?: Jurisdiction | undefined
    /** Sites currently observed with this payment category. */
    payment_category?: PaymentCategory | undefined
    /** Sites currently observed with this supplier. */
    supplier_brand?: string | undefined
    /** Excludes sites currently observed with this supplier. */
    exclude_provider?: string | undefined
    /** Excludes sites currently observed with this payment category. */
    exclude_payment?: PaymentCategory | undefined
    /** Whether an affiliate program is currently observed. false does not mean that there is none. */
    has_affiliate?: boolean | undefined
    /** Sites currently observed to target this place. */
    geo_hint?: string | undefined
    /** Sites last observed after this time: ISO 8601, either a time with an offset or a day in UTC. */
    enriched_after?: string | undefined
    /** Only domains that sort after this one. */
    domain_after?: string | undefined
  } | undefined
  export_format?: ExportFormat | undefined
  /** Observation sections to include. */
  fields?: readonly ObservationSection[] | undefined
  /** Maximum rows of the file, and of the quote. */
  max_rows?: number | undefined
  /** Maximum credits for the whole request. */
  max_credits?: number | undefined
}

export interface ShowExportParams {
  /** `export_id` from the response that created the export. */
  id: number
}

export interface DownloadExportParams {
  /** `export_id` from the response that created the export. */
  id: number
  /** CSV only: adds an apostrophe before cells that begin with `=`, `+`, `-`, `@` or a tab. */
  spreadsheet?: boolean | undefined
}

export interface ListProspectListsParams {
  /** Only lists with this status. */
  status?: 'requested' | 'preparing' | 'ready' | undefined
  /** Only lists with this cadence. */
  cadence?: 'one_time' | 'weekly' | 'continuous' | undefined
  /** The `next_cursor` of the previous page. */
  after?: string | undefined
  page_size?: number | undefined
}

export interface ShowProspectListParams {
  /** The reference of one of your lists. */
  prospect_list_ref: string
}

export interface DownloadProspectListParams {
  /** The reference of one of your lists. */
  prospect_list_ref: string
  /** Prefix cells that begin with `=`, `+`, `-`, `@` or a tab with an apostrophe. */
  spreadsheet?: boolean | undefined
}

export interface ResolveDomainAnswer {
  domain: string
  verdict: Verdict
  licensed_by: LicensedBy[]
  blocked_by: BlockedBy[]
  mentioned_by: MentionedBy[]
  company: {
    company_ref: string
    name: string
  } | null
  as_of?: string
  known_at?: string
  checked: {
    registers: number
    blocklists: number
    oldest_snapshot_at: string | null
    as_of: string
    before_tracking?: {
      stream: string
      tracked_from: string
    }[]
    streams?: {
      stream: string
      market: string
      kind: StreamKind
      snapshot_ref: string | null
      last_snapshot_at: string
      truth_state: TruthState
    }[]
  }
  billing: {
    returned_count: number
    credits_per_verdict: number
    credits_charged: number
    billing_reason: string
    max_credits: number | null
    page_size: number | null
    breakdown: {
      key: 'domain.verdict' | 'domain.operator_launch_profile'
      units: number
      credits_per_unit: number
      credits_charged: number
    }[]
    refresh?: {
      status: 'reserved' | 'charged' | 'not_charged'
      credits: number
    }
  }
  observations?: Observations
  receipt?: string
  credits_charged: number
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export type Verdict = 'licensed' | 'blocklisted' | 'mixed' | 'no_record'

export interface LicensedBy {
  geo: string
  regime?: RegimeInForce
  license_number: string | null
  basis?: 'register' | 'reviewed_brand' | 'register_date'
}

export interface RegimeInForce {
  vertical: RegimeVertical
  state: RegimeState
  from: string
  source_url: string
}

export type RegimeVertical = 'all' | 'betting' | 'casino' | 'poker' | 'lottery'

export type RegimeState = 'open' | 'licensed_only' | 'monopoly' | 'prohibited' | 'suspended' | 'not_regulated' | 'opens'

export interface BlockedBy {
  geo: string
  listed_as: string
  regime?: RegimeInForce
  scope: 'domain'
  first_listed_at: string
  basis?: 'register_date'
}

export interface MentionedBy {
  geo: string
  listed_as: string
  scope: 'host' | 'path' | 'shared_host'
  first_listed_at: string
  is_asked: boolean
}

export type StreamKind = 'register' | 'blocklist' | 'register_and_blocklist'

export type TruthState = 'confirmed' | 'held' | 'stale' | 'not_covered'

export interface Observations {
  domain: string
  domain_normalized: string
  status: 'observed' | 'not_observed'
  last_enriched_at: string | null
  company: {
    name: string | null
    legal_entity_name: string | null
    country: string | null
  } | null
  brand: {
    name: string
    slug: string
  } | null
  enrichment_run: {
    status: 'completed' | 'running' | 'failed' | 'not_available'
    completed_at: string | null
    enrichment_id: string | null
  } | null
  meta: {
    freshness_age_seconds: number | null
    served_from_cache: boolean
    billable: boolean
    observed_at: string | null
    generated_at: string
  }
  licenses?: ObservedLicense[]
  payment_methods?: ObservedPaymentMethod[]
  supplier_brands?: ObservedSupplierBrand[]
  affiliate_programs?: ObservedAffiliateProgram[]
  geo?: ObservedGeo | null
  related_domains?: ObservedRelatedDomain[]
  logos?: ObservedLogo[]
  platform_history?: PlatformPeriod[]
  operator_launch_profile?: OperatorLaunchProfile
}

export interface ObservedLicense {
  jurisdiction: string
  license_number: string | null
  status: string | null
  source_url: string | null
  first_seen_at: string | null
  last_seen_at: string | null
  last_confirmed_at: string | null
}

export interface ObservedPaymentMethod {
  normalized_name: string
  category: string | null
  first_seen_at: string | null
  last_seen_at: string | null
  last_confirmed_at: string | null
}

export interface ObservedSupplierBrand {
  normalized_provider_name: string
  first_seen_at: string | null
  last_seen_at: string | null
  last_confirmed_at: string | null
}

export interface ObservedAffiliateProgram {
  program_url: string
  first_seen_at: string | null
  last_seen_at: string | null
  last_confirmed_at: string | null
}

export interface ObservedGeo {
  languages: string[]
  currencies: string[]
  geo_hints: string[]
  first_seen_at: string | null
  last_seen_at: string | null
  last_confirmed_at: string | null
}

export interface ObservedRelatedDomain {
  related_domain_normalized: string
  relationship: string
  first_seen_at: string | null
  last_seen_at: string | null
  last_confirmed_at: string | null
}

export interface ObservedLogo {
  variant: string
  theme: string
  format: string
  width: number | null
  height: number | null
  url: string
  source: 'business_profile' | 'website' | 'catalog'
  current: boolean
  first_seen_at: string
  superseded_at: string | null
}

export interface PlatformPeriod {
  platform: string
  from: string
  to: string | null
  observations: number
}

export interface OperatorLaunchProfile {
  availability: 'available' | 'not_available'
  reason: 'no_operator_context' | 'several_operator_contexts' | 'no_site_evidence' | null
  domain: string
  observed_at: string | null
  regulatory_context: {
    market: string
    license_ref: string
    license_number: string
    licensee: {
      company_ref: string
      legal_name: string
    }
    authorized_domain: boolean
  } | null
  registration: {
    registrar: string | null
    registered_at: string | null
    updated_at: string | null
    expires_at: string | null
    domain_statuses: string[]
    registrant: {
      disclosure_status: 'public' | 'redacted' | 'unavailable'
      name: string | null
      organization: string | null
      country_code: string | null
    }
  } | null
  dns: {
    records: {
      a: string[]
      aaaa: string[]
      ns: string[]
      mx: {
        priority: number
        host: string
      }[]
    }
    fingerprints: {
      nameservers: string | null
      mail: string | null
      hosting: string | null
    }
  } | null
  web_presence: {
    status: 'live' | 'parked' | 'blocked' | 'offline' | 'unknown'
    requested_url: string
    final_url: string | null
    redirect_chain: string[]
    http_status: number | null
    title: string | null
    parked: boolean
    legal_pages: {
      page_type: string
      url: string
    }[]
  } | null
  launch: {
    status: 'pre_launch' | 'launching' | 'live' | 'unknown'
    observed_at: string | null
  } | null
  legal_claims: {
    claim_type: 'owner' | 'operator' | 'billing_agent' | 'data_controller' | 'licensee'
    claimed_name: string
    company_registration_number: string | null
    license_number: string | null
    registered_address: string | null
    match: {
      status: 'unresolved' | 'matched' | 'conflict'
      matched_company_ref: string | null
      matched_as: string | null
    }
    evidence_text: string
  }[]
  public_contacts: {
    items: {
      type: 'email'
      value: string
      source: 'website'
    }[]
  }
  related_domains: {
    domain: string
    relationship: string
    ownership_claimed: boolean
  }[]
  quality: {
    source_count: number
    warnings: string[]
  }
  coverage: {
    component: 'regulatory_context' | 'registration' | 'dns' | 'web_presence' | 'launch' | 'legal_claims' | 'public_contacts' | 'related_domains'
    status: 'included' | 'available' | 'not_available' | 'not_requested'
  }[]
}

export type ObservationSection = 'licenses' | 'payment_methods' | 'supplier_brands' | 'affiliate_programs' | 'geo' | 'related_domains' | 'operator_launch_profile' | 'logos' | 'platform_history'

export interface ResolveDomainsAnswer {
  verdicts: BatchVerdict[]
  unresolved: UnresolvedInput[]
  as_of?: string
  known_at?: string
  checked: {
    registers: number
    blocklists: number
    oldest_snapshot_at: string | null
    as_of: string
    before_tracking?: {
      stream: string
      tracked_from: string
    }[]
    streams?: {
      stream: string
      market: string
      kind: StreamKind
      snapshot_ref: string | null
      last_snapshot_at: string
      truth_state: TruthState
    }[]
  }
  billing: {
    returned_count: number
    credits_per_verdict: number
    credits_charged: number
    billing_reason: string
    max_credits: number | null
    page_size: number | null
    breakdown: {
      key: 'domain.verdict' | 'domain.operator_launch_profile'
      units: number
      credits_per_unit: number
      credits_charged: number
    }[]
  }
  receipt?: string
  credits_charged: number
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface BatchVerdict {
  index: number
  input: string
  domain: string
  verdict: Verdict
  licensed_by: LicensedBy[]
  blocked_by: BlockedBy[]
  mentioned_by: MentionedBy[]
  company: {
    company_ref: string
    name: string
  } | null
}

export interface UnresolvedInput {
  index: number
  input: string
  code: 'invalid_domain'
  message: string
}

export interface SearchDomainsAnswer {
  domains: {
    domain: string
    verdict: Verdict
    licensed_by: LicensedBy[]
    blocked_by: BlockedBy[]
    platform_present: boolean
  }[]
  page: number
  per_page: number
  total: number
  next_cursor: string | null
  has_more: boolean
  billing: {
    returned_count: number
    credits_per_result: number
    credits_charged: number
    page_size: number
    billing_reason: string
    max_credits: number | null
  }
  credits_charged: number
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export type Jurisdiction = 'mga' | 'ukgc' | 'curacao' | 'anjouan' | 'gibraltar' | 'isle_of_man' | 'kahnawake' | 'belgium' | 'germany' | 'ontario' | 'france' | 'argentina' | 'portugal' | 'sweden' | 'greece' | 'spain' | 'italy' | 'colombia' | 'ireland' | 'brazil' | 'australia' | 'us_pennsylvania' | 'us_new_jersey' | 'us_michigan' | 'us_iowa' | 'us_illinois' | 'us_wyoming' | 'us_maryland' | 'us_arizona' | 'us_new_york' | 'us_massachusetts' | 'us_vermont' | 'us_connecticut' | 'us_west_virginia' | 'us_colorado' | 'us_indiana' | 'us_maine' | 'us_tennessee' | 'us_virginia' | 'us_oregon' | 'us_california' | 'us_ohio' | 'us_kentucky' | 'us_louisiana' | 'us_north_carolina' | 'us_delaware' | 'us_district_of_columbia' | 'us_missouri' | 'us_nevada' | 'us_mississippi' | 'netherlands' | 'denmark' | 'romania' | 'switzerland_esbk' | 'ca_alberta' | 'au_northern_territory' | 'au_south_australia' | 'ar_caba' | 'ar_buenos_aires' | 'ar_mendoza' | 'ar_neuquen' | 'uzbekistan_napp' | 'benin' | 'botswana' | 'ghana' | 'guinea_conakry' | 'liberia' | 'ng_fct' | 'ng_lagos' | 'tanzania_mainland' | 'uganda' | 'slovakia' | 'cyprus' | 'latvia' | 'hungary' | 'georgia' | 'kazakhstan' | 'tobique' | 'peru' | 'czechia' | 'poland' | 'uruguay' | 'croatia' | 'austria' | 'estonia' | 'jersey' | 'alderney' | 'us_kansas' | 'philippines' | 'puerto_rico' | 'fbih' | 'bulgaria' | 'dominican_republic' | 'united_arab_emirates' | 'russia' | 'ukraine' | 'kenya' | 'lithuania' | 'slovenia'

export type PaymentCategory = 'card' | 'crypto' | 'ewallet' | 'bank_transfer' | 'open_banking' | 'local_apm'

export interface CreateEnrichmentAnswer {
  enrichment_id: string
  domain: string
  status: 'queued' | 'running' | 'completed' | 'failed'
  credits_quoted: number
  poll_url: string
  credits_charged: number
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface ShowEnrichmentAnswer {
  enrichment_id: string
  domain: string
  status: 'queued' | 'running' | 'completed' | 'failed'
  reason: string | null
  requested_at: string
  completed_at: string | null
  credits_charged: number
  found: {
    payment_methods: number
    supplier_brands: number
    affiliate_programs: number
    related_domains: number
    geo: number
  } | null
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface CreateLobbyRunAnswer {
  lobby_run_ref: string
  domain: string
  status: 'queued' | 'running' | 'completed' | 'partial' | 'failed'
  credits_quoted: number
  poll_url: string
  credits_charged: number
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface ListLobbyRunsAnswer {
  lobby_runs: LobbyRunSummary[]
  next_cursor: string | null
  has_more: boolean
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface LobbyRunSummary {
  lobby_run_ref: string
  domain: string
  device: 'desktop' | 'mobile'
  url: string | null
  status: 'queued' | 'running' | 'completed' | 'partial' | 'failed'
  reason: string | null
  requested_at: string
  completed_at: string | null
  credits_charged: number
  titles_seen: number
}

export interface ShowLobbyRunAnswer {
  lobby_run_ref: string
  domain: string
  device: 'desktop' | 'mobile'
  url: string | null
  status: 'queued' | 'running' | 'completed' | 'partial' | 'failed'
  reason: string | null
  requested_at: string
  completed_at: string | null
  credits_charged: number
  titles_seen: number
  titles_above_fold: number
  seen_from: LobbyView | null
  sections: LobbySection[]
  games: LobbyGame[]
  shares: LobbyShare[]
  absent: AbsentSupplier[]
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface LobbyView {
  device: 'desktop' | 'mobile'
  viewport: string
  language: string
  country: string | null
  final_url: string | null
  seen_at: string
}

export interface LobbySection {
  name: string | null
  kind: 'hero' | 'featured' | 'new' | 'popular' | 'category' | 'live' | 'other'
  order: number
  games_seen: number
  is_complete: boolean
}

export interface LobbyGame {
  section: number
  position: number
  title: string
  supplier: string | null
  supplier_slug: string | null
  match: 'shown' | 'host' | 'known_title' | 'none'
  is_above_fold: boolean
  is_repeat: boolean
}

export interface LobbyShare {
  supplier_slug: string
  games: number
  share: number
  share_above_fold: number
  best_position: number
}

export interface AbsentSupplier {
  supplier: string
  seen: boolean
  note: string
}

export interface ListLobbyChangesAnswer {
  lobby_run_ref: string
  since: string
  entered: LobbyChange[]
  left: LobbyChange[]
  moved: LobbyChange[]
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface LobbyChange {
  section: string | null
  title: string
  supplier_slug: string | null
  before: number | null
  after: number | null
}

export interface PreviewCompaniesAnswer {
  query: {
    q?: string
    domain?: string
    role?: Open<Role>
    jurisdiction?: Open<Jurisdiction>
    license_status?: LicenseStatus
    payment_category?: Open<PaymentCategory>
    has_platform?: boolean
    affiliate_program?: boolean
    geo?: string
    group?: string
  }
  total_count: number
  estimated_costs: {
    10: number
    25: number
    50: number
    100: number
  }
  next_action: NextAction | null
  facet_counts: {
    field: string
    values: {
      value: string
      count: number
    }[]
  }[]
  sample: CompanySample[]
  identity_match: IdentityMatch | null
  answered: boolean | null
  answer_basis: 'identity' | 'text' | 'similar' | 'filters' | null
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export type Role = 'operator' | 'aggregator' | 'platform_provider' | 'payment_provider' | 'game_studio' | 'affiliate_software' | 'affiliate_media' | 'other_supplier' | 'unknown'

export type LicenseStatus = Open<'active' | 'white_label' | 'suspended' | 'revoked' | 'expired' | 'surrendered' | 'lapsed' | 'forfeited' | 'pending' | 'inactive' | 'cancelled'>

export interface NextAction {
  type: 'paid_search'
  method: 'GET'
  href: string
  estimated_credits: number
}

export interface CompanySample {
  company_name: string | null
  subject_kind: Open<SubjectKind>
  role: Open<Role>[]
  jurisdictions: string[]
  domain_count: number
  license_count: number
  payment_method_count: number
  supplier_brand_count: number
}

export type SubjectKind = 'legal_entity' | 'trade_name' | 'platform' | 'domain' | 'unknown'

export interface IdentityMatch {
  type: string
  name: string
  aliases: string[]
  official_domain: string | null
  company_ref: string | null
  company_name: string | null
  legal_entity: string | null
}

export interface SearchCompaniesAnswer {
  query: {
    q?: string
    domain?: string
    role?: Open<Role>
    jurisdiction?: Open<Jurisdiction>
    license_status?: LicenseStatus
    payment_category?: Open<PaymentCategory>
    has_platform?: boolean
    affiliate_program?: boolean
    geo?: string
    group?: string
    payment_method?: string
    supplier_brand?: string
    platform?: string
  }
  total: number
  page: number
  page_size: number
  next_cursor: string | null
  has_more: boolean
  hits: CompanyHit[]
  facet_counts: {
    field: string
    values: {
      value: string
      count: number
    }[]
  }[]
  identity_match: IdentityMatch | null
  answered: boolean | null
  answer_basis: 'identity' | 'text' | 'similar' | 'filters' | null
  billing: {
    returned_count: number
    credits_per_result: number
    credits_charged: number
    billing_reason: string
    max_credits: number | null
    page_size: number
  }
  credits_charged: number
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface CompanyHit {
  company_ref: string
  company_name: string | null
  legal_entity: string | null
  subject_kind: Open<SubjectKind>
  role: Open<Role>[]
  primary_domain: DomainEntry | null
  domains_sample: DomainEntry[]
  domain_count: number
  jurisdictions: string[]
  license_statuses: string[]
  license_count: number
  payment_categories: string[]
  payment_method_count: number
  supplier_brand_count: number
  platform_present: boolean
  affiliate_program_present: boolean
  geo_hints: string[]
  data_completeness: number | null
  last_observed_at: string | null
  last_updated_at: string | null
  rank: number
  score: number | null
  matched_fields: ('company_name' | 'legal_entity' | 'brands' | 'aliases' | 'domains')[]
  highlight: {
    company_name?: string
    legal_entity?: string
    brands?: string
    aliases?: string
    domains?: string
  }
  firmographics_available: boolean
  contacts_available: boolean
}

export interface DomainEntry {
  domain_ref: string | null
  domain: string
  inferred_geo: string | null
}

export interface ResolveCompanyAnswer {
  resolved_by: 'company_ref' | 'license_number' | 'domain' | 'legal_entity' | 'name'
  match_basis?: 'exact' | 'folded_name'
  ignored_inputs: {
    license_number?: string
    jurisdiction?: string
    domain?: string
    legal_entity?: string
    name?: string
    domain_ref?: string
    max_age_days?: number
    allow_stale_on_error?: boolean
  }
  input_company_ref?: string
  resolved_company_ref?: string
  ref_status?: 'active' | 'merged'
  companies: CompanyProfile[]
  matches: CompanyCandidate[]
  matches_total: number
  billing: {
    returned_count: number
    credits_per_profile: number
    credits_charged: number
    billing_reason: string
    max_credits: number | null
    breakdown?: {
      key: 'company.profile' | 'company.firmographics'
      units: number
      credits_per_unit: number
      credits_charged: number
    }[]
  }
  credits_charged: number
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface CompanyProfile {
  company_ref: string
  company_name: string | null
  legal_entity: string | null
  subject_kind: Open<SubjectKind>
  role: Open<Role>[]
  country: string | null
  matched_as: ('licensee' | 'brand_owner')[]
  brands: string[]
  domains: DomainEntry[]
  licenses: CompanyLicense[]
  apps: {
    store: 'google_play' | 'app_store'
    app_id: string
    url: string
  }[]
  payment_methods: string[]
  payment_categories: string[]
  supplier_brands: string[]
  platform_brands: string[]
  groups: CompanyGroup[]
  affiliate_program: boolean
  geo_hints: string[]
  evidence_routes: string[]
  data_completeness: number
  last_observed_at: string | null
  last_updated_at: string | null
  firmographics?: FirmographicsResult[]
}

export interface CompanyLicense {
  license_ref: string
  jurisdiction: string | null
  license_number: string | null
  status: string | null
  license_type: string | null
  authorized_domains: DomainEntry[]
}

export interface CompanyGroup {
  name: string
  source_url: string
  stated_at: string
}

export interface FirmographicsResult {
  domain: DomainEntry
  available: boolean
  cached: boolean
  stale: boolean
  reason: FirmographicsReason | null
  fetched_at: string | null
  refresh: {
    attempted: boolean
    status: 'not_attempted' | 'completed' | 'failed'
    reason: FirmographicsReason | null
    attempted_at: string | null
  }
  data: Firmographics | null
}

export type FirmographicsReason = 'not_resolved' | 'source_temporarily_unavailable' | 'source_unavailable' | 'response_too_large'

export interface Firmographics {
  name: string | null
  description: string | null
  industry: string | null
  company_size: number[] | null
  employee_count: number | null
  founded_year: number | null
  headquarters: {
    city: string | null
    region: string | null
    country: string | null
    postal_code: string | null
  } | null
  website: string | null
  linkedin_url: string | null
}

export interface CompanyCandidate {
  company_ref: string
  company_name: string | null
  legal_entity: string | null
  subject_kind: Open<SubjectKind>
  role: Open<Role>[]
  country: string | null
  primary_domain: DomainEntry | null
}

export interface ListPeopleAnswer {
  company_ref: string
  available: boolean
  reason: 'not_cached' | 'no_match' | 'source_temporarily_unavailable' | 'source_unavailable' | 'response_too_large' | null
  refresh?: {
    attempted: boolean
    status: 'not_attempted' | 'completed' | 'failed'
    reason: FirmographicsReason | null
    attempted_at: string | null
  }
  contacts?: Contact[]
  role_counts?: {
    ceo: number
    cto: number
    compliance: number
    payments: number
    affiliates: number
    marketing_leads: number
    product_leads: number
    decision_makers: number
  }
  next_cursor: string | null
  has_more: boolean
  billing?: {
    returned_count: number
    credits_per_profile: number
    credits_charged: number
    billing_reason: string
    max_credits: number | null
  }
  credits_charged: number
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface Contact {
  contact_ref: string
  role_key: Open<RoleKey> | null
  name: string
  title: string | null
  headline: string | null
  seniority: 'c_level' | 'founder_owner' | 'vp' | 'head' | 'director' | 'lead' | 'manager' | 'ic' | null
  function: 'general_management' | 'affiliates' | 'compliance' | 'payments' | 'marketing' | 'product' | 'technology' | 'finance' | 'legal' | 'risk' | 'trading' | 'games' | 'data' | 'security' | 'sales' | 'customer_service' | 'people' | 'operations' | 'strategy' | null
  email: string | null
  email_status: 'verified' | 'unverified' | null
  linkedin_url: string | null
  country: string | null
  source: string
  source_url: string | null
  collected_at: string
  last_verified_at: string | null
  fetched_at: string | null
  stale: boolean
}

export type RoleKey = 'ceo' | 'cto' | 'compliance' | 'payments' | 'affiliates' | 'marketing_leads' | 'product_leads' | 'decision_makers'

export interface ListRolesAnswer {
  roles: GlossaryRole[]
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface GlossaryRole {
  key: Open<RoleKey>
  description: string
  seniority: 'c_level' | 'founder_owner' | 'vp' | 'head' | 'director' | 'lead' | 'manager' | 'ic' | 'any'
  function: 'general_management' | 'affiliates' | 'compliance' | 'payments' | 'marketing' | 'product' | 'technology' | 'finance' | 'legal' | 'risk' | 'trading' | 'games' | 'data' | 'security' | 'sales' | 'customer_service' | 'people' | 'operations' | 'strategy' | 'any'
  synonyms: string[]
  coverage: {
    title: number
    headline_only: number
    measured_at: string
  }
}

export interface ResolveLicenseAnswer {
  resolved_by: 'license_ref' | 'license_number'
  ignored_inputs: {
    license_number?: string
    jurisdiction?: string
  }
  licenses: LicenseProfile[]
  as_of?: string
  known_at?: string
  billing: {
    returned_count: number
    credits_per_profile: number
    credits_charged: number
    billing_reason: string
    max_credits: number | null
  }
  receipt?: string
  credits_charged: number
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface LicenseProfile {
  license_ref: string
  company_ref: string | null
  company_name: string | null
  legal_entity: string | null
  jurisdiction: string
  license_number: string | null
  license_type: string | null
  status: string | null
  issued_at: string | null
  expires_at: string | null
  first_seen_at: string
  last_seen_at: string | null
  last_confirmed_at: string | null
  listed: boolean
  source_url: string | null
  authorized_domains: DomainEntry[]
}

export interface PreviewLicensesAnswer {
  query: {
    q?: string
    domain?: string
    jurisdiction?: Open<Jurisdiction>
    license_status?: LicenseStatus
    license_type?: string
  }
  total_count: number
  estimated_costs: {
    10: number
    25: number
    50: number
    100: number
  }
  next_action: NextAction | null
  facet_counts: {
    field: string
    values: {
      value: string
      count: number
    }[]
  }[]
  sample: LicenseSample[]
  answer_basis: 'text' | 'similar' | 'filters' | null
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface LicenseSample {
  company_name: string | null
  jurisdiction: string
  license_type: string | null
  status: string | null
  authorized_domain_count: number
  domain_match_basis?: DomainMatchBasis
}

export type DomainMatchBasis = 'regulator_published' | 'site_corroborated' | 'both'

export interface SearchLicensesAnswer {
  query: {
    q?: string
    domain?: string
    jurisdiction?: Open<Jurisdiction>
    license_status?: LicenseStatus
    license_type?: string
  }
  total: number
  page: number
  page_size: number
  next_cursor: string | null
  has_more: boolean
  hits: LicenseHit[]
  facet_counts: {
    field: string
    values: {
      value: string
      count: number
    }[]
  }[]
  answer_basis: 'text' | 'similar' | 'filters' | null
  billing: {
    returned_count: number
    credits_per_result: number
    credits_charged: number
    billing_reason: string
    max_credits: number | null
    page_size: number
  }
  credits_charged: number
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface LicenseHit {
  license_ref: string
  company_ref: string | null
  company_name: string | null
  jurisdiction: string
  license_number: string | null
  license_type: string | null
  status: string | null
  issued_at: string | null
  expires_at: string | null
  authorized_domain_count: number
  rank: number
  domain_match_basis?: DomainMatchBasis
}

export interface ListMarketEntriesAnswer {
  query: {
    role: 'operator'
    market: Open<Jurisdiction>
    include: ('firmographics' | 'contacts')[]
    domains: string[]
    contacts_limit: number
    max_age_days: number
    occurred_from: string | null
    occurred_to: string | null
  }
  total: number
  page: number
  page_size: number
  next_cursor: string | null
  has_more: boolean
  signals: MarketEntry[]
  sources: {
    source_stream_key: string | null
    truth_state: TruthState
    hold_reasons: string[]
    last_confirmed_at: string | null
  }[]
  billing: {
    credits_charged: number
    breakdown: {
      key: 'signal.base'
      units: number
      credits_per_unit: number
      credits_charged: number
    }[]
    max_credits: number | null
  }
  credits_charged: number
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface MarketEntry {
  signal_ref: string
  type: 'market_entry'
  correction_of: string | null
  backfilled: boolean
  headline: string
  market: {
    scope: string
    key: string
    regulator: string
    regulator_country_code: string
    label: string
    truth_state: TruthState
    hold_reasons: string[]
    last_confirmed_at: string | null
    last_seen_at: string | null
    last_run_at: string | null
  }
  subject: {
    company_ref: string
    role: 'operator'
    role_derived_at: string
    brand: string | null
    domains: DomainEntry[]
  }
  change: {
    type: 'license_issued' | 'license_issue_retracted'
    occurred_at: string
    detected_at: string
    last_corrected_at: string | null
  }
  regulatory: {
    license_ref: string
    licensee_legal_name: string
    license_number: string
    license_type: string | null
    status: 'unknown' | 'active' | 'suspended' | 'revoked' | 'expired'
    issued_at: string
    expires_at: string | null
    last_confirmed_at: string | null
    authorized_domains: DomainEntry[]
  }
  quality: {
    confidence: 'low' | 'medium' | 'high'
    materiality: 'unscored' | 'low' | 'medium' | 'high'
    materiality_reasons: string[]
    coverage: {
      licenses: SectionCoverage
      authorized_domains: SectionCoverage
      firmographics: SectionCoverage
      contacts: SectionCoverage
    }
  }
  evidence: {
    source_type: 'license_registry'
    source_name: string
    source_url: string | null
    observed_at: string | null
  }[]
}

export interface SectionCoverage {
  status: 'included' | 'available' | 'not_available' | 'not_requested'
  reason: string | null
}

export interface ListPlatformSitesAnswer {
  query: {
    role: 'operator'
    platform: string
    occurred_from: string | null
    occurred_to: string | null
  }
  total: number
  page: number
  page_size: number
  next_cursor: string | null
  has_more: boolean
  signals: PlatformSite[]
  sources: {
    source_stream_key: string | null
    truth_state: TruthState
    hold_reasons: string[]
    last_confirmed_at: string | null
  }[]
  billing: {
    credits_charged: number
    breakdown: {
      key: 'signal.base'
      units: number
      credits_per_unit: number
      credits_charged: number
    }[]
    max_credits: number | null
  }
  credits_charged: number
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface PlatformSite {
  signal_ref: string
  type: 'platform_new_site'
  headline: string
  platform: {
    key: string
    name: string
  }
  subject: {
    company_ref: string
    role: 'operator'
    role_derived_at: string
    brand: string | null
    domain: string
  }
  change: {
    type: 'platform_first_observed'
    occurred_at: string
    detected_at: string
    last_corrected_at: string | null
  }
  evidence: {
    source_type: 'site_capture'
    source_url: string | null
    observed_at: string | null
  }[]
}

export interface ListRegisterChangesAnswer {
  query: {
    jurisdiction: Open<Jurisdiction>
    source_stream_key: string | null
    published_legal_name: string | null
    event_type: Open<RegisterEventType>[] | null
    occurred_from: string | null
    occurred_to: string | null
  }
  total: number
  page: number
  page_size: number
  next_cursor: string | null
  has_more: boolean
  signals: RegisterChange[]
  sources: {
    source_stream_key: string | null
    truth_state: TruthState
    hold_reasons: string[]
    last_confirmed_at: string | null
  }[]
  billing: {
    credits_charged: number
    breakdown: {
      key: 'signal.base'
      units: number
      credits_per_unit: number
      credits_charged: number
    }[]
    max_credits: number | null
  }
  credits_charged: number
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export type RegisterEventType = 'added_to_register' | 'removed_from_register' | 'revoked' | 'returned_to_register' | 'authorized_domains_changed' | 'published_expiry_changed' | 'license_type_changed' | 'legal_entity_changed' | 'published_status_changed'

export interface RegisterChange {
  signal_ref: string
  type: 'register_change'
  correction_of: string | null
  backfilled: boolean
  headline: string
  source: {
    source_stream_key: string
    jurisdiction: Open<Jurisdiction>
    source_claim: string
    qualification: string
    source_identity: string
  }
  subject: {
    company_ref: string | null
    role: 'unknown'
    published_legal_name: string | null
  }
  license: {
    license_number: string | null
    license_type: string | null
    reviewed_status_claim: string | null
    authorized_domains: string[]
  }
  change: {
    event_type: Open<RegisterEventType>
    change_set: {

    }
    occurred_at: string
    detected_at: string
    last_corrected_at: string | null
  }
  evidence: {
    source_type: 'register'
    source_url: string | null
    observed_at: string | null
  }[]
}

export interface ListVerdictChangesAnswer {
  query: {
    verdict_before: Verdict | null
    verdict_after: Verdict | null
    geo: Open<Jurisdiction> | null
    occurred_from: string | null
    occurred_to: string | null
  }
  total: number
  page: number
  page_size: number
  next_cursor: string | null
  has_more: boolean
  changes: VerdictChange[]
  billing: {
    credits_charged: number
    breakdown: {
      key: 'signal.base'
      units: number
      credits_per_unit: number
      credits_charged: number
    }[]
    max_credits: number | null
  }
  credits_charged: number
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface VerdictChange {
  change_ref: string
  domain: string
  before: VerdictSide
  after: VerdictSide
  occurred_at: string
  detected_at: string
  cause: 'coverage' | 'register' | 'import' | 'staff'
  is_correction: boolean
  correction_of: string | null
  signal_refs: string[]
}

export interface VerdictSide {
  verdict: Verdict
  licensed_by: LicensedBy[]
  blocked_by: BlockedBy[]
}

export interface PutPortfolioAnswer {
  name: string
  size: number
  added: number
  removed: number
  unresolved: UnresolvedInput[]
  position: number
  notify?: {
    secret: string
  }
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface ChangePortfolioAnswer {
  name: string
  size: number
  added: number
  removed: number
  unresolved: UnresolvedInput[]
  position: number
  notify?: {
    secret: string
  }
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface GetPortfolioAnswer {
  name: string
  note: string | null
  size: number
  position: number
  notify: {
    email?: {
      to: string
      last_sent_at: string | null
      last_outcome: string | null
      disabled_at: string | null
    }
    url?: {
      to: string
      last_sent_at: string | null
      last_outcome: string | null
      disabled_at: string | null
    }
  } | null
  created_at: string
  changed_at: string
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface DeletePortfolioAnswer {
  name: string
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface ListPortfoliosAnswer {
  portfolios: Portfolio[]
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface Portfolio {
  name: string
  note: string | null
  size: number
  position: number
  notify: {
    email?: {
      to: string
      last_sent_at: string | null
      last_outcome: string | null
      disabled_at: string | null
    }
    url?: {
      to: string
      last_sent_at: string | null
      last_outcome: string | null
      disabled_at: string | null
    }
  } | null
  created_at: string
  changed_at: string
}

export interface ListPortfolioMembersAnswer {
  name: string
  domains: PortfolioMember[]
  total: number
  page_size: number
  next_cursor: string | null
  has_more: boolean
  billing: {
    returned_count: number
    credits_per_result: number
    credits_charged: number
    billing_reason: string
    max_credits: number | null
  }
  credits_charged: number
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface PortfolioMember {
  domain: string
  verdict: Verdict
  licensed_by: LicensedBy[]
  blocked_by: BlockedBy[]
}

export interface ListPortfolioChangesAnswer {
  name: string
  page_size: number
  next_cursor: string
  has_more: boolean
  changes: VerdictChange[]
  billing: {
    credits_charged: number
    breakdown: {
      key: 'signal.base'
      units: number
      credits_per_unit: number
      credits_charged: number
    }[]
    max_credits: number | null
  }
  credits_charged: number
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface SearchLogosAnswer {
  results: LogoSubject[]
  found: number
  found_capped: boolean
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface LogoSubject {
  name: string
  kind: Open<LogoKind>
  slug: string
  domain: string
  role: Open<Role>[]
  logo_url: string | null
  logos: {
    url: string
    source: 'business_profile' | 'website' | 'catalog'
    variant: string
    theme: string
    format: 'svg' | 'png' | 'jpeg' | 'webp' | 'gif'
  }[]
}

export type LogoKind = 'operator_brand' | 'company' | 'supplier_brand' | 'payment_method' | 'game'

export interface GetCoverageAnswer {
  as_of: string
  share_live: number
  markets_with_stream: number
  markets_licensing_domains: number
  rendering: {
    state: 'on' | 'off' | 'unavailable'
    reason: string | null
  }
  markets: CoveredMarket[]
  history: {
    since: string | null
    days_recorded: number
    gaps: {
      from: string
      to: string
    }[]
    periods: {
      market: Open<Jurisdiction>
      state: MarketState
      from: string
      to: string
    }[]
  }
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface CoveredMarket {
  market: Open<Jurisdiction>
  name: string
  regulator: string
  state: MarketState
  not_published: Open<PublishedField>[]
  not_read: Open<PublishedField>[]
  licensees: CoveredHalf | null
  blocklist: CoveredHalf | null
  streams: CoveredStream[]
  regimes: Regime[]
  known_obstacle: {
    found: string
    on: string
    source: string
  } | null
}

export type MarketState = 'live' | 'loaded_from_files' | 'stale' | 'held' | 'not_covered'

export type PublishedField = 'licenses' | 'holders' | 'domains' | 'statuses' | 'revocations' | 'dates' | 'roles'

export interface CoveredHalf {
  sources: number
  state: MarketState
  layout: 'recorded' | 'described'
  last_confirmed_at: string | null
}

export interface CoveredStream {
  stream: string
  kind: StreamKind
  layout: 'recorded' | 'described'
  layout_recorded_at: string | null
  compared_with: string | null
  official_url: string | null
  cadence: {
    words: string | null
    hours: number | null
  }
  rows: number
  records_in_force: {
    licenses: number
    authorised_domains: number
    blocklist_entries: number
  }
  last_confirmed_at: string | null
  last_changed_at: string | null
  last_probed_at: string | null
  is_fetched: boolean
  truth_state: TruthState
  state: MarketState
  hold_reasons: string[]
  problems: string[]
  layout_changes: string[]
  publishes: Open<PublishedField>[]
  known_obstacle: {
    found: string
    on: string
    source: string
  } | null
}

export interface Regime {
  regime_ref: string
  market: Open<Jurisdiction>
  vertical: RegimeVertical
  state: RegimeState
  from: string
  to: string | null
  source_url: string
  note: string | null
  known_from: string
  known_to: string | null
}

export interface ListRegimesAnswer {
  regimes: Regime[]
  as_of: string
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface CreateExportAnswer {
  export_id: number
  poll_url: string
  quoted_credits: number
  credits_charged: number
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export type ExportFormat = 'csv' | 'json'

export interface ShowExportAnswer {
  id: number
  status: 'completed'
  format: ExportFormat
  download_url: string
  total_rows: number
  expected_rows: number
  truncated_by: ExportTruncation | null
  credits_used: number
  bytes: number
  sha256: string
  completed_at: string
  expires_at: string
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export type ExportTruncation = 'max_rows' | 'row_limit' | 'credits'

export interface ListProspectListsAnswer {
  prospect_lists: {
    prospect_list_ref: string
    status: 'requested' | 'preparing' | 'ready'
    cadence: 'one_time' | 'weekly' | 'continuous'
    requested_at: string
    ready_at: string | null
    target_account_count: number | null
    download_path: string | null
    result?: null
  }[]
  next_cursor: string | null
  has_more: boolean
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface ShowProspectListAnswer {
  prospect_list_ref: string
  status: 'requested' | 'preparing' | 'ready'
  cadence: 'one_time' | 'weekly' | 'continuous'
  requested_at: string
  ready_at: string | null
  target_account_count: number | null
  download_path: string | null
  result: ProspectListResult | null
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

export interface ProspectListResult {
  schema_version: 1
  request_interpretation: {
    journey: string
    summary: string
  }
  executive_summary: string
  target_accounts: ProspectTarget[]
}

export interface ProspectTarget {
  target_ref: string
  name: string
  website: string | null
  candidate_organizations: {
    name: string
    role: string
  }[]
  key_contacts: ProspectContact[]
  licences?: {
    jurisdiction: string
    licence_number: string
    licence_type: string | null
  }[]
  brands?: string[]
}

export interface ProspectContact {
  contact_ref: string
  name: string
  role: string | null
  professional_profile_url: string | null
  contact_channels: string[]
}

export interface ShowAccountAnswer {
  plan: string
  credits_granted: number | null
  credits_used: number
  credits_reserved: number
  available_credits: number
  demo?: boolean
  simulated?: boolean
  _demo_redactions?: {
    paths?: string[]
  }
}

/** The operations of the API; parameters and fields have the names of the wire. */
export abstract class Operations {
  protected abstract call<Answer>(operation: Operation, params: object, options?: CallOptions): Call<Answer>
  protected abstract pages<Answer, Row>(
    operation: Operation,
    params: object,
    options?: PagesOptions<Answer>,
  ): Pages<Answer, Row>

  /** Resolve a domain to its verdict. 1 credit per verdict, 5 credits per available profile, 10 credits per completed check. */
  resolveDomain(params: ResolveDomainParams, options?: CallOptions): Call<ResolveDomainAnswer> {
    return this.call({"method":"GET","path":"/v1/domains/resolve","isPriced":true}, params, options)
  }

  /** Resolve up to 1,000 domains to their verdicts. 1 credit per verdict. */
  resolveDomains(params: ResolveDomainsParams, options?: CallOptions): Call<ResolveDomainsAnswer> {
    return this.call({"method":"POST","path":"/v1/domains/resolve","isPriced":true}, params, options)
  }

  /** List domains by verdict. 1 credit per row. */
  searchDomains(params: SearchDomainsParams, options?: PagesOptions<SearchDomainsAnswer>): Pages<SearchDomainsAnswer, SearchDomainsAnswer['domains'][number]> {
    return this.pages({"method":"GET","path":"/v1/domains/search","isPriced":true,"rows":"domains"}, params, options)
  }

  /** Have a site checked. 10 credits per completed check. */
  createEnrichment(params: CreateEnrichmentParams, options?: CallOptions): Call<CreateEnrichmentAnswer> {
    return this.call({"method":"POST","path":"/v1/enrichments","isPriced":true}, params, options)
  }

  /** Show the check of a site. Free. */
  getEnrichment(params: ShowEnrichmentParams, options?: CallOptions): Call<ShowEnrichmentAnswer> {
    return this.call({"method":"GET","path":"/v1/enrichments/{id}","isPriced":false}, params, options)
  }

  /** @deprecated Use getEnrichment. */
  showEnrichment(params: ShowEnrichmentParams, options?: CallOptions): Call<ShowEnrichmentAnswer> {
    return this.getEnrichment(params, options)
  }

  /** See the lobby of a casino. 10 credits per finished run. */
  createLobbyRun(params: CreateLobbyRunParams, options?: CallOptions): Call<CreateLobbyRunAnswer> {
    return this.call({"method":"POST","path":"/v1/lobby-runs","isPriced":true}, params, options)
  }

  /** List your runs of the lobby monitor. Free. */
  listLobbyRuns(params: ListLobbyRunsParams = {}, options?: PagesOptions<ListLobbyRunsAnswer>): Pages<ListLobbyRunsAnswer, ListLobbyRunsAnswer['lobby_runs'][number]> {
    return this.pages({"method":"GET","path":"/v1/lobby-runs","isPriced":false,"rows":"lobby_runs"}, params, options)
  }

  /** Show a run of the lobby monitor. Free. */
  getLobbyRun(params: ShowLobbyRunParams, options?: CallOptions): Call<ShowLobbyRunAnswer> {
    return this.call({"method":"GET","path":"/v1/lobby-runs/{ref}","isPriced":false}, params, options)
  }

  /** @deprecated Use getLobbyRun. */
  showLobbyRun(params: ShowLobbyRunParams, options?: CallOptions): Call<ShowLobbyRunAnswer> {
    return this.getLobbyRun(params, options)
  }

  /** Compare two runs of a lobby. Free. */
  listLobbyChanges(params: ListLobbyChangesParams, options?: CallOptions): Call<ListLobbyChangesAnswer> {
    return this.call({"method":"GET","path":"/v1/lobby-runs/{ref}/changes","isPriced":false}, params, options)
  }

  /** Preview a Company search. Free. */
  previewCompanies(params: PreviewCompaniesParams = {}, options?: CallOptions): Call<PreviewCompaniesAnswer> {
    return this.call({"method":"GET","path":"/v1/companies/search/preview","isPriced":false}, params, options)
  }

  /** Search Companies. 1 credit per row. */
  searchCompanies(params: SearchCompaniesParams = {}, options?: PagesOptions<SearchCompaniesAnswer>): Pages<SearchCompaniesAnswer, SearchCompaniesAnswer['hits'][number]> {
    return this.pages({"method":"GET","path":"/v1/companies/search","isPriced":true,"rows":"hits"}, params, options)
  }

  /** Resolve an identifier to Company profiles. 3 credits per profile, 12 credits per available Domain result. */
  resolveCompany(params: ResolveCompanyParams = {}, options?: CallOptions): Call<ResolveCompanyAnswer> {
    return this.call({"method":"GET","path":"/v1/companies/resolve","isPriced":true}, params, options)
  }

  /** Decision-makers of a Company. 9 credits per contact. */
  listPeople(params: ListPeopleParams, options?: PagesOptions<ListPeopleAnswer>): Pages<ListPeopleAnswer, NonNullable<ListPeopleAnswer['contacts']>[number]> {
    return this.pages({"method":"GET","path":"/v1/companies/{company_ref}/people","isPriced":true,"rows":"contacts"}, params, options)
  }

  /** The role glossary of the people filter. Free. */
  listRoles(options?: CallOptions): Call<ListRolesAnswer> {
    return this.call({"method":"GET","path":"/v1/people/roles","isPriced":false}, {}, options)
  }

  /** Resolve a license to its profile. 3 credits per profile. */
  resolveLicense(params: ResolveLicenseParams = {}, options?: CallOptions): Call<ResolveLicenseAnswer> {
    return this.call({"method":"GET","path":"/v1/licenses/resolve","isPriced":true}, params, options)
  }

  /** Preview a license search. Free. */
  previewLicenses(params: PreviewLicensesParams = {}, options?: CallOptions): Call<PreviewLicensesAnswer> {
    return this.call({"method":"GET","path":"/v1/licenses/search/preview","isPriced":false}, params, options)
  }

  /** Search licenses. 1 credit per row. */
  searchLicenses(params: SearchLicensesParams = {}, options?: PagesOptions<SearchLicensesAnswer>): Pages<SearchLicensesAnswer, SearchLicensesAnswer['hits'][number]> {
    return this.pages({"method":"GET","path":"/v1/licenses/search","isPriced":true,"rows":"hits"}, params, options)
  }

  /** List market entries. 1 credit per Signal. */
  listMarketEntries(params: ListMarketEntriesParams, options?: PagesOptions<ListMarketEntriesAnswer>): Pages<ListMarketEntriesAnswer, ListMarketEntriesAnswer['signals'][number]> {
    return this.pages({"method":"GET","path":"/v1/signals/market-entries","isPriced":true,"rows":"signals"}, params, options)
  }

  /** List new sites on a platform. 1 credit per Signal. */
  listPlatformSites(params: ListPlatformSitesParams, options?: PagesOptions<ListPlatformSitesAnswer>): Pages<ListPlatformSitesAnswer, ListPlatformSitesAnswer['signals'][number]> {
    return this.pages({"method":"GET","path":"/v1/signals/platform-sites","isPriced":true,"rows":"signals"}, params, options)
  }

  /** List register changes. 1 credit per Signal. */
  listRegisterChanges(params: ListRegisterChangesParams, options?: PagesOptions<ListRegisterChangesAnswer>): Pages<ListRegisterChangesAnswer, ListRegisterChangesAnswer['signals'][number]> {
    return this.pages({"method":"GET","path":"/v1/signals/register-changes","isPriced":true,"rows":"signals"}, params, options)
  }

  /** List changes of verdicts. 1 credit per Signal. */
  listVerdictChanges(params: ListVerdictChangesParams = {}, options?: PagesOptions<ListVerdictChangesAnswer>): Pages<ListVerdictChangesAnswer, ListVerdictChangesAnswer['changes'][number]> {
    return this.pages({"method":"GET","path":"/v1/signals/verdict-changes","isPriced":true,"rows":"changes"}, params, options)
  }

  /** Create or replace a portfolio. Free. */
  putPortfolio(params: PutPortfolioParams, options?: CallOptions): Call<PutPortfolioAnswer> {
    return this.call({"method":"PUT","path":"/v1/portfolios/{name}","isPriced":false}, params, options)
  }

  /** Add and remove members of a portfolio. Free. */
  changePortfolio(params: ChangePortfolioParams, options?: CallOptions): Call<ChangePortfolioAnswer> {
    return this.call({"method":"PATCH","path":"/v1/portfolios/{name}","isPriced":false}, params, options)
  }

  /** Show a portfolio. Free. */
  getPortfolio(params: GetPortfolioParams, options?: CallOptions): Call<GetPortfolioAnswer> {
    return this.call({"method":"GET","path":"/v1/portfolios/{name}","isPriced":false}, params, options)
  }

  /** Delete a portfolio. Free. */
  deletePortfolio(params: DeletePortfolioParams, options?: CallOptions): Call<DeletePortfolioAnswer> {
    return this.call({"method":"DELETE","path":"/v1/portfolios/{name}","isPriced":false}, params, options)
  }

  /** List your portfolios. Free. */
  listPortfolios(options?: CallOptions): Call<ListPortfoliosAnswer> {
    return this.call({"method":"GET","path":"/v1/portfolios","isPriced":false}, {}, options)
  }

  /** List the members of a portfolio with their verdicts. 1 credit per row. */
  listPortfolioMembers(params: ListPortfolioMembersParams, options?: PagesOptions<ListPortfolioMembersAnswer>): Pages<ListPortfolioMembersAnswer, ListPortfolioMembersAnswer['domains'][number]> {
    return this.pages({"method":"GET","path":"/v1/portfolios/{name}/members","isPriced":true,"rows":"domains"}, params, options)
  }

  /** List what changed among the members of a portfolio. 1 credit per Signal. */
  listPortfolioChanges(params: ListPortfolioChangesParams, options?: PagesOptions<ListPortfolioChangesAnswer>): Pages<ListPortfolioChangesAnswer, ListPortfolioChangesAnswer['changes'][number]> {
    return this.pages({"method":"GET","path":"/v1/portfolios/{name}/changes","isPriced":true,"rows":"changes"}, params, options)
  }

  /** Search logos. Free. */
  searchLogos(params: SearchLogosParams, options?: CallOptions): Call<SearchLogosAnswer> {
    return this.call({"method":"GET","path":"/v1/logos/search","isPriced":false}, params, options)
  }

  /** What is read of each market, and how current it is. Free. */
  getCoverage(options?: CallOptions): Call<GetCoverageAnswer> {
    return this.call({"method":"GET","path":"/v1/coverage","isPriced":false}, {}, options)
  }

  /** What the law of each market allows, by day. Free. */
  listRegimes(params: ListRegimesParams = {}, options?: CallOptions): Call<ListRegimesAnswer> {
    return this.call({"method":"GET","path":"/v1/regimes","isPriced":false}, params, options)
  }

  /** Create an export. 1 credit per row, 5 credits per available profile. */
  createExport(params: CreateExportParams = {}, options?: CallOptions): Call<CreateExportAnswer> {
    return this.call({"method":"POST","path":"/v1/exports","isPriced":true}, params, options)
  }

  /** Retrieve an export. Free. */
  getExport(params: ShowExportParams, options?: CallOptions): Call<ShowExportAnswer> {
    return this.call({"method":"GET","path":"/v1/exports/{id}","isPriced":false}, params, options)
  }

  /** @deprecated Use getExport. */
  showExport(params: ShowExportParams, options?: CallOptions): Call<ShowExportAnswer> {
    return this.getExport(params, options)
  }

  /** Download an export. Free. */
  downloadExport(params: DownloadExportParams, options?: CallOptions): Call<Response> {
    return this.call({"method":"GET","path":"/v1/exports/{id}/download","isPriced":false,"isFile":true}, params, options)
  }

  /** List your prospect lists. Free. */
  listProspectLists(params: ListProspectListsParams = {}, options?: PagesOptions<ListProspectListsAnswer>): Pages<ListProspectListsAnswer, ListProspectListsAnswer['prospect_lists'][number]> {
    return this.pages({"method":"GET","path":"/v1/prospect-lists","isPriced":false,"rows":"prospect_lists"}, params, options)
  }

  /** Show one prospect list, with its result. Free. */
  getProspectList(params: ShowProspectListParams, options?: CallOptions): Call<ShowProspectListAnswer> {
    return this.call({"method":"GET","path":"/v1/prospect-lists/{prospect_list_ref}","isPriced":false}, params, options)
  }

  /** @deprecated Use getProspectList. */
  showProspectList(params: ShowProspectListParams, options?: CallOptions): Call<ShowProspectListAnswer> {
    return this.getProspectList(params, options)
  }

  /** Download a ready prospect list as CSV. Free. */
  downloadProspectList(params: DownloadProspectListParams, options?: CallOptions): Call<Response> {
    return this.call({"method":"GET","path":"/v1/prospect-lists/{prospect_list_ref}/download","isPriced":false,"isFile":true}, params, options)
  }

  /** Get the plan and the credit balance. Free. */
  getAccount(options?: CallOptions): Call<ShowAccountAnswer> {
    return this.call({"method":"GET","path":"/v1/account","isPriced":false}, {}, options)
  }

  /** @deprecated Use getAccount. */
  showAccount(options?: CallOptions): Call<ShowAccountAnswer> {
    return this.getAccount(options)
  }
}
