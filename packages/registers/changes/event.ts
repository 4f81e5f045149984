/** What a change of a record means to a reader of the register, in the event types of §6. */
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
  | ChangedEntry

type PublishedRecord = Partial<PublishedLicense> & {
  legal_entity: string | null
  authorized_domains: string[]
}

export type ChangedEntry = {
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

/** An event of a record between two snapshots. */
export type RegisterEvent = {
  eventType: RegisterEventType
  /** Whether the event is a new license of an operator (§4.1). */
  isMarketEntry: boolean
  publishedLegalName: string | null
  /** The legal name before the change; null if it stayed the same. */
  formerLegalName: string | null
  headline: string
  occurredAt: Date
  content: RegisterChangeContent
}
