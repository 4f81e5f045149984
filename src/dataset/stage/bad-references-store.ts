import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { StagedTable } from '../read/staged-row.ts'

export type BadReferences = { count: number; shown: { position: number; key: string }[] }

export function dropWithoutCompany(
  tx: Transaction,
  table: Extract<StagedTable, 'staged_domains' | 'staged_licenses' | 'staged_contacts'>,
  shownMax: number,
): Promise<BadReferences> {
  return countDropped(
    tx,
    sql`
    delete from ${sql.table(table)} staged
     using mapped_companies mapped
     where mapped.key = staged.company and mapped.company_id is null and not mapped.is_new
    returning position, company as key`,
    shownMax,
  )
}

export function dropReadingsWithoutPlatform(tx: Transaction, shownMax: number): Promise<BadReferences> {
  return countDropped(
    tx,
    sql`
    delete from staged_platform_readings staged
     where not exists (select from staged_platforms platform where platform.key = staged.platform)
       and not exists (select from platforms platform where platform.platform_key = staged.platform)
    returning position, platform as key`,
    shownMax,
  )
}

async function countDropped(
  tx: Transaction,
  dropping: ReturnType<typeof sql>,
  shownMax: number,
): Promise<BadReferences> {
  const { rows } = await sql<{ position: number; key: string; count: number }>`
    with dropped as (${dropping})
    select position, key, count(*) over () as count
      from dropped
     order by position
     limit ${shownMax}`.execute(tx)
  return { count: rows[0]?.count ?? 0, shown: rows.map(({ position, key }) => ({ position, key })) }
}
