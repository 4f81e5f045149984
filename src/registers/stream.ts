/** The facts of a source, and a parser of its bytes that needs neither database nor network. */
import type { DomainProblem } from '../core/domain-name.ts'
import type { SiteScope } from '../core/judge-entry.ts'
import { storableText } from '../core/storable-text.ts'

/** Read in chunks, so that a large register is never in memory whole. */
export type SourceFile = {
  name: string
  open(): AsyncIterable<Uint8Array>
  /** From `demo/`, whose registers are smaller than real ones. */
  isDemo?: boolean
}

/** Only scope `domain` decides a verdict; the others are evidence. */
type EntryScope =
  | SiteScope
  | 'app' // an app id
  | 'payment_account' // a bank account or IBAN

export type BlocklistRow = {
  record: 'blocklist_entry'
  /** Identifies the record in its stream across snapshots. */
  recordKey: string
  published: string
  scope: EntryScope
  /** Canonical registrable domain; null on shared hosts, for apps and payment accounts. */
  domain: string | null
  /** Canonical host and path; null for apps and payment accounts. */
  listedAs: string | null
  /** The register's own dates as ISO 8601 instants; null where it publishes none. */
  listedAt: string | null
  delistedAt: string | null
  /** false if published as no longer blocked (a deletion date, a cancelled status). */
  listed: boolean
}

export type LicenseeRow = {
  record: 'licensee'
  recordKey: string
  legalName: string
  tradingNames: string[]
  country: string | null
  /** In the company register of its country, as published. */
  registrationNumber: string | null
}

export type LicenseRow = {
  record: 'license'
  /** The number without any part that varies by itself (UKGC's version counter). */
  recordKey: string
  licenseNumber: string
  licenseType: string | null
  status: string | null
  licenseeKey: string
  issuedAt: string | null
  expiresAt: string | null
  sourceUrl: string | null
  /** Null where the register does not distinguish them. An operator's license is a market entry (§4.1). */
  role: 'operator' | 'supplier' | null
}

export type AuthorisationRow = {
  record: 'authorisation'
  recordKey: string
  domain: string
  published: string
  /** Status of the domain itself: `active`, `white_label`, `inactive`. */
  status: string | null
  /** Whether the listing licenses the domain, regardless of the license's status. */
  counts: boolean
  licenseKey: string | null
  licenseeKey: string | null
}

export type NormalisedRow = BlocklistRow | LicenseeRow | LicenseRow | AuthorisationRow

export type RecordKind = NormalisedRow['record']

export type Reject = { record: 'reject'; reason: RejectReason; line: number; published: string }

export type RejectReason =
  | DomainProblem
  | 'shared_host' // a page on a host of many parties cannot license the host
  | 'help_site' // help for gamblers, or a laboratory, linked beside the sites of licensees
  | 'bad_date'
  | 'unknown_status'
  | 'unknown_kind' // of a blocked object
  | 'unknown_account' // a row of an account that is missing from the register's own list of accounts
  | 'duplicate'
  | 'undecided' // the source has not decided yet: counted apart from rejected rows
  | 'unparsable'

/** A note in the report about a row that was used (e.g. an account without a license row). */
export type Notice = { record: 'notice'; notice: string; published: string }

export type Reading = NormalisedRow | Reject | Notice

/** Refuses a whole snapshot. The message is stored in the history: what was expected and what was found. */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  constructor(message: string, options?: ErrorOptions) {
    super(storableText(message), options)
  }
}

/** How often the source is updated: in words, and as the interval of fetching. */
export type Cadence = { words: string; hours: number }

/** The facts that a source publishes. No others are inferred from it. */
export type Publishes = {
  licenses: boolean
  holders: boolean
  /** Of a license, a domain or an entry, beyond its presence in the file. */
  statuses: boolean
  /** Whether it publishes revocations: only then are there `revoked` Signals. */
  revoked: boolean
  dates: boolean
  domains: boolean
  roles: boolean
}

/** Which of several links or values is the current file. */
export type Choice = {
  /** A regular expression for the address as published. Case does not matter. */
  href?: string
  /** Of several that match. `latest_date`: by the date in the text of the link or in its address. Default: `first`. */
  newest?: 'first' | 'last' | 'latest_date'
}

/** Which link of an HTML page is meant. */
export type LinkChoice = Choice & {
  /** `#id`, `.class` or the name of an element: only links inside the first such element count. */
  within?: string
  /** A regular expression for the text of the link, in the language of the stream. */
  text?: string
}

/** How the current file is found from the address of an OfficialFile. */
export type Resolve =
  | { by: 'direct' }
  /** A link on an HTML page. `next`: it leads to another page, which has the link to the file. */
  | ({ by: 'newest_link'; next?: LinkChoice } & LinkChoice)
  /** Addresses in a JSON document, at a path of members separated by `/`; `*` is each of an array. */
  | ({ by: 'json_field'; path: string } & Choice)
  /** The address itself, and further pages of it with this parameter, up to the highest number that it links to. */
  | { by: 'pages'; parameter: string }
  /** An online spreadsheet with an address of the form `…/spreadsheets/d/ID/…`: the CSV of the sheet with this gid. */
  | { by: 'sheet'; gid: number }

export type OfficialFile = { url: string; resolve: Resolve }

/** Where the regulator publishes the files, what they look like, and how each of these facts is known. */
export type Official = {
  /** Fetched in this order as one snapshot. Empty: the address of no file is known. */
  files: readonly OfficialFile[]
  /** Of headers, link texts and remarks: a language tag (BCP 47). */
  language: string
  /** `recorded`: read from a file of the regulator. `described`: known from documents or public code alone. */
  layout: 'recorded' | 'described'
  /** Day of the recorded file; null if the layout is described. */
  layoutRecordedAt: string | null
  /** All headers of the official table as printed, also those that are not read. Empty: no header. */
  columns: readonly string[]
  /** The license of the data as the regulator states it; null: not known. */
  terms: string | null
  /** Where the facts come from: public documents, files or code. */
  sources: {
    /** Of `officialUrl` and `files`. */
    address: string
    /** Of `format`, `layout`, `columns`, `language`, `publishes` and `endsWithLineBreak`. */
    layout: string
    cadence: string
    /** Of `rowsMin`, `rowsMax` and `removedShareMax`. */
    rows: string
    /** Null if `terms` is null. */
    terms: string | null
  }
}

export type Stream = {
  /** `<jurisdiction>.<what>`, as contract section 12 names them. */
  key: string
  /** Market code of §2.2 (plus `ukraine`); for blocklists also the name of the regulator. */
  market: string
  covers: readonly ('register' | 'blocklist')[]
  regulator: string
  regulatorCountryCode: string
  /** Where a person finds the register: the file, or the page that links to it. */
  officialUrl: string
  official: Official
  /** Of the official files, then of mirrors' files that are read too. */
  format: string
  cadence: Cadence
  publishes: Publishes
  /** Whether its records can contain an operator's license with its holder: a market entry (§4.1). */
  makesMarketEntries: boolean
  /** In words, what identifies a record across snapshots. */
  identity: string
  /** A first snapshot with fewer or more rows is quarantined; null: no limit. */
  rowsMin: number
  rowsMax: number | null
  /** A snapshot with fewer rows is probably incomplete: the report has a notice. */
  rowsComplete: number
  /** Share of the records in force that a snapshot may remove; of more it is quarantined. */
  removedShareMax: number
  /** Whether each line of its files ends with a line break: a first file without one is quarantined. */
  endsWithLineBreak: boolean
  sourceClaim: 'license' | 'authorised_domain' | 'blocklist' | 'license_and_blocklist'
  qualification: string
  sourceIdentity: string
  /** Increased whenever the parser reads the same bytes differently. */
  parserVersion: number
  /** Whether the parser infers holders of domains from surrounding rows; changes of these are no Signals. */
  infersHolders?: boolean | undefined
  read(files: readonly SourceFile[]): AsyncIterable<Reading>
}
