/** Combines licensees and licenses over all rows; they are returned after the last row. */
import { compareStatuses } from '../../core/license-status.ts'
import { boundedKey, notice, reject } from '../source/readings.ts'
import type { LicenseeRow, LicenseRow, Notice, Reading, Reject, RejectReason } from '../stream.ts'
import { combineLicensees, combineLicenses } from './combine-rows.ts'
import type { Records } from './description-schema.ts'
import {
  asCountry,
  asRole,
  asStatus,
  type Cells,
  dayIn,
  keyIn,
  type Read,
  splitter,
  textIn,
  wordReader,
} from './row-fields.ts'

const textCharactersMax = 500
const urlCharactersMax = 2_048

export type HolderKeys = { licenseeKey: string | null; licenseKey: string | null }

type HolderReading =
  | { ok: true; keys: HolderKeys; reports: (Reject | Notice)[] }
  | { ok: false; reports: (Reject | Notice)[] }

export class HolderRecords {
  readonly #licensee: Records['licensee']
  readonly #license: Records['license']
  readonly #licensees = new Map<string, LicenseeRow>()
  readonly #licenses = new Map<string, LicenseRow>()
  /** The holder of each license, if rows name several. */
  readonly #claims = new Map<string, Claim>()
  readonly #tradingNames: (cells: Cells) => string[]
  readonly #country: (cells: Cells) => Read<string>
  readonly #status: (cells: Cells) => Read<string>
  readonly #role: (cells: Cells) => Read<string>

  constructor({ licensee, license }: Records) {
    this.#licensee = licensee
    this.#license = license
    this.#tradingNames = licensee?.trading_names === undefined ? () => [] : splitter(licensee.trading_names)
    this.#country = wordReader(licensee?.country, asCountry)
    this.#status = wordReader(license?.status, asStatus)
    this.#role = wordReader(license?.role, asRole)
  }

  get any(): boolean {
    return this.#licensee !== undefined
  }

  get mayConflict(): boolean {
    const number = new Set(this.#license?.key)
    return this.#license !== undefined && this.#licensee?.key.every(column => number.has(column)) === false
  }

  /**
   * Called for every row before any is read, to decide licenses with two holders: first the row with the
   * better status, then the lesser key. Rejecting both would remove a valid license for an error in another
   * row; the first in the file would change with its order.
   */
  resolveHolder(cells: Cells): void {
    if (this.#licensee === undefined || this.#license === undefined) return
    const licensee = this.#readLicensee(this.#licensee, cells, [])
    if ('reason' in licensee) return
    const license = this.#readLicense(this.#license, cells, licensee.recordKey, [])
    if ('reason' in license) return
    const claim = this.#claims.get(license.recordKey)
    const { licenseeKey, status } = license
    if (claim === undefined || precedes(license, claim))
      this.#claims.set(license.recordKey, { licenseeKey, status })
  }

  read(line: number, cells: Cells): HolderReading {
    const reports: (Reject | Notice)[] = []
    const refuse = (reason: RejectReason, published: string): HolderReading => ({
      ok: false,
      reports: [...reports, reject(reason, line, published)],
    })
    if (this.#licensee === undefined)
      return { ok: true, keys: { licenseeKey: null, licenseKey: null }, reports }
    const licensee = this.#readLicensee(this.#licensee, cells, reports)
    if ('reason' in licensee) return refuse(licensee.reason, licensee.published)
    const licenseeKey = licensee.recordKey
    const license =
      this.#license === undefined ? null : this.#readLicense(this.#license, cells, licenseeKey, reports)
    if (license !== null && 'reason' in license) return refuse(license.reason, license.published)

    if (license !== null && (this.#claims.get(license.recordKey)?.licenseeKey ?? licenseeKey) !== licenseeKey)
      return refuse('duplicate', license.licenseNumber)
    this.#addLicensee(licensee)
    if (license === null) return { ok: true, keys: { licenseeKey, licenseKey: null }, reports }
    const earlier = this.#licenses.get(license.recordKey)
    this.#licenses.set(license.recordKey, earlier === undefined ? license : combineLicenses(earlier, license))
    return { ok: true, keys: { licenseeKey, licenseKey: license.recordKey }, reports }
  }

  *all(): Generator<Reading, void> {
    yield* this.#licensees.values()
    yield* this.#licenses.values()
  }

  #addLicensee(licensee: LicenseeRow): void {
    const earlier = this.#licensees.get(licensee.recordKey)
    this.#licensees.set(
      licensee.recordKey,
      earlier === undefined ? licensee : combineLicensees(earlier, licensee),
    )
  }

  #readLicensee(
    section: NonNullable<Records['licensee']>,
    cells: Cells,
    reports: (Reject | Notice)[],
  ): LicenseeRow | Unusable {
    const key = keyIn(cells, section.key)
    const legalName = textIn(cells, section.legal_name)
    if (key === '' || legalName === null)
      return { reason: 'empty', published: Object.values(cells).join(' ') }
    // A date or a number in its place: a column has moved.
    if (!/\p{L}/u.test(legalName)) return { reason: 'unparsable', published: legalName }
    const registrationNumber = textIn(cells, section.registration_number)
    const tradingNames = this.#tradingNames(cells)
    const long = tooLong([legalName, registrationNumber, ...tradingNames], textCharactersMax)
    if (long !== undefined) return { reason: 'too_long', published: long }
    const country = this.#known('unknown country', this.#country(cells), legalName, reports)
    const recordKey = boundedKey(key)
    return { record: 'licensee', recordKey, legalName, tradingNames, country, registrationNumber }
  }

  #readLicense(
    section: NonNullable<Records['license']>,
    cells: Cells,
    licenseeKey: string,
    reports: (Reject | Notice)[],
  ): LicenseRow | Unusable {
    const key = keyIn(cells, section.key)
    const licenseNumber = textIn(cells, section.license_number)
    if (key === '' || licenseNumber === null)
      return { reason: 'empty', published: Object.values(cells).join(' ') }
    const licenseType = textIn(cells, section.license_type)
    const long = tooLong([licenseNumber, licenseType], textCharactersMax)
    if (long !== undefined) return { reason: 'too_long', published: long }
    const status = this.#status(cells)
    if (!status.ok) return { reason: 'unknown_status', published: status.published }
    const known = (what: string, found: Read<string>) => this.#known(what, found, licenseNumber, reports)
    return {
      record: 'license',
      recordKey: boundedKey(key),
      licenseNumber,
      licenseType,
      status: status.value,
      licenseeKey,
      issuedAt: known('unreadable date', dayIn(cells, section.issued_at)),
      expiresAt: known('unreadable date', dayIn(cells, section.expires_at)),
      sourceUrl: known('unreadable address', urlIn(textIn(cells, section.source_url))),
      role: known('unknown role', this.#role(cells)) as LicenseRow['role'],
    }
  }

  #known(what: string, found: Read<string>, published: string, reports: (Reject | Notice)[]): string | null {
    if (found.ok) return found.value
    reports.push(notice(`${what} "${found.published.slice(0, 60)}"`, published))
    return null
  }
}

type Claim = Pick<LicenseRow, 'licenseeKey' | 'status'>

function precedes(one: Claim, other: Claim): boolean {
  const order = compareStatuses(one.status, other.status)
  return order < 0 || (order === 0 && one.licenseeKey < other.licenseeKey)
}

type Unusable = { reason: RejectReason; published: string }

const tooLong = (texts: readonly (string | null)[], charactersMax: number) =>
  texts.find((text): text is string => text !== null && text.length > charactersMax)

function urlIn(text: string | null): Read<string> {
  if (text === null) return { ok: true, value: null }
  const isUrl = text.length <= urlCharactersMax && /^https?:\/\//i.test(text) && URL.canParse(text)
  return isUrl ? { ok: true, value: text } : { ok: false, published: text }
}
