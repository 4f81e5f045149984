import { sql } from 'kysely'
import { importStream } from '../core/import-stream.ts'
import type { Database, World } from '../database/open.ts'

const lockName = 'load_demo'
const lockWaitMs = 30_000

export function withDemoLock(world: World, load: () => Promise<void>): Promise<void> {
  if (world.name !== 'demo') throw new Error('only the demo world can be emptied and loaded')
  return world.database.connection().execute(async connection => {
    await sql`select set_config('lock_timeout', ${`${lockWaitMs}ms`}, false)`.execute(connection)
    try {
      await sql`select pg_advisory_lock(hashtext(${lockName}))`.execute(connection)
      try {
        await load()
      } finally {
        await sql`select pg_advisory_unlock(hashtext(${lockName}))`.execute(connection)
      }
    } finally {
      await sql`reset lock_timeout`.execute(connection)
    }
  })
}

/** The digest of the loaded demo files, stored as the schema's comment; null if none. */
export async function demoDigest(database: Database): Promise<string | null> {
  const { rows } = await sql<{ digest: string | null }>`
    select obj_description('demo'::regnamespace, 'pg_namespace') as digest`.execute(database)
  return rows[0]?.digest ?? null
}

export async function storeDemoDigest(database: Database, digest: string): Promise<void> {
  if (!/^[0-9a-f]{64}$/.test(digest)) throw new Error('the digest must be a SHA-256 in hex')
  await sql`comment on schema demo is ${sql.lit(digest)}`.execute(database)
}

/** Empties the demo's data tables; secrets and migrations stay. */
export async function emptyDemo(database: Database): Promise<void> {
  await sql`
    truncate
      demo.companies, demo.company_identities, demo.domains, demo.domain_listings, demo.domain_counts,
      demo.domain_companies, demo.licenses, demo.license_states, demo.authorisations,
      demo.blocklist_entries, demo.accounts, demo.account_balances, demo.ledger_entries, demo.settlements,
      demo.observations, demo.imported_observations, demo.site_checks, demo.site_captures,
      demo.site_readings, demo.site_findings, demo.enrichments,
      demo.platforms, demo.platform_readings, demo.logos, demo.logo_subjects,
      demo.logo_names, demo.logo_stale_companies, demo.register_runs, demo.register_snapshots,
      demo.register_streams, demo.licensee_states, demo.kept_files, demo.kept_chunks, demo.company_decisions,
      demo.dataset_events, demo.signals, demo.signal_counts, demo.signal_months, demo.signal_totals,
      demo.described_registers
      restart identity cascade`.execute(database)
  await sql`update demo.signal_sequence set last_number = 0`.execute(database)
}

/** Sets guessable refs, so that documented examples work everywhere. Safe, because the demo is free. */
export async function setDemoRefs(database: Database): Promise<void> {
  await sql`
    update companies company
       set company_ref = 'co_' || left(md5('company ' || named.identity_key), 20)
      from (
        select distinct on (company_id) company_id,
               case when stream = ${importStream} then identity_key
                    else stream || ' ' || identity_key end as identity_key
          from company_identities
         order by company_id, stream <> ${importStream}, stream collate "C", identity_key collate "C"
      ) named
     where named.company_id = company.id`.execute(database)
  await sql`update domains set domain_ref = 'dom_' || left(md5('domain ' || domain), 20)`.execute(database)
  await sql`
    update contacts
       set contact_ref = 'con_'
             || left(md5('contact ' || company_key || ' ' || coalesce(profile_key, name_key)), 20)
  `.execute(database)
  await sql`update licenses set license_ref = 'lic_' || left(md5('license ' || record_key), 20)`.execute(
    database,
  )
}
