import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { deriveFirstListed } from '../../features/domains/index.ts'
import { analyseFacts } from '../../features/facts/index.ts'
import type { UpsertContext } from './upsert-context.ts'

const indexMemoryMb = 256
const indexWorkers = 2

const licensedDomains = sql`select domain from staged_license_domains`
const noDomains = sql`select null as domain where false`

type Removed = { of: string; restore: string }

/**
 * Begins the first load of a world without domains: removes the indexes of the tables that most lines fill.
 * `end` builds them, and derives verdicts, once. All is one transaction, so a killed load leaves nothing
 * behind. Returns null if the world has domains or the lines are few; then each row is indexed as it is
 * written.
 */
export async function beginFirstLoad({ tx, now, staged, isLarge }: UpsertContext): Promise<{
  end(): Promise<void>
} | null> {
  if (!isLarge || !(await hasNoDomains(tx))) return null
  // Readers wait from now on, because the indexes are missing until the transaction ends.
  await sql`
    lock table domains, blocklist_entries, domain_listings, verdict_changes
      in access exclusive mode`.execute(tx)
  if (!(await hasNoDomains(tx))) return null
  await sql`
    select set_config('maintenance_work_mem', ${`${indexMemoryMb}MB`}, true),
           set_config('max_parallel_maintenance_workers', ${String(indexWorkers)}, true)`.execute(tx)
  const removed = await removeIndexes(tx)
  return {
    async end() {
      await restoreIndexes(tx, removed, ['blocklist_entries'])
      await deriveFirstListed(tx, {
        licensed: staged.has('staged_license_domains') ? licensedDomains : noDomains,
        cause: { cause: 'import', occurredAt: now, now },
      })
      await restoreIndexes(tx, removed, ['domains', 'domain_listings', 'verdict_changes'])
      await analyseFacts(tx)
    },
  }
}

async function hasNoDomains(tx: Transaction): Promise<boolean> {
  const { rows } = await sql<{ none: boolean }>`
    select not exists (select from domains)
       and not exists (select from blocklist_entries)
       and not exists (select from domain_listings) as none`.execute(tx)
  return rows[0]?.none ?? false
}

/** Keeps the primary keys by which other tables refer to rows. Foreign keys come last, to be built last. */
async function removeIndexes(tx: Transaction): Promise<Removed[]> {
  const { rows } = await sql<Removed & { remove: string }>`
    with wanted (id) as (
      values ('domains'::regclass), ('blocklist_entries'), ('domain_listings'), ('verdict_changes')
    )
    select relation.relname as of, removed.remove, removed.restore
      from (
        select indrelid as id, false as is_foreign, format('drop index %s', indexrelid::regclass) as remove,
               pg_get_indexdef(indexrelid) as restore
          from pg_index
         where not exists (select from pg_constraint where conindid = indexrelid and conrelid = indrelid)
        union all
        select conrelid, contype = 'f',
               format('alter table %s drop constraint %I', conrelid::regclass, conname),
               format('alter table %s add constraint %I %s', conrelid::regclass, conname,
                      pg_get_constraintdef(oid))
          from pg_constraint
         where contype = 'u'
            or contype = 'p' and conrelid in ('domain_listings'::regclass, 'verdict_changes'::regclass)
            or contype = 'f' and confrelid = 'domains'::regclass
      ) removed
      join wanted using (id)
      join pg_class relation on relation.oid = removed.id
     order by removed.is_foreign, removed.restore`.execute(tx)
  // PostgreSQL wrote these statements itself, with names quoted.
  for (const { remove } of rows) await sql.raw(remove).execute(tx)
  return rows
}

async function restoreIndexes(
  tx: Transaction,
  removed: readonly Removed[],
  tables: readonly string[],
): Promise<void> {
  for (const { of, restore } of removed) if (tables.includes(of)) await sql.raw(restore).execute(tx)
}
