/**
 * Brands with their domains, which are authorised whoever holds them; a licensee and a license where proven-holders.ts
 * finds one. The list is read whole first, some hundreds of rows, so that where a domain stands twice the row with a
 * holder is the one that is kept.
 */
import { readPublishedEntry } from '../../published-entry.ts'
import { notice, RecordKeys, reject } from '../../readings.ts'
import { dayFirstDate } from '../../register-dates.ts'
import { onlyFile } from '../../source-file.ts'
import type { LicenseeRow, LicenseRow, Reading, SourceFile } from '../../stream.ts'
import { type BrandLine, readBrandLines } from './brand-lines.ts'
import { provenHolders, requirementsOf } from './proven-holders.ts'

type Holding = { licenseeKey: string; licenseKey: string | null }
type Row = { line: BrandLine; holding: Holding | null }

export async function* readBrazilianBrands(files: readonly SourceFile[]): AsyncGenerator<Reading, void> {
  const list = await readBrandLines(onlyFile(files))
  yield* list.beside
  const holdings = new Holdings()
  const rows: Row[] = []
  for (const [index, holder] of provenHolders(list).entries()) {
    const line = list.lines[index] as BrandLine
    rows.push({ line, holding: holder === null ? null : holdings.of(holder, line.brand) })
  }
  yield* holdings.readings()
  const domains = new RecordKeys()
  // Rows with a holder first; the order of the list is kept among them, and among the others.
  for (const row of [
    ...rows.filter(row => row.holding !== null),
    ...rows.filter(row => row.holding === null),
  ]) {
    yield* readDomain(row, domains)
  }
}

/** The licensees and licenses that the list proves, each once. */
class Holdings {
  readonly #licensees = new Map<string, LicenseeRow>()
  readonly #licenses = new Map<string, LicenseRow>()
  readonly #notices = new Map<string, Reading>()

  /** What the line names as the holder of a brand, which becomes one of its trading names; null for no sound one. */
  of(line: BrandLine, brand: string): Holding | null {
    const { company, cnpj } = line
    const licenseeKey = cnpj.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
    const requirements = requirementsOf(line)
    if (!/^[A-Z0-9]{12}\d\d$/.test(licenseeKey) || requirements.length === 0)
      return this.#doubt(
        'a company without a CNPJ or a requirement',
        `${company} ${cnpj} ${line.requirement}`,
      )
    if (requirements.some(number => (this.#licenses.get(number)?.licenseeKey ?? licenseeKey) !== licenseeKey))
      return this.#doubt('a requirement of two companies', `${line.requirement} ${company}`)
    const licensee = this.#licensees.get(licenseeKey) ?? licenseeOf(licenseeKey, company, cnpj)
    if (brand !== '' && !licensee.tradingNames.includes(brand)) licensee.tradingNames.push(brand)
    this.#licensees.set(licenseeKey, licensee)
    for (const number of requirements) this.#addLicense(number, licenseeKey, dateOf(line.ordinance))
    // Of several requirements the list does not tell which one a brand came with.
    const [only, more] = requirements
    return { licenseeKey, licenseKey: more === undefined ? (only ?? null) : null }
  }

  *readings(): Generator<Reading, void> {
    yield* this.#notices.values()
    yield* this.#licensees.values()
    yield* this.#licenses.values()
  }

  #addLicense(licenseNumber: string, licenseeKey: string, issuedAt: string | null): void {
    if (this.#licenses.has(licenseNumber)) return
    const row = { record: 'license', recordKey: licenseNumber, licenseNumber, licenseeKey, issuedAt } as const
    const unpublished = { licenseType: null, status: null, expiresAt: null, sourceUrl: null }
    this.#licenses.set(licenseNumber, { ...row, ...unpublished, role: 'operator' })
  }

  #doubt(what: string, published: string): null {
    this.#notices.set(`${what} ${published}`, notice(what, published))
    return null
  }
}

function licenseeOf(recordKey: string, legalName: string, registrationNumber: string): LicenseeRow {
  return { record: 'licensee', recordKey, legalName, tradingNames: [], country: 'BR', registrationNumber }
}

function* readDomain(
  { line: { line, brand, domain: printed }, holding }: Row,
  keys: RecordKeys,
): Generator<Reading> {
  // A row of remarks to the ordinance above it.
  if (brand === '' && printed === '') return
  if (/^a definir\.?$|^-$/i.test(printed)) {
    yield reject('not_yet_decided', line, `${brand} ${printed}`)
    return
  }
  const entry = readPublishedEntry(printed)
  if (!entry.ok) yield reject(entry.reason, line, printed === '' ? brand : printed)
  else if (entry.domain === null) yield reject('shared_host', line, printed)
  else {
    const recordKey = entry.host.replace(/^www\./, '')
    const { domain, published } = entry
    const held = holding ?? { licenseKey: null, licenseeKey: null }
    if (!keys.claim(recordKey)) yield reject('duplicate', line, printed)
    else yield { record: 'authorisation', recordKey, domain, published, status: null, counts: true, ...held }
  }
}

const months =
  'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'.split(' ')

/** `SPA/MF nº 797, de 23 de março de 2026` → its day; null where the ordinance prints none. */
function dateOf(ordinance: string): string | null {
  const [, day, month, year] = /\bde (\d{1,2})º? de (\p{L}+) de (\d{4})/u.exec(ordinance) ?? []
  const number = months.indexOf(month?.toLowerCase() ?? '') + 1
  return number === 0 ? null : dayFirstDate(`${day}.${number}.${year}`)
}
