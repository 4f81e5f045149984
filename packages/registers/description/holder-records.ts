/** Combines licensees and licenses over all rows, and returns them after the last row. */

import {
  type Cells,
  conditionOf,
  dayIn,
  keyIn,
  type ReadField,
  splitter,
  textIn,
  wordReader,
} from '@baize/tables'
import { compareStatuses } from '../entries/license-status.ts'
import { boundedRecordKey, readingNotice, reject } from '../entries/readings.ts'
import type { LicenseeRow, LicenseRow, Notice, Reading, Reject, RejectReason } from '../stream.ts'
import { combineLicensees, combineLicenses } from './combine-rows.ts'
import type { Records } from './description-schema.ts'
import { asCountry, asRole, asStatus } from './row-fields.ts'

const textCharactersMax = 500
const urlCharactersMax = 2_048

export type HolderKeys = { licenseeKey: string | null; licenseKey: string | null }

/** A row with several license numbers has keys for each of them. */
type HolderReading =
  | { ok: true; keys: readonly HolderKeys[]; reports: (Reject | Notice)[] }
  | { ok: false; reports: (Reject | Notice)[] }

export class HolderRecords {
  readonly #licensee: Records['licensee']
  readonly #license: Records['license']
  readonly #licensees = new Map<string, LicenseeRow>()
  readonly #licenses = new Map<string, LicenseRow>()
  /** The chosen holder of each license, because rows may name several. */
  readonly #claims = new Map<string, Claim>()
  readonly #tradingNames: (cells: Cells) => string[]
  readonly #country: (cells: Cells) => ReadField<string>
  readonly #status: (cells: Cells) => ReadField<string>
  readonly #role: (cells: Cells) => ReadField<string>
  readonly #numbers: (cells: Cells) => string[]
  readonly #hasLicense: (cells: Cells) => boolean

  constructor({ licensee, license }: Records) {
    this.#licensee = licensee
    this.#license = license
    this.#tradingNames = licensee?.trading_names === undefined ? () => [] : splitter(licensee.trading_names)
    this.#country = wordReader(licensee?.country, asCountry)
    this.#hasLicense = license === undefined ? () => false : conditionOf(license.when)
    this.#status = wordReader(license?.status, asStatus)
    this.#role = wordReader(license?.role, asRole)
    this.#numbers = license?.license_number === undefined ? () => [] : splitter(license.license_number)
  }

  get any(): boolean {
    return this.#licensee !== undefined
  }

  get mayConflict(): boolean {
    const number = new Set(this.#license?.key)
    return this.#license !== undefined && this.#licensee?.key.every(column => number.has(column)) === false
  }

  /**
   * Chooses the holder of a license that rows give to two: the row with the better status, then the lesser
   * key. It is called for every row before any is read. Rejecting both rows would remove a valid license;
   * choosing the first row would depend on the file's order.
   */
  resolveHolder(cells: Cells): void {
    if (this.#licensee === undefined || this.#license === undefined || !this.#hasLicense(cells)) return
    const licensee = this.#readLicensee(this.#licensee, cells, [])
    if ('reason' in licensee) return
    for (const license of this.#readLicenses(this.#license, cells, licensee.recordKey, [])) {
      if ('reason' in license) continue
      const claim = this.#claims.get(license.recordKey)
      const { licenseeKey, status } = license
      if (claim === undefined || precedes(license, claim))
        this.#claims.set(license.recordKey, { licenseeKey, status })
    }
  }

  read(line: number, cells: Cells): HolderReading {
    const reports: (Reject | Notice)[] = []
    const refuse = (reason: RejectReason, published: string): HolderReading => ({
      ok: false,
      reports: [...reports, reject(reason, line, published)],
    })
    if (this.#licensee === undefined)
      return { ok: true, keys: [{ licenseeKey: null, licenseKey: null }], reports }
    const licensee = this.#readLicensee(this.#licensee, cells, reports)
    if ('reason' in licensee) return refuse(licensee.reason, licensee.published)
    const licenseeKey = licensee.recordKey
    if (this.#license === undefined || !this.#hasLicense(cells)) {
      this.#addLicensee(licensee)
      return { ok: true, keys: [{ licenseeKey, licenseKey: null }], reports }
    }
    const keys: HolderKeys[] = []
    for (const license of this.#readLicenses(this.#license, cells, licenseeKey, reports)) {
      const problem = 'reason' in license ? license : this.#conflictOf(license)
      if (problem !== null) reports.push(reject(problem.reason, line, problem.published))
      else keys.push({ licenseeKey, licenseKey: this.#addLicense(license as LicenseRow) })
    }
    if (keys.length === 0) return { ok: false, reports }
    this.#addLicensee(licensee)
    return { ok: true, keys, reports }
  }

  /** Returns the reject of a license that belongs to the holder of another row. */
  #conflictOf({ recordKey, licenseeKey, licenseNumber }: LicenseRow): Unusable | null {
    const holder = this.#claims.get(recordKey)?.licenseeKey ?? licenseeKey
    return holder === licenseeKey ? null : { reason: 'duplicate', published: licenseNumber ?? recordKey }
  }

  #addLicense(license: LicenseRow): string {
    const { recordKey } = license
    const earlier = this.#licenses.get(recordKey)
    this.#licenses.set(recordKey, earlier === undefined ? license : combineLicenses(earlier, license))
    return recordKey
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
    // A name without letters is a date or a number, so a column has moved.
    if (!/\p{L}/u.test(legalName)) return { reason: 'unparsable', published: legalName }
    const registrationNumber = textIn(cells, section.registration_number)
    const tradingNames = this.#tradingNames(cells)
    const long = tooLong([legalName, registrationNumber, ...tradingNames], textCharactersMax)
    if (long !== undefined) return { reason: 'too_long', published: long }
    const country = this.#known('unknown country', this.#country(cells), legalName, reports)
    const recordKey = boundedRecordKey(key)
    return { record: 'licensee', recordKey, legalName, tradingNames, country, registrationNumber }
  }

  /** Reads a license for each number of the row, or one license where the register prints no numbers. */
  *#readLicenses(
    section: NonNullable<Records['license']>,
    cells: Cells,
    licenseeKey: string,
    reports: (Reject | Notice)[],
  ): Generator<LicenseRow | Unusable, void> {
    const { license_number, key } = section
    if (license_number === undefined) {
      yield this.#readLicense(section, cells, { licenseNumber: null, licenseeKey }, reports)
      return
    }
    const { column } = license_number
    const found = this.#numbers(cells).map(number => number.replaceAll(/\s+/g, ' '))
    const numbers = key.includes(column) || found.length === 0 ? found : [found.join(', ')]
    if (numbers.length === 0) yield { reason: 'empty', published: Object.values(cells).join(' ') }
    for (const licenseNumber of numbers) {
      const ownCells = { ...cells, [column]: licenseNumber }
      yield this.#readLicense(section, ownCells, { licenseNumber, licenseeKey }, reports)
    }
  }

  #readLicense(
    section: NonNullable<Records['license']>,
    cells: Cells,
    { licenseNumber, licenseeKey }: Pick<LicenseRow, 'licenseNumber' | 'licenseeKey'>,
    reports: (Reject | Notice)[],
  ): LicenseRow | Unusable {
    const key = keyIn(cells, section.key)
    if (key === '') return { reason: 'empty', published: Object.values(cells).join(' ') }
    const licenseType = textIn(cells, section.license_type)
    const long = tooLong([licenseNumber, licenseType], textCharactersMax)
    if (long !== undefined) return { reason: 'too_long', published: long }
    const status = this.#status(cells)
    if (!status.ok) return { reason: 'unknown_status', published: status.published }
    const known = (what: string, found: ReadField<string>) =>
      this.#known(what, found, licenseNumber ?? key, reports)
    return {
      record: 'license',
      recordKey: boundedRecordKey(key),
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

  #known(
    what: string,
    found: ReadField<string>,
    published: string,
    reports: (Reject | Notice)[],
  ): string | null {
    if (found.ok) return found.value
    reports.push(readingNotice(`${what} "${found.published.slice(0, 60)}"`, published))
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

function urlIn(text: string | null): ReadField<string> {
  if (text === null) return { ok: true, value: null }
  const isUrl = text.length <= urlCharactersMax && /^https?:\/\//i.test(text) && URL.canParse(text)
  return isUrl ? { ok: true, value: text } : { ok: false, published: text }
}
