import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'

type PlatformRow = { id: number; platform_key: string; name: string; reviewed_at: Date | null }

export async function findPlatformByKey(database: Database | Transaction, key: string) {
  const { rows } = await sql<PlatformRow>`
    select id, platform_key, name, reviewed_at from platforms where platform_key = ${key}`.execute(database)
  return rows[0]
}

export async function writeReview(tx: Transaction, platformId: number, reviewedAt: Date | null) {
  await sql`update platforms set reviewed_at = ${reviewedAt} where id = ${platformId}`.execute(tx)
}

type ListedPlatform = {
  platform_key: string
  name: string
  aliases: string[]
  reviewed_at: Date | null
  sites: number
  signals: number
}

/** Lists platforms, those that await review first. `sites` counts the domains ever observed on one. */
export async function listPlatforms(database: Database): Promise<ListedPlatform[]> {
  const { rows } = await sql<ListedPlatform>`
    select platform.platform_key, platform.name, platform.aliases, platform.reviewed_at,
           coalesce(read.sites, 0) as sites, coalesce(total.signals, 0) as signals
      from platforms platform
      left join (
        select platform_id, count(distinct domain_id) as sites from platform_readings group by platform_id
      ) read on read.platform_id = platform.id
      left join signal_totals total on total.feed = 'platform_sites' and total.platform_id = platform.id
     order by platform.reviewed_at is not null, sites desc, platform.platform_key collate "C"`.execute(
    database,
  )
  return rows
}
