import { sql } from 'kysely'
import type { Database } from '../../../database/open.ts'
import type { SearchSubject, Term } from '../contract.ts'

type ChangedRow = [id: number, change: number, terms: number[]]

/** Reads changed rows in the order of their changes, at one version of the data. */
export async function readFacetChanges(
  database: Database,
  subject: SearchSubject,
  after: number,
  atOnce: number,
): Promise<{ version: number; rows: ChangedRow[] }> {
  const { rows } = await sql<{ version: number; rows: ChangedRow[] }>`
    select dataset.version,
           (
             select coalesce(json_agg(json_build_array(id, facets_change, facets) order by facets_change),
                             '[]')
               from (
                 select id, facets_change, facets
                   from ${sql.table(`${subject}_search`)}
                  where facets_change > ${after}
                  order by facets_change
                  limit ${atOnce}
               ) changed
           ) as rows
      from dataset_version dataset`.execute(database)
  if (rows[0] === undefined) throw new Error('dataset_version has no row')
  return rows[0]
}

export async function readTerms(database: Database, ids: readonly number[]) {
  const { rows } = await sql<Term & { id: number }>`
    select id, field, value from search_terms where id = any (${[...ids]}::int[])`.execute(database)
  return rows
}
