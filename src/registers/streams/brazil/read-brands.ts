/**
 * Reads brands with their domains, which are authorised with or without a known holder (see
 * proven-holders.ts). The whole list is read first, some hundreds of rows: of two rows of a domain the one
 * with a holder wins.
 */
import { readPublishedEntry } from '../../source/published-entry.ts'
import { mirrorNotice, notice, RecordKeys, reject } from '../../source/readings.ts'
import { onlyFile } from '../../source/source-file.ts'
import type { Reading, SourceFile } from '../../stream.ts'
import { type BrandLine, readBrandLines } from './brand-lines.ts'
import { type Holding, NamedCompanies } from './named-companies.ts'
import { provenHolders } from './proven-holders.ts'

type Row = { line: BrandLine; holding: Holding | null }

export async function* readBrazilianBrands(files: readonly SourceFile[]): AsyncGenerator<Reading, void> {
  const file = onlyFile(files)
  const list = await readBrandLines(file)
  if (list.form === 'copied') yield notice(mirrorNotice, file.name)
  yield* list.reports
  const companies = new NamedCompanies(list.lines)
  const holders = provenHolders(list)
  const rows = list.lines.map((line, index): Row => {
    const holder = holders[index] ?? null
    return { line, holding: holder === null ? null : companies.holdingOf(holder, line.brand) }
  })
  yield* companies.readings()
  const domains = new RecordKeys()
  // Rows with a holder first, by key; the others in file order.
  for (const row of rows.toSorted((one, other) => compareTexts(placeOf(one), placeOf(other)))) {
    yield* readDomain(row, domains)
  }
}

const compareTexts = (one: string, other: string) => Number(one > other) - Number(one < other)

/** Sorts after every key: keys begin with a digit or capital letter. */
const withoutHolder = '~'

const placeOf = ({ holding }: Row) =>
  holding === null ? withoutHolder : `${holding.licenseeKey} ${holding.licenseKey ?? ''}`

function* readDomain(
  { line: { line, brand, domain: printed }, holding }: Row,
  keys: RecordKeys,
): Generator<Reading> {
  if (brand === '' && printed === '') return
  if (/^a definir\.?$|^-$/i.test(printed)) {
    yield reject('undecided', line, `${brand} ${printed}`)
    return
  }
  const entry = readPublishedEntry(printed)
  if (!entry.ok) yield reject(entry.reason, line, printed === '' ? brand : printed)
  else if (entry.domain === null) yield reject('shared_host', line, printed)
  else {
    const recordKey = entry.host.replace(/^www\./, '')
    const { domain, published } = entry
    const holder = holding ?? { licenseKey: null, licenseeKey: null }
    if (!keys.claim(recordKey)) yield reject('duplicate', line, printed)
    else
      yield { record: 'authorisation', recordKey, domain, published, status: null, counts: true, ...holder }
  }
}
