import { sql } from 'kysely'
import type { Database, Transaction } from '../../../database/open.ts'
import type { SearchSubject } from '../contract.ts'

export const rowsTable = (subject: SearchSubject) => sql.table(`${subject}_search`)

export async function anyStale(database: Database): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`select exists (select from search_stale) as any`.execute(
    database,
  )
  return rows[0]?.any ?? false
}

const catchUpMsMax = 10 * 60_000

/** Allows long waits, because another process that is starting may be importing a whole world. */
export async function allowLongCatchUp(tx: Transaction): Promise<void> {
  await sql`
    select set_config('statement_timeout', ${String(catchUpMsMax)}, true),
           set_config('lock_timeout', ${String(catchUpMsMax)}, true)`.execute(tx)
}

/** Locks the search rows for writers that do not call `lockFacts`. A second writer waits for the first. */
export async function lockSearchRows(tx: Transaction): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('baize ' || current_schema() || ' search', 0))`.execute(tx)
}

/** Forces plans by index. In a bulk load the planner would assume empty tables, and scan them. */
export async function forceIndexPlans(tx: Database, wanted: boolean): Promise<void> {
  const value = wanted ? 'off' : 'on'
  await sql`
    select set_config('enable_seqscan', ${value}, true),
           set_config('enable_hashjoin', ${value}, true),
           set_config('enable_mergejoin', ${value}, true),
           set_config('enable_bitmapscan', ${value}, true)`.execute(tx)
}

/** Takes ids from the list of stale rows. The caller must rebuild their rows in this transaction. */
export async function takeStale(tx: Transaction, subject: SearchSubject, after: number, atOnce: number) {
  const { rows } = await sql<{ id: number }>`
    select id
      from search_stale
     where subject = ${subject} and id > ${after}
     order by id
     limit ${atOnce}`.execute(tx)
  const ids = rows.map(row => row.id)
  if (ids.length === 0) return []
  await sql`delete from search_stale where subject = ${subject} and id = any (${ids}::bigint[])`.execute(tx)
  return ids
}

export async function readStoredTerms(tx: Transaction, subject: SearchSubject, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; terms: number[] }>`
    select id, terms from ${rowsTable(subject)} where id = any (${[...ids]}::bigint[])`.execute(tx)
  return new Map(rows.map(row => [row.id, row.terms]))
}

export type WrittenRow = {
  id: number
  ref: string
  missing: number
  sortName: string
  document: string
  terms: readonly number[]
  facets: readonly number[]
  hit: string
  names: string
  sites: string
}

const arrayText = (ids: readonly number[]) => `{${ids.join(',')}}`

export async function writeRows(tx: Transaction, subject: SearchSubject, rows: readonly WrittenRow[]) {
  if (rows.length === 0) return
  await sql`
    insert into ${rowsTable(subject)} as stored
      (id, ref, missing, sort_name, document, terms, facets, hit, names, sites)
    select id, ref, missing, sort_name, document::tsvector, terms::int[], facets::int[], hit::json,
           names, sites
      from unnest(
             ${rows.map(row => row.id)}::bigint[], ${rows.map(row => row.ref)}::text[],
             ${rows.map(row => row.missing)}::int[], ${rows.map(row => row.sortName)}::text[],
             ${rows.map(row => row.document)}::text[], ${rows.map(row => arrayText(row.terms))}::text[],
             ${rows.map(row => arrayText(row.facets))}::text[], ${rows.map(row => row.hit)}::text[],
             ${rows.map(row => row.names)}::text[], ${rows.map(row => row.sites)}::text[]
           ) as made (id, ref, missing, sort_name, document, terms, facets, hit, names, sites)
    on conflict (id) do update
       set ref = excluded.ref,
           missing = excluded.missing,
           sort_name = excluded.sort_name,
           document = excluded.document,
           terms = excluded.terms,
           facets = excluded.facets,
           hit = excluded.hit,
           names = excluded.names,
           sites = excluded.sites
     where (stored.ref, stored.missing, stored.sort_name, stored.document, stored.terms, stored.facets,
            stored.hit::text, stored.names, stored.sites)
           is distinct from
           (excluded.ref, excluded.missing, excluded.sort_name, excluded.document, excluded.terms,
            excluded.facets, excluded.hit::text, excluded.names, excluded.sites)`.execute(tx)
}

export async function deleteRows(tx: Transaction, subject: SearchSubject, ids: readonly number[]) {
  if (ids.length === 0) return
  await sql`delete from ${rowsTable(subject)} where id = any (${[...ids]}::bigint[])`.execute(tx)
}

export async function insertWords(tx: Transaction, subject: SearchSubject, words: readonly string[]) {
  if (words.length === 0) return
  await sql`
    insert into search_words (subject, word)
    select ${subject}, word from unnest(${[...words]}::text[]) as word
     order by word collate "C"
    on conflict do nothing`.execute(tx)
}

/**
 * Merges the pending lists of the GIN indexes, which every search reads. Inserts without such lists took
 * six times as long.
 */
export async function mergePendingLists(tx: Transaction): Promise<void> {
  await sql`
    select gin_clean_pending_list(name::regclass)
      from unnest(array['company_search_by_document', 'license_search_by_document',
                        'company_words_by_part', 'license_words_by_part']) as name
  `.execute(tx)
}

export async function analyseRows(tx: Transaction): Promise<void> {
  await sql`analyze company_search, license_search, search_terms, search_words`.execute(tx)
}
