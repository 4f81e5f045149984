/**
 * What a source is: facts and a small parser. A parser turns a regulator's bytes into normalised rows and
 * touches neither a database nor a network.
 */
import { storableText } from '../core/storable-text.ts'

/** One file of a snapshot, read as chunks so that a large register never stands in memory whole. */
export type SourceFile = { name: string; open(): AsyncIterable<Uint8Array> }

/** Whether an entry of a blocklist decides the verdict of its domain, or is evidence only. */
export type EntryScope =
  | 'domain' // the registrable domain itself or a host below it: gives a verdict
  | 'path' // one path of a site: evidence only
  | 'shared_host' // a page on a host of many parties (social network, app store): evidence only
  | 'app' // an app id: evidence only
  | 'payment_account' // a bank account or IBAN: evidence only

export type BlocklistRow = {
  record: 'blocklist_entry'
  /** Identity of the record within its stream, stable from snapshot to snapshot. */
  recordKey: string
  /** The entry as published, trimmed. */
  published: string
  scope: EntryScope
  /** Canonical registrable domain; null unless the scope is `domain` or `path`. */
  domain: string | null
  /** The register's own dates; null where it gives none. ISO 8601 instants. */
  listedAt: string | null
  delistedAt: string | null
  /** false when the record says itself that it no longer blocks (a deletion date, a cancelled status). */
  listed: boolean
}

export type LicenseeRow = {
  record: 'licensee'
  /** The register's account of the licensee. */
  recordKey: string
  legalName: string
  tradingNames: string[]
  /** ISO 3166-1 alpha-2; null where the source gives none. */
  country: string | null
  /** In the company register of its country, as published; null where the source gives none. */
  registrationNumber: string | null
}

export type LicenseRow = {
  record: 'license'
  /** Identity of the license: the number without what moves alone (UKGC's version counter). */
  recordKey: string
  licenseNumber: string
  licenseType: string | null
  /** Normalised by core/license-status.ts; null where the source publishes none. */
  status: string | null
  licenseeKey: string
  issuedAt: string | null
  expiresAt: string | null
  sourceUrl: string | null
  /** What the register lists its holder as; null where it does not tell. An operator's license is a market entry (§4.1). */
  role: 'operator' | 'supplier' | null
}

export type AuthorisationRow = {
  record: 'authorisation'
  recordKey: string
  domain: string
  /** The domain as published, trimmed. */
  published: string
  /** Normalised status of the domain itself (`active`, `white_label`, `inactive`); null where none is published. */
  status: string | null
  /** Whether, its license's status aside, this listing licenses the domain. */
  counts: boolean
  licenseKey: string | null
  licenseeKey: string | null
}

export type NormalisedRow = BlocklistRow | LicenseeRow | LicenseRow | AuthorisationRow

export type RecordKind = NormalisedRow['record']

/** A published row that could not be used: why, and where it stands. */
export type Reject = { record: 'reject'; reason: RejectReason; line: number; published: string }

export type RejectReason =
  | 'empty'
  | 'ip_address'
  | 'not_a_domain'
  | 'bare_suffix'
  | 'underscore'
  | 'too_long'
  | 'shared_host' // a page on a host of many parties cannot license the host
  | 'bad_date'
  | 'unknown_status'
  | 'unknown_account' // a row of an account that the register's own list of accounts does not name
  | 'duplicate'
  | 'not_yet_decided'
  | 'unparsable'

/** Something worth telling in the report although the row was used (e.g. an account without a license row). */
export type Notice = { record: 'notice'; notice: string; published: string }

export type Reading = NormalisedRow | Reject | Notice

/**
 * A snapshot refused whole; the message says what was expected and what was found. It quotes the file, and stands in the
 * history.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  constructor(message: string, options?: ErrorOptions) {
    super(storableText(message), options)
  }
}

/** How often the source says something new, in words and as the interval after which it is asked again. */
export type Cadence = { words: string; hours: number }

/** What a source publishes; what it does not publish is never concluded from it. */
export type Publishes = {
  /** Whether it prints that a license was revoked: only then is there a `revoked` Signal. */
  revoked: boolean
  /** When licenses begin or end, or when entries were listed. */
  dates: boolean
  domains: boolean
  /** Whether it tells operators from suppliers. */
  roles: boolean
}

export type Stream = {
  /** `<jurisdiction>.<what>`, as contract section 12 names them. */
  key: string
  /** Market code of §2.2 (plus `ukraine`) for licenses and authorisations, and regulator name for blocklists. */
  market: string
  covers: readonly ('register' | 'blocklist')[]
  regulator: string
  regulatorCountryCode: string
  officialUrl: string
  format: string
  cadence: Cadence
  publishes: Publishes
  /** What makes two rows of two snapshots the same record, in words. */
  identity: string
  /** Fewer rows than this are hardly a complete snapshot of this register: the report remarks it. */
  rowsMin: number
  /** What the source claims by listing something, for §4.3 `source.source_claim`. */
  sourceClaim: 'license' | 'authorised_domain' | 'blocklist' | 'license_and_blocklist'
  qualification: string
  sourceIdentity: string
  /** Raised whenever the reader reads the same bytes differently. */
  parserVersion: number
  /** Whether a record missing from a newer snapshot was removed (false where only a date removes). */
  absenceRemoves: boolean
  /**
   * Whether its reader concludes whose a domain is from the rows around it. A holder that is found or lost that way is mended
   * in the data and told by no Signal: the row of the domain says what it said.
   */
  infersHolders?: boolean | undefined
  read(files: readonly SourceFile[]): AsyncIterable<Reading>
}
