import { sql } from 'kysely'
import type { Database } from '../../src/database/open.ts'

const statements = new Map<string, string>()

/** The statements of forget_search_counts(), the truncate trigger of company_search and license_search. */
const afterTruncate = [
  'update search_terms set rows = 0 where rows <> 0',
  'delete from search_stale',
  'update dataset_version set version = version + 1',
]

/**
 * Deletes all rows in a fifth of the time of `truncate`, which creates new files for each table and index.
 */
export async function emptyTables(database: Database, tables: readonly string[]): Promise<void> {
  const key = tables.join()
  const text = statements.get(key) ?? (await emptyingStatement(database, tables))
  statements.set(key, text)
  await sql.raw(text).execute(database)
}

async function emptyingStatement(database: Database, tables: readonly string[]): Promise<string> {
  const { rows } = await sql<{ name: string; sequences: string[] }>`
    with recursive emptied (table_id) as (
      select name::regclass::oid from unnest(${[...tables]}::text[]) name
       union
      select constraint_.conrelid
        from emptied
        join pg_constraint constraint_
          on constraint_.confrelid = emptied.table_id and constraint_.contype = 'f'
    )
    select table_id::regclass::text as name,
           array(select depend.objid::regclass::text
                   from pg_depend depend
                   join pg_class class on class.oid = depend.objid and class.relkind = 'S'
                  where depend.refobjid = table_id) as sequences
      from emptied
      join pg_class class on class.oid = table_id
     where not class.relispartition`.execute(database)
  // One string is one transaction. The role `replica` disables foreign keys and triggers, as truncate does.
  return [
    'set local session_replication_role = replica',
    ...rows.map(({ name }) => `delete from ${name}`),
    ...(rows.some(({ name }) => name.endsWith('_search')) ? afterTruncate : []),
    ...rows.flatMap(({ sequences }) => sequences.map(name => `select setval('${name}', 1, false)`)),
  ].join(';\n')
}
