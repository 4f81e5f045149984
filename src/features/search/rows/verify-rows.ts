import { differencesShownMax, type Verification } from '../../../core/verification.ts'
import type { Database } from '../../../database/open.ts'
import type { SearchSubject, Term } from '../contract.ts'
import { deriveRows } from './rebuild-rows.ts'
import { forceIndexPlans } from './rebuild-rows-store.ts'
import { isCounted, type SearchRow } from './search-row.ts'
import { readTermDifferences } from './terms-store.ts'
import {
  findUnknownWords,
  readNormalised,
  readStale,
  readStoredRows,
  readSubjectIds,
  type StoredRow,
} from './verify-rows-store.ts'

export type SearchDifference = {
  subject: SearchSubject
  /** The ref of the row, or the term for the dictionary. */
  of: string
  field: string
  stored: unknown
  derived: unknown
}

const rowsAtOnce = 2_000
/** Compares every row with its facts, and returns the first 20 differences. It changes nothing. */
export async function verifySearchRows(database: Database): Promise<Verification<SearchDifference>> {
  const differences: SearchDifference[] = []
  let checked = 0
  for (const subject of ['company', 'license'] as const) {
    for (const { id } of await readStale(database, subject, differencesShownMax))
      differences.push({ subject, of: String(id), field: 'stale', stored: true, derived: false })
    for (let after = 0; ; ) {
      const ids = await readSubjectIds(database, subject, after, rowsAtOnce)
      const last = ids.at(-1)
      if (last === undefined) break
      checked += ids.length
      differences.push(...(await compareSome(database, subject, ids)))
      after = last
    }
    const terms = await readTermDifferences(database, subject, differencesShownMax)
    for (const { field, value, stored, counted } of terms)
      differences.push({ subject, of: `${field} ${value}`, field: 'rows', stored, derived: counted })
  }
  return { checked, differences: differences.slice(0, differencesShownMax) }
}

async function compareSome(
  database: Database,
  subject: SearchSubject,
  ids: readonly number[],
): Promise<SearchDifference[]> {
  await forceIndexPlans(database, true)
  const derivedRows = new Map((await deriveRows(database, subject, ids)).map(row => [row.id, row]))
  await forceIndexPlans(database, false)
  const storedRows = new Map((await readStoredRows(database, subject, ids)).map(row => [row.id, row]))
  const documents = await readNormalised(database, [...derivedRows.values()])
  const differences: SearchDifference[] = []
  for (const id of ids) {
    const [derivedRow, storedRow] = [derivedRows.get(id), storedRows.get(id)]
    const of = derivedRow?.ref ?? storedRow?.ref ?? String(id)
    for (const { field, stored, derived } of compare(subject, storedRow, derivedRow, documents.get(id)))
      if (stored !== derived) differences.push({ subject, of, field, stored, derived })
  }
  const words = new Set([...derivedRows.values()].flatMap(row => row.words))
  for (const word of await findUnknownWords(database, subject, [...words]))
    differences.push({ subject, of: word, field: 'word', stored: false, derived: true })
  return differences
}

type ComparedField = { field: string; stored: unknown; derived: unknown }

function compare(
  subject: SearchSubject,
  stored: StoredRow | undefined,
  derived: SearchRow | undefined,
  document: string | undefined,
): ComparedField[] {
  if (stored === undefined || derived === undefined)
    return [{ field: 'row', stored: stored !== undefined, derived: derived !== undefined }]
  const facets = derived.terms.filter(term => isCounted(subject, term))
  return [
    { field: 'ref', stored: stored.ref, derived: derived.ref },
    { field: 'missing', stored: stored.missing, derived: derived.missing },
    { field: 'sort_name', stored: stored.sort_name, derived: derived.sortName },
    { field: 'document', stored: stored.document, derived: document },
    { field: 'terms', stored: termsText(stored.terms), derived: termsText(derived.terms) },
    { field: 'facets', stored: termsText(stored.facets), derived: termsText(facets) },
    { field: 'hit', stored: stored.hit, derived: derived.hit },
    { field: 'names', stored: stored.names, derived: derived.names },
    { field: 'sites', stored: stored.sites, derived: derived.sites },
  ]
}

const termsText = (terms: readonly Term[]) =>
  [...new Set(terms.map(({ field, value }) => `${field}=${value}`))].sort().join(', ')
