/** Declares Signals before they are numbered, and the content that is stored with them. */

export const feedNames = ['register_changes', 'market_entries', 'platform_sites'] as const
export type FeedName = (typeof feedNames)[number]

export const registerEventTypes = [
  'added_to_register',
  'removed_from_register',
  'revoked',
  'returned_to_register',
  'authorized_domains_changed',
  'published_expiry_changed',
  'license_type_changed',
  'legal_entity_changed',
  'published_status_changed',
] as const

export type RegisterEventType = (typeof registerEventTypes)[number]

export const platformEventType = 'platform_first_observed' as const

export type RecordKind = 'license' | 'licensee' | 'authorisation' | 'blocklist_entry'

/** A license as published with the change; dates are `YYYY-MM-DD`. */
export type PublishedLicense = {
  license_number: string | null
  license_type: string | null
  status: string | null
  issued_at: string | null
  expires_at: string | null
  source_url: string | null
}

/** The change of a record: an added one has `after`, a removed one `before`, and a changed field both. */
export type ChangeSet =
  | { after: PublishedRecord }
  | { before: PublishedRecord }
  | {
      [Field in 'status' | 'license_type' | 'expires_at' | 'legal_entity']?: {
        before: string | null
        after: string | null
      }
    }
  | { authorized_domains: { added: string[]; removed: string[] } }
  | PublishedSignalEntry

type PublishedRecord = Partial<PublishedLicense> & {
  legal_entity: string | null
  authorized_domains: string[]
}

export type PublishedSignalEntry = {
  /** The domain; null for apps, payment accounts and pages on shared hosts. */
  domain: string | null
  published: string
  scope: string
  listed_at: string | null
  delisted_at: string | null
}

export type RegisterChangeContent = {
  /** The license; null for other kinds of records. */
  license: PublishedLicense | null
  role: 'operator' | 'supplier' | null
  brand: string | null
  /** The sorted domains after the change, or before the removal of the record. */
  authorized_domains: string[]
  change_set: ChangeSet
  source_url: string | null
  observed_at: string
}

export type RegisterChangeDraft = {
  type: 'register_change'
  signalRef: string
  stream: string
  market: string
  eventType: RegisterEventType
  recordKind: RecordKind
  recordKey: string
  isMarketEntry: boolean
  companyId: number | null
  licenseId: number | null
  publishedLegalName: string | null
  /** The legal name before the change; null if it stayed the same. */
  formerLegalName: string | null
  headline: string
  occurredAt: Date
  detectedAt: Date
  snapshotId: number
  content: RegisterChangeContent
  /** The ref of the Signal that this one reverses, if any. */
  correctionOf?: string
  /** Is true for a snapshot that was read as history; false by default. */
  isBackfill?: boolean
}

export type PlatformSiteDraft = {
  type: 'platform_new_site'
  signalRef: string
  eventType: typeof platformEventType
  platformId: number
  domainId: number
  companyId: number
  headline: string
  occurredAt: Date
  detectedAt: Date
  content: { brand: string | null; source_url: string | null }
}

export type SignalDraft = RegisterChangeDraft | PlatformSiteDraft
