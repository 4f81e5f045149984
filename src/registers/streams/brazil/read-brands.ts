/**
 * Brands with their domains, which are authorised whoever holds them. A company that a row names is on the list, with its
 * requirement, whatever stands around the row; whose a brand is, proven-holders.ts tells where it can. The list is read
 * whole first, some hundreds of rows, so that where a domain stands twice the row with a holder is the one that is kept.
 */
import { readPublishedEntry } from '../../source/published-entry.ts'
import { RecordKeys, reject } from '../../source/readings.ts'
import { onlyFile } from '../../source/source-file.ts'
import type { Reading, SourceFile } from '../../stream.ts'
import { type BrandLine, readBrandLines } from './brand-lines.ts'
import { type Holding, NamedCompanies } from './named-companies.ts'
import { provenHolders } from './proven-holders.ts'

type Row = { line: BrandLine; holding: Holding | null }

export async function* readBrazilianBrands(files: readonly SourceFile[]): AsyncGenerator<Reading, void> {
  const list = await readBrandLines(onlyFile(files))
  yield* list.beside
  const companies = new NamedCompanies(list.lines)
  const holders = provenHolders(list)
  const rows = list.lines.map((line, index): Row => {
    const holder = holders[index] ?? null
    return { line, holding: holder === null ? null : companies.holdingOf(holder, line.brand) }
  })
  yield* companies.readings()
  const domains = new RecordKeys()
  // Rows with a holder first, in an order that the file's does not change; that of the list is kept among the others.
  for (const row of rows.toSorted((one, other) => compareTexts(placeOf(one), placeOf(other)))) {
    yield* readDomain(row, domains)
  }
}

const compareTexts = (one: string, other: string) => Number(one > other) - Number(one < other)

/** Behind every key, which begins with a digit or a capital. */
const withoutHolder = '~'

const placeOf = ({ holding }: Row) =>
  holding === null ? withoutHolder : `${holding.licenseeKey} ${holding.licenseKey ?? ''}`

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
