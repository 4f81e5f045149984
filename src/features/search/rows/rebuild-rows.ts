import type { Database, Transaction, World } from '../../../database/open.ts'
import { lockFacts } from '../../../journal/index.ts'
import type { SearchSubject } from '../contract.ts'
import { readCompanyFacts } from './company-facts-store.ts'
import { companyRow } from './company-row.ts'
import { readLicenseFacts } from './license-facts-store.ts'
import { licenseRow } from './license-row.ts'
import {
  allowLongCatchUp,
  analyseRows,
  anyStale,
  deleteRows,
  forceIndexPlans,
  insertWords,
  lockSearchRows,
  mergePendingLists,
  readStoredTerms,
  takeStale,
  type WrittenRow,
  writeRows,
} from './rebuild-rows-store.ts'
import { isCounted, type SearchRow } from './search-row.ts'
import { TermCounter } from './terms-store.ts'

const rowsAtOnce = 2_000
/** Tables are analysed if one transaction rebuilds more rows than this. */
const analysedAbove = 5_000
/** The most words in memory during a rebuild of all Companies. */
const knownWordsMax = 200_000

/** Derives search rows. Merged Companies and unlisted licenses have no search row. */
export async function deriveRows(
  database: Database,
  subject: SearchSubject,
  ids: readonly number[],
): Promise<SearchRow[]> {
  if (subject === 'company') return (await readCompanyFacts(database, ids)).map(companyRow)
  return (await readLicenseFacts(database, ids)).map(licenseRow)
}

/** Rebuilds the rows that triggers listed in `search_stale`. Call it before raising the data version. */
export async function rebuildSearchRows(tx: Transaction): Promise<void> {
  if (!(await anyStale(tx))) return
  await lockSearchRows(tx)
  await forceIndexPlans(tx, true)
  let rebuilt = 0
  for (const subject of ['company', 'license'] as const) rebuilt += await rebuildSubject(tx, subject)
  await forceIndexPlans(tx, false)
  await mergePendingLists(tx)
  if (rebuilt > analysedAbove) await analyseRows(tx)
}

/** Rebuilds rows that a migration listed as stale, then calls `end`, which ends the change of facts. */
export async function catchUpSearch(
  { database }: World,
  end: (tx: Transaction) => Promise<void>,
): Promise<boolean> {
  if (!(await anyStale(database))) return false
  await database.transaction().execute(async tx => {
    await allowLongCatchUp(tx)
    await lockFacts(tx)
    await end(tx)
  })
  return true
}

type Rebuild = {
  tx: Transaction
  subject: SearchSubject
  counter: TermCounter
  knownWords: Set<string>
}

async function rebuildSubject(tx: Transaction, subject: SearchSubject): Promise<number> {
  const rebuild: Rebuild = { tx, subject, counter: new TermCounter(tx, subject), knownWords: new Set() }
  let rebuilt = 0
  for (let after = 0; ; ) {
    const ids = await takeStale(tx, subject, after, rowsAtOnce)
    const last = ids.at(-1)
    if (last === undefined) break
    await rebuildSome(rebuild, ids)
    rebuilt += ids.length
    after = last
  }
  await rebuild.counter.write()
  return rebuilt
}

async function rebuildSome({ tx, subject, counter, knownWords }: Rebuild, ids: number[]): Promise<void> {
  const rows = await deriveRows(tx, subject, ids)
  await counter.resolve(rows.flatMap(row => row.terms))
  const before = await readStoredTerms(tx, subject, ids)
  const written = rows.map(row => writtenRow(subject, row, counter))
  for (const row of written) counter.count(before.get(row.id), row.terms)
  const derived = new Set(rows.map(row => row.id))
  const gone = ids.filter(id => !derived.has(id) && before.has(id))
  for (const id of gone) counter.count(before.get(id), undefined)
  await deleteRows(tx, subject, gone)
  await writeRows(tx, subject, written)
  const words = new Set(rows.flatMap(row => row.words).filter(word => !knownWords.has(word)))
  await insertWords(tx, subject, [...words])
  if (knownWords.size + words.size > knownWordsMax) knownWords.clear()
  for (const word of words) knownWords.add(word)
}

function writtenRow(subject: SearchSubject, row: SearchRow, counter: TermCounter): WrittenRow {
  const { id, ref, missing, sortName, document, hit, names, sites } = row
  const idsOf = (terms: SearchRow['terms']) =>
    [...new Set(terms.map(term => counter.idOf(term)))].sort((one, other) => one - other)
  const terms = idsOf(row.terms)
  const facets = idsOf(row.terms.filter(term => isCounted(subject, term)))
  return { id, ref, missing, sortName, document, terms, facets, hit, names, sites }
}
