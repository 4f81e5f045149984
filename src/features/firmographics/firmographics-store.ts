import { sql } from 'kysely'
import type { Database, World } from '../../database/open.ts'
import type { FirmographicsData } from './schemas.ts'

export type StoredFirmographics = { domain: string; fetched_at: Date; data: FirmographicsData }

/** Reads stored firmographics by domain; domains without data are left out. */
export async function readFirmographics(
  world: World,
  domains: readonly string[],
): Promise<Map<string, StoredFirmographics>> {
  if (domains.length === 0) return new Map()
  const rows = await world.read<StoredFirmographics>({
    name: 'stored_firmographics',
    text: `
      select domain.domain, stored.fetched_at, stored.data
        from domains domain
        join firmographics stored on stored.domain_id = domain.id
       where domain.domain = any ($1::text[])`,
    values: [domains],
    genericPlan: true,
  })
  return new Map(rows.map(row => [row.domain, row]))
}

/** Reads firmographics from the primary, because a replica may lack recent ones. */
export async function readFirmographicsNow({ database }: World, domains: readonly string[]) {
  const { rows } = await sql<StoredFirmographics>`
    select domain.domain, stored.fetched_at, stored.data
      from domains domain
      join firmographics stored on stored.domain_id = domain.id
     where domain.domain = any (${[...domains]}::text[])`.execute(database)
  return new Map(rows.map(row => [row.domain, row]))
}

type SiteFinding = { value: Record<string, unknown>; seen_at: Date }

/** Reads the facts about the organisation that a check found, one member in each row. */
export async function readSiteFindings(database: Database, checkId: number): Promise<SiteFinding[]> {
  const { rows } = await sql<SiteFinding>`
    select finding.value, finding.seen_at
      from site_checks checked
      join site_findings finding on finding.reading_id = checked.reading_id
     where checked.id = ${checkId} and finding.section = 'firmographics'
     order by finding.value_key`.execute(database)
  return rows
}
