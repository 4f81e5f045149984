import type { RecordKind } from '../stream.ts'

/** A record as published, with the domains that it authorises. Dates are `YYYY-MM-DD`. */
export type RecordState = {
  license_number?: string | null
  license_type?: string | null
  status?: string | null
  issued_at?: string | null
  expires_at?: string | null
  source_url?: string | null
  role?: 'operator' | 'supplier' | null
  legal_entity: string | null
  /** The domain of a record without license or licensee. It is set even if it authorises nothing. */
  domain?: string
  /** The domain as published, with its host. */
  published?: string
  trading_names: string[]
  authorized_domains: string[]
}

export type EntryState = {
  domain: string | null
  published: string
  scope: string
  listed: boolean
  listed_at: string | null
  delisted_at: string | null
}

type Change<Kind extends RecordKind, State> = {
  kind: Kind
  recordKey: string
  before: State | null
  after: State | null
  wasListedBefore: boolean
  /** Whether a license was stored before in any way, or another source of the market has its number. */
  wasKnown: boolean
}

export type RecordChange =
  | Change<'license' | 'licensee' | 'authorisation', RecordState>
  | Change<'blocklist_entry', EntryState>
