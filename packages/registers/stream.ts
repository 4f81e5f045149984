/** The facts of a source, and a parser of its files that needs neither database nor network. */
import type { DomainProblem } from '@baize/names'
import type { SourceFile } from '@baize/tables'
import type { SiteScope } from './entries/judge-entry.ts'

/** Only the scope `domain` decides a verdict; entries of other scopes are evidence. */
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
  /** The canonical registrable domain; null on shared hosts, and for apps and payment accounts. */
  domain: string | null
  /** The canonical host and path; null for apps and payment accounts. */
  listedAs: string | null
  /** The register's own date of the listing as an ISO 8601 instant; null where it publishes none. */
  listedAt: string | null
  delistedAt: string | null
  /** Is false if the entry is published as no longer blocked, by a deletion date or a cancelled status. */
  listed: boolean
}

export type LicenseeRow = {
  record: 'licensee'
  recordKey: string
  legalName: string
  tradingNames: string[]
  country: string | null
  /** The number in the company register of its country, as published. */
  registrationNumber: string | null
  /** Says whether the holder is a natural person; her name is replaced. */
  isPerson?: boolean | null
}

export type LicenseRow = {
  record: 'license'
  /** The license number without parts that change on their own, such as the UKGC's version counter. */
  recordKey: string
  /** null where the register prints none. */
  licenseNumber: string | null
  licenseType: string | null
  status: string | null
  licenseeKey: string
  issuedAt: string | null
  expiresAt: string | null
  sourceUrl: string | null
  /**
   * The role of the license; null where the register does not distinguish roles. An operator's license is a
   * market entry (§4.1).
   */
  role: 'operator' | 'supplier' | null
}

export type AuthorisationRow = {
  record: 'authorisation'
  recordKey: string
  domain: string
  published: string
  /** The status of the domain itself: `active`, `white_label` or `inactive`. */
  status: string | null
  /** Is true if the listing licenses the domain, whatever the license's status. */
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

/** A note in the report about a row that was read, such as an account without a license row. */
export type Notice = { record: 'notice'; notice: string; published: string }

export type Reading = NormalisedRow | Reject | Notice

/** The interval of the source's updates in words, and the interval of fetching in hours. */
export type Cadence = { words: string; hours: number }

/** The kinds of facts that a source publishes. No others are inferred from it. */
export type Publishes = {
  licenses: boolean
  holders: boolean
  /** Says whether it publishes a status of a license, a domain or an entry, beyond its presence in the file. */
  statuses: boolean
  /** Says whether it publishes revocations. Only such a source gives `revoked` Signals. */
  revoked: boolean
  dates: boolean
  domains: boolean
  roles: boolean
}

/** Chooses the current file among several links or values. */
export type LinkPreference = {
  /** A regular expression for the address as published, ignoring case. */
  href?: string
  /**
   * Chooses among several matches; the default is `first`. `latest_date` compares the dates in the links'
   * texts or addresses.
   */
  newest?: 'first' | 'last' | 'latest_date'
}

/** Chooses a link of an HTML page. */
export type LinkChoice = LinkPreference & {
  /**
   * A selector: `#id`, `.class` or the name of an element. Only links inside the first such element count.
   */
  within?: string
  /** A regular expression for the text of the link, in the language of the stream. */
  text?: string
}

/** A way to find the current file from the address of an OfficialFile. */
export type Resolve =
  | { by: 'direct' }
  /**
   * Finds a link on an HTML page. `next` is a link to another page, which links to the file. With `all` each
   * link is a page of the list. With `workbook` a link leads to an online spreadsheet, which is fetched as
   * XLSX.
   */
  | ({ by: 'newest_link'; next?: LinkChoice; all?: boolean; workbook?: boolean } & LinkChoice)
  /**
   * Finds addresses in a JSON document at a path of members separated by `/`. `*` means each item of an
   * array. With `all` each address is a page of the list. `address` has `{value}` in place of what is found
   * there, such as the number of a holder.
   */
  | ({ by: 'json_field'; path: string; all?: boolean; address?: string } & LinkPreference)
  /**
   * Fetches the address and its further pages with this parameter, up to the highest number that it links
   * to. `link_parameter` is its name in these links, if they have another one.
   */
  | { by: 'pages'; parameter: string; link_parameter?: string }
  /**
   * Renders the page and waits for an element. `pages.next` is the selector of what leads to the next page of
   * the list: each page is a file.
   */
  | { by: 'rendered'; wait_for: string; pages?: { next: string } }
  /** Fetches the CSV of the sheet with this gid from an address of the form `…/spreadsheets/d/ID/…`. */
  | { by: 'sheet'; gid: number }

/** A request with a fixed body, for an address that answers no GET. */
export type FixedRequest = {
  method: 'POST'
  type: 'application/json' | 'application/x-www-form-urlencoded'
  body: string
}

export type OfficialFile = {
  url: string
  resolve: Resolve
  request?: FixedRequest
  /** Certificates in PEM that the server does not send, trusted at the host of `url` alone. */
  extraCa?: string
}

/** The regulator's files: their addresses, their layout, and the origin of each of these facts. */
export type Official = {
  /** The files of one snapshot in the order of fetching. Is empty when no address of a file is known. */
  files: readonly OfficialFile[]
  /** The language of headers, link texts and remarks, as a tag of BCP 47. */
  language: string
  /**
   * `recorded` was read from a file of the regulator. `described` is known only from documents or public
   * code.
   */
  layout: 'recorded' | 'described'
  /** The day of the recorded file; null if the layout is `described`. */
  layoutRecordedAt: string | null
  /**
   * All headers of the official table as printed, also those of unread columns. Is empty without a header.
   */
  columns: readonly string[]
  /** The license of the data as the regulator states it; null if not known. */
  terms: string | null
  /** The origins of the facts: public documents, files or code. */
  sources: {
    /** The origin of `officialUrl` and `files`. */
    address: string
    /** The origin of `format`, `layout`, `columns`, `language`, `publishes` and `endsWithLineBreak`. */
    layout: string
    /** The official file that its reading was compared with; null if none was. */
    compared: string | null
    cadence: string
    /** The origin of `rowsMin` and `rowsMax`. */
    rows: string
    /** The origin of `terms`; null if `terms` is null. */
    terms: string | null
  }
}

export type Stream = {
  /** The key `<jurisdiction>.<what>` of contract section 12. */
  key: string
  /** The market code, of §2.2 or an added one. For blocklists it also names the regulator. */
  market: string
  covers: readonly ('register' | 'blocklist')[]
  regulator: string
  regulatorCountryCode: string
  /** The address for people: the file, or the page that links to it. */
  officialUrl: string
  official: Official
  /** The format of the official files, then of mirrors' files that are read too. */
  format: string
  cadence: Cadence
  publishes: Publishes
  /**
   * Says whether its records can contain an operator's license with its holder: a market entry (§4.1).
   */
  makesMarketEntries: boolean
  /** Describes, in words, what identifies a record across snapshots. */
  identity: string
  /**
   * A first snapshot with fewer rows than `rowsMin`, or more than `rowsMax`, is quarantined. null means no
   * limit.
   */
  rowsMin: number
  rowsMax: number | null
  /**
   * Says whether each line of its files has a line break. If so, a first file without one is quarantined.
   */
  endsWithLineBreak: boolean
  sourceClaim: 'license' | 'authorised_domain' | 'blocklist' | 'license_and_blocklist'
  qualification: string
  sourceIdentity: string
  /** This version increases when the parser reads the same bytes differently. */
  parserVersion: number
  /** Says whether the parser infers holders of domains from surrounding rows. Their changes make no Signals. */
  infersHolders?: boolean | undefined
  read(files: readonly SourceFile[]): AsyncIterable<Reading>
}
