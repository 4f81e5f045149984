import type { Database } from '../../../database/open.ts'
import type { SearchSubject } from '../contract.ts'
import { deriveRows } from './rebuild-rows.ts'
import { planByIndex } from './rebuild-rows-store.ts'
import { isCounted, type SearchRow, type Term } from './search-row.ts'
import { readTermDifferences } from './terms-store.ts'
import {
  findUnknownWords,
  type KeptRow,
  readKeptRows,
  readNormalised,
  readStale,
  readStandingIds,
} from './verify-rows-store.ts'

export type SearchDifference = {
  subject: SearchSubject
  /** The ref of the Company or license; of the dictionary, the term. */
  of: string
  field: string
  stored: unknown
  derived: unknown
}

const rowsAtOnce = 2_000
const differencesShownMax = 20

/**
 * Derives every row of search from its facts, some at a time, and tells the differences: rows that are missing, left over or
 * otherwise, terms that are counted otherwise, words that the vocabulary lacks, and what is listed as stale. Changes nothing.
 */
export async function verifySearchRows(
  database: Database,
): Promise<{ checked: number; differences: SearchDifference[] }> {
  const differences: SearchDifference[] = []
  let checked = 0
  for (const subject of ['company', 'license'] as const) {
    for (const { id } of await readStale(database, subject, differencesShownMax))
      differences.push({ subject, of: String(id), field: 'stale', stored: true, derived: false })
    for (let after = 0; ; ) {
      const ids = await readStandingIds(database, subject, after, rowsAtOnce)
      const last = ids.at(-1)
      if (last === undefined) break
      checked += ids.length
      differences.push(...(await compareSome(database, subject, ids)))
      after = last
    }
    for (const { field, value, stored, counted } of await readTermDifferences(
      database,
      subject,
      differencesShownMax,
    ))
      differences.push({ subject, of: `${field} ${value}`, field: 'rows', stored, derived: counted })
  }
  return { checked, differences: differences.slice(0, differencesShownMax) }
}

async function compareSome(
  database: Database,
  subject: SearchSubject,
  ids: readonly number[],
): Promise<SearchDifference[]> {
  await planByIndex(database, true)
  const derived = new Map((await deriveRows(database, subject, ids)).map(row => [row.id, row]))
  await planByIndex(database, false)
  const kept = new Map((await readKeptRows(database, subject, ids)).map(row => [row.id, row]))
  const documents = await readNormalised(database, [...derived.values()])
  const differences: SearchDifference[] = []
  for (const id of ids) {
    const [row, held] = [derived.get(id), kept.get(id)]
    const of = row?.ref ?? held?.ref ?? String(id)
    for (const { field, stored, derived: made } of compare(subject, held, row, documents.get(id)))
      if (stored !== made) differences.push({ subject, of, field, stored, derived: made })
  }
  const words = new Set([...derived.values()].flatMap(row => row.words))
  for (const word of await findUnknownWords(database, subject, [...words]))
    differences.push({ subject, of: word, field: 'word', stored: false, derived: true })
  return differences
}

type Compared = { field: string; stored: unknown; derived: unknown }

/** Field by field, as text; a row that is there on one side only differs in being there. */
function compare(
  subject: SearchSubject,
  held: KeptRow | undefined,
  row: SearchRow | undefined,
  document: string | undefined,
): Compared[] {
  if (held === undefined || row === undefined)
    return [{ field: 'row', stored: held !== undefined, derived: row !== undefined }]
  return [
    { field: 'ref', stored: held.ref, derived: row.ref },
    { field: 'missing', stored: held.missing, derived: row.missing },
    { field: 'sort_name', stored: held.sort_name, derived: row.sortName },
    { field: 'document', stored: held.document, derived: document },
    { field: 'terms', stored: termsText(held.terms), derived: termsText(row.terms) },
    {
      field: 'facets',
      stored: termsText(held.facets),
      derived: termsText(row.terms.filter(term => isCounted(subject, term))),
    },
    { field: 'hit', stored: held.hit, derived: row.hit },
    { field: 'names', stored: held.names, derived: row.names },
    { field: 'sites', stored: held.sites, derived: row.sites },
  ]
}

const termsText = (terms: readonly Term[]) =>
  [...new Set(terms.map(({ field, value }) => `${field}=${value}`))].sort().join(', ')
