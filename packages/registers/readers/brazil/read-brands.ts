/**
 * Reads brands with their domains, which are authorised with or without a known holder (proven-holders.ts).
 * The whole list of some hundred rows is read first, because a row with a holder wins over one without.
 */
import { onlyFile, type SourceFile } from '@baize/tables'
import { readPublishedEntry } from '../../entries/published-entry.ts'
import { mirrorNotice, readingNotice, reject } from '../../entries/readings.ts'
import { RecordKeys } from '../../entries/record-keys.ts'
import type { Reading } from '../../stream.ts'
import { type BrandLine, readBrandLines } from './brand-lines.ts'
import { type Holding, NamedCompanies } from './named-companies.ts'
import { provenHolders } from './proven-holders.ts'

type Row = { line: BrandLine; holding: Holding | null }

export async function* readBrazilianBrands(files: readonly SourceFile[]): AsyncGenerator<Reading, void> {
  const file = onlyFile(files)
  const list = await readBrandLines(file)
  if (list.form === 'copied') yield readingNotice(mirrorNotice, file.name)
  yield* list.reports
  const companies = new NamedCompanies(list.lines)
  const holders = provenHolders(list)
  const rows = list.lines.map((line, index): Row => {
    const holder = holders[index] ?? null
    return { line, holding: holder === null ? null : companies.holdingOf(holder, line.brand) }
  })
  yield* companies.readings()
  const domains = new RecordKeys()
  // Rows with a holder come first, ordered by key; the others follow in file order.
  for (const row of rows.toSorted((one, other) => compareTexts(placeOf(one), placeOf(other)))) {
    yield* readDomain(row, domains)
  }
}

const compareTexts = (one: string, other: string) => Number(one > other) - Number(one < other)

/** This text sorts after every key, because keys begin with a digit or capital letter. */
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
