import { sql } from 'kysely'
import type { Database } from '../../../database/open.ts'
import type { SearchSubject } from '../contract.ts'
import { rowsTable } from './rebuild-rows-store.ts'
import type { SearchRow, Term } from './search-row.ts'

export type KeptRow = {
  id: number
  ref: string
  missing: number
  sort_name: string
  document: string
  terms: Term[]
  facets: Term[]
  hit: string
  names: string
  sites: string
}

/** What is listed as stale in a committed state was forgotten by a writer. */
export async function readStale(
  database: Database,
  subject: SearchSubject,
  max: number,
): Promise<{ id: number }[]> {
  const { rows } = await sql<{ id: number }>`
    select id from search_stale where subject = ${subject} order by id limit ${max}`.execute(database)
  return rows
}

/** Everything that has a row, or could have one, some at a time. */
export async function readStandingIds(
  database: Database,
  subject: SearchSubject,
  after: number,
  atOnce: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id
      from ${sql.table(subject === 'company' ? 'companies' : 'licenses')}
     where id > ${after}
     order by id
     limit ${atOnce}`.execute(database)
  return rows.map(row => row.id)
}

export async function readKeptRows(
  database: Database,
  subject: SearchSubject,
  ids: readonly number[],
): Promise<KeptRow[]> {
  const termsOf = (column: 'terms' | 'facets') => sql`
    (
      select coalesce(json_agg(json_build_object('field', term.field, 'value', term.value)), '[]')
        from unnest(held.${sql.ref(column)}) as listed (id)
        join search_terms term using (id)
    )`
  const { rows } = await sql<KeptRow>`
    select held.id, held.ref, held.missing, held.sort_name, held.document::text as document,
           ${termsOf('terms')} as terms, ${termsOf('facets')} as facets, held.hit::text as hit,
           held.names, held.sites
      from ${rowsTable(subject)} held
     where held.id = any (${[...ids]}::bigint[])`.execute(database)
  return rows
}

/** The documents as PostgreSQL writes them. */
export async function readNormalised(
  database: Database,
  rows: readonly SearchRow[],
): Promise<Map<number, string>> {
  const { rows: made } = await sql<{ id: number; document: string }>`
    select id, document::tsvector::text as document
      from unnest(${rows.map(row => row.id)}::bigint[], ${rows.map(row => row.document)}::text[])
             as made (id, document)`.execute(database)
  return new Map(made.map(row => [row.id, row.document]))
}

export async function findUnknownWords(
  database: Database,
  subject: SearchSubject,
  words: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select asked.word
      from unnest(${[...words]}::text[]) as asked (word)
     where not exists (select from search_words held where held.subject = ${subject} and held.word = asked.word)
     order by asked.word collate "C"`.execute(database)
  return rows.map(row => row.word)
}
