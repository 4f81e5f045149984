import { sql } from 'kysely'
import type { Database } from '../../../database/open.ts'
import type { SearchSubject, Term } from '../contract.ts'
import { rowsTable } from './rebuild-rows-store.ts'
import type { SearchRow } from './search-row.ts'

export type StoredRow = {
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

/** Reads ids that are stale after a commit, because a writer failed to rebuild their rows. */
export async function readStale(database: Database, subject: SearchSubject, max: number) {
  const { rows } = await sql<{ id: number }>`
    select id from search_stale where subject = ${subject} order by id limit ${max}`.execute(database)
  return rows
}

export async function readSubjectIds(
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

export async function readStoredRows(
  database: Database,
  subject: SearchSubject,
  ids: readonly number[],
): Promise<StoredRow[]> {
  const termsOf = (column: 'terms' | 'facets') => sql`
    (
      select coalesce(json_agg(json_build_object('field', term.field, 'value', term.value)), '[]')
        from unnest(stored.${sql.ref(column)}) as listed (id)
        join search_terms term using (id)
    )`
  const { rows } = await sql<StoredRow>`
    select stored.id, stored.ref, stored.missing, stored.sort_name, stored.document::text as document,
           ${termsOf('terms')} as terms, ${termsOf('facets')} as facets, stored.hit::text as hit,
           stored.names, stored.sites
      from ${rowsTable(subject)} stored
     where stored.id = any (${[...ids]}::bigint[])`.execute(database)
  return rows
}

export async function readNormalised(database: Database, rows: readonly SearchRow[]) {
  const { rows: derived } = await sql<{ id: number; document: string }>`
    select id, document::tsvector::text as document
      from unnest(${rows.map(row => row.id)}::bigint[], ${rows.map(row => row.document)}::text[])
             as derived (id, document)`.execute(database)
  return new Map(derived.map(row => [row.id, row.document]))
}

export async function findUnknownWords(database: Database, subject: SearchSubject, words: readonly string[]) {
  const { rows } = await sql<{ word: string }>`
    select wanted.word
      from unnest(${[...words]}::text[]) as wanted (word)
     where not exists (
             select from search_words stored where stored.subject = ${subject} and stored.word = wanted.word
           )
     order by wanted.word collate "C"`.execute(database)
  return rows.map(row => row.word)
}
