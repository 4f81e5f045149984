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
  insertWords,
  lockSearchRows,
  planByIndex,
  readKeptTerms,
  takeStale,
  tidyIndexes,
  type WrittenRow,
  writeRows,
} from './rebuild-rows-store.ts'
import { isCounted, type SearchRow } from './search-row.ts'
import { TermCounter } from './terms-store.ts'

const rowsAtOnce = 2_000
/** Below, any plan is quick. */
const analysedAbove = 5_000
/** Words that are known to stand in the vocabulary; a drain of every Company of the world must not hold them all. */
const wordsKnownMax = 200_000

/** What search keeps of these Companies or licenses, those that have a row. */
export async function deriveRows(
  database: Database,
  subject: SearchSubject,
  ids: readonly number[],
): Promise<SearchRow[]> {
  if (subject === 'company') return (await readCompanyFacts(database, ids)).map(companyRow)
  return (await readLicenseFacts(database, ids)).map(licenseRow)
}

/**
 * Brings the rows of search up to date with the facts that this transaction changed: what triggers have listed as stale
 * is read, derived and written, and the list is empty again. The last act before the dataset is marked as changed.
 */
export async function rebuildSearchRows(tx: Transaction): Promise<void> {
  if (!(await anyStale(tx))) return
  await lockSearchRows(tx)
  await planByIndex(tx, true)
  let kept = 0
  for (const subject of ['company', 'license'] as const) kept += await keepSubject(tx, subject)
  await planByIndex(tx, false)
  await tidyIndexes(tx)
  if (kept > analysedAbove) await analyseRows(tx)
}

/**
 * For a start: what a migration has listed as stale waits for no writer. `end` ends the change, in the transaction of it.
 * Says whether there was anything to do.
 */
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

async function keepSubject(tx: Transaction, subject: SearchSubject): Promise<number> {
  const counter = new TermCounter(tx, subject)
  const wordsKnown = new Set<string>()
  let kept = 0
  for (let after = 0; ; ) {
    const ids = await takeStale(tx, subject, after, rowsAtOnce)
    const last = ids.at(-1)
    if (last === undefined) break
    await keepSome(tx, subject, ids, counter, wordsKnown)
    kept += ids.length
    after = last
  }
  await counter.write()
  return kept
}

async function keepSome(
  tx: Transaction,
  subject: SearchSubject,
  ids: readonly number[],
  counter: TermCounter,
  wordsKnown: Set<string>,
): Promise<void> {
  const rows = await deriveRows(tx, subject, ids)
  await counter.learn(rows.flatMap(row => row.terms))
  const before = await readKeptTerms(tx, subject, ids)
  const written = rows.map(row => writtenRow(subject, row, counter))
  for (const row of written) counter.count(before.get(row.id), row.terms)
  const standing = new Set(rows.map(row => row.id))
  const gone = ids.filter(id => !standing.has(id) && before.has(id))
  for (const id of gone) counter.count(before.get(id), undefined)
  await deleteRows(tx, subject, gone)
  await writeRows(tx, subject, written)
  const words = new Set(rows.flatMap(row => row.words).filter(word => !wordsKnown.has(word)))
  await insertWords(tx, subject, [...words])
  if (wordsKnown.size + words.size > wordsKnownMax) wordsKnown.clear()
  for (const word of words) wordsKnown.add(word)
}

function writtenRow(subject: SearchSubject, row: SearchRow, counter: TermCounter): WrittenRow {
  const { id, ref, missing, sortName, document, hit, names, sites } = row
  const idsOf = (terms: SearchRow['terms']) =>
    [...new Set(terms.map(term => counter.idOf(term)))].sort((one, other) => one - other)
  const terms = idsOf(row.terms)
  const facets = idsOf(row.terms.filter(term => isCounted(subject, term)))
  return { id, ref, missing, sortName, document, terms, facets, hit, names, sites }
}
