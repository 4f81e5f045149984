/** Collects the companies and requirements that rows name. The order of rows does not matter. */
import { dayFirstDate } from '@baize/tables'
import { mostCommonName } from '../../entries/most-common-name.ts'
import { readingNotice } from '../../entries/readings.ts'
import type { LicenseeRow, LicenseRow, Notice, Reading } from '../../stream.ts'
import type { BrandLine } from './brand-lines.ts'
import { requirementsOf } from './proven-holders.ts'

export type Holding = { licenseeKey: string; licenseKey: string | null }

type Company = { lines: BrandLine[]; brands: Set<string> }

export class NamedCompanies {
  readonly #companies = new Map<string, Company>()
  readonly #holders = new Map<string, string>()
  readonly #notices = new Map<string, Notice>()

  constructor(lines: readonly BrandLine[]) {
    const named = lines.filter(line => line.company !== '' || line.cnpj !== '')
    for (const line of named) this.#add(line)
    for (const line of named)
      if (requirementsOf(line).some(number => this.#isOfAnother(number, keyOf(line))))
        this.#addNotice('a requirement of two companies', `${line.requirement} ${line.company}`)
  }

  /**
   * Returns the holder that the line names, or null if ambiguous. The brand becomes a trading name of the
   * company.
   */
  holdingOf(line: BrandLine, brand: string): Holding | null {
    const licenseeKey = keyOf(line)
    const requirements = requirementsOf(line)
    const company = licenseeKey === null ? undefined : this.#companies.get(licenseeKey)
    if (licenseeKey === null || company === undefined || requirements.length === 0) return null
    if (requirements.some(number => this.#isOfAnother(number, licenseeKey))) return null
    if (brand !== '') company.brands.add(brand)
    // Several requirements give no license, because it is unknown which one covers the brand.
    const [only, more] = requirements
    return { licenseeKey, licenseKey: more === undefined ? (only ?? null) : null }
  }

  *readings(): Generator<Reading, void> {
    yield* this.#notices.values()
    for (const [key, company] of this.#companies) yield licenseeOf(key, company)
    for (const [number, licenseeKey] of this.#holders) {
      const lines = this.#companies.get(licenseeKey)?.lines ?? []
      yield licenseOf(
        number,
        licenseeKey,
        lines.filter(line => requirementsOf(line).includes(number)),
      )
    }
  }

  #add(line: BrandLine): void {
    const key = keyOf(line)
    const requirements = requirementsOf(line)
    if (key === null || line.company === '' || requirements.length === 0) {
      const published = `${line.company} ${line.cnpj} ${line.requirement}`
      this.#addNotice('a company without a CNPJ or a requirement', published)
      return
    }
    const company = this.#companies.get(key) ?? { lines: [], brands: new Set() }
    company.lines.push(line)
    this.#companies.set(key, company)
    // If two companies name one requirement, the lesser CNPJ wins, in any file order.
    for (const number of requirements) {
      const holder = this.#holders.get(number)
      if (holder === undefined || key < holder) this.#holders.set(number, key)
    }
  }

  #isOfAnother(requirement: string, key: string | null): boolean {
    const holder = this.#holders.get(requirement)
    return key !== null && holder !== undefined && holder !== key
  }

  #addNotice(what: string, published: string): void {
    this.#notices.set(`${what} ${published}`, readingNotice(what, published))
  }
}

function keyOf({ cnpj }: BrandLine): string | null {
  const key = cnpj.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  return /^[A-Z0-9]{12}\d\d$/.test(key) ? key : null
}

function licenseeOf(recordKey: string, { lines, brands }: Company): LicenseeRow {
  return {
    record: 'licensee',
    recordKey,
    legalName: mostCommonName(lines.map(line => line.company)),
    tradingNames: [...brands],
    country: 'BR',
    registrationNumber: mostCommonName(lines.map(line => line.cnpj)),
  }
}

function licenseOf(licenseNumber: string, licenseeKey: string, lines: readonly BrandLine[]): LicenseRow {
  const days = lines.map(line => dateOf(line.ordinance)).filter(day => day !== null)
  return {
    record: 'license',
    recordKey: licenseNumber,
    licenseNumber,
    licenseType: null,
    status: null,
    licenseeKey,
    issuedAt: days.sort()[0] ?? null,
    expiresAt: null,
    sourceUrl: null,
    role: 'operator',
  }
}

const months =
  'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'.split(' ')

/** Reads the day of an ordinance such as `SPA/MF nº 797, de 23 de março de 2026`; null without one. */
function dateOf(ordinance: string): string | null {
  const [, day, month, year] = /\bde (\d{1,2})º? de (\p{L}+) de (\d{4})/u.exec(ordinance) ?? []
  const number = months.indexOf(month?.toLowerCase() ?? '') + 1
  return number === 0 ? null : dayFirstDate(`${day}.${number}.${year}`)
}
