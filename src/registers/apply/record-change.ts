import type { RecordKind } from '../stream.ts'

/** A record as a register publishes it, with the domains that it authorises; dates are `YYYY-MM-DD`. */
export type RecordState = {
  license_number?: string | null
  license_type?: string | null
  status?: string | null
  issued_at?: string | null
  expires_at?: string | null
  source_url?: string | null
  role?: 'operator' | 'supplier' | null
  legal_entity: string | null
  /** Of a domain that is listed by itself: which one, also where it authorises nothing. */
  domain?: string
  /** The same as printed: which host of it. */
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
  /** null: it was not on the register. */
  before: State | null
  /** null: it no longer is. */
  after: State | null
  /** Whether the register had it at an earlier time. */
  wasThereBefore: boolean
  companyId: number | null
  licenseId: number | null
}

export type RecordChange =
  | Change<'license' | 'licensee' | 'authorisation', RecordState>
  | Change<'blocklist_entry', EntryState>
