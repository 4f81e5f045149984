import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { importStream } from '../../journal/events-store.ts'
import type { StagedTable } from '../read/staged-row.ts'

const statementTimeoutMs = 30 * 60_000
/** Exceeds the longest register sync measured, because an import may have to wait for one. */
const lockTimeoutMs = 240_000
const idleTimeoutMs = 10 * 60_000
const sortMemoryMb = 64

// `position` counts the lines of all files in order.
const columnsOf: Record<StagedTable, RawBuilder<unknown>> = {
  staged_companies: sql`
    position bigint, key text, company_name text, legal_entity text, subject_kind text, role text[],
    country text, brands text[], aliases text[], apps jsonb, affiliate_program boolean, geo_hints text[],
    evidence_routes text[], name_key text, registration text, lei text`,
  staged_platforms: sql`
    position bigint, key text, name text, aliases text[], reviewed boolean`,
  staged_domains: sql`
    position bigint, domain text collate "C", company text, relation text, brand text, inferred_geo text`,
  staged_licenses: sql`
    position bigint, record_key text, jurisdiction text, license_number text, license_type text, status text,
    company text, issued_at date, expires_at date, source_url text, first_seen_at timestamptz,
    last_seen_at timestamptz`,
  staged_license_domains: sql`
    position bigint, license_key text, domain text collate "C", published text`,
  staged_blocklist_entries: sql`
    position bigint, record_key text, regulator text, domain text collate "C", published text, listed boolean,
    first_seen_at timestamptz, last_seen_at timestamptz, scope text, listed_as text`,
  staged_observations: sql`
    position bigint, domain text collate "C", section text, value_key text, value jsonb,
    first_seen_at timestamptz, last_seen_at timestamptz, last_confirmed_at timestamptz`,
  staged_platform_readings: sql`
    position bigint, domain text collate "C", platform text, seen_at timestamptz`,
  staged_site_checks: sql`
    position bigint, domain text collate "C", checked_at timestamptz, state text, reason text,
    findings jsonb`,
  staged_firmographics: sql`
    position bigint, domain text collate "C", fetched_at timestamptz, data jsonb`,
  staged_contacts: sql`
    position bigint, company text, name text, name_key text collate "C", title text, headline text,
    email text, linkedin_url text, profile_key text collate "C", named_by text collate "C", country text,
    source text, source_url text, collected_at timestamptz, last_verified_at timestamptz,
    fetched_at timestamptz`,
  staged_logos: sql`
    position bigint, subject_kind text, slug text collate "C", name text, domain text collate "C",
    role text[], source text, variant text, theme text, status text, first_seen_at timestamptz,
    superseded_at timestamptz, file_name text, format text, width int, height int`,
  staged_accounts: sql`
    position bigint, key text, name text, plan text, credits_granted bigint, api_key text`,
  staged_prospect_lists: sql`
    position bigint, key text, account text, cadence text, status text, requested_at timestamptz,
    ready_at timestamptz, result jsonb`,
}

const touchedTables = sql`
  -- Domains with changed facts, possibly several times. A change of the place is neither.
  create temp table touched_domains (
    domain_id bigint,
    in_registers boolean default false,
    in_observations boolean default false
  ) on commit drop;
  -- Companies that existed before and changed.
  create temp table touched_companies (
    company_id bigint
  ) on commit drop`

// Waits for other imports, which lock the row of this stream. An import of a million rows takes minutes.
export async function openStaging(tx: Transaction): Promise<void> {
  await sql`
    select set_config('statement_timeout', ${String(statementTimeoutMs)}, true),
           set_config('lock_timeout', ${String(lockTimeoutMs)}, true),
           set_config('idle_in_transaction_session_timeout', ${String(idleTimeoutMs)}, true),
           set_config('work_mem', ${`${sortMemoryMb}MB`}, true)`.execute(tx)
  // `covers` is empty, because absence from an import means nothing. It does not count as a checked
  // register.
  await sql`
    insert into register_streams (stream, market, covers)
    values (${importStream}, ${importStream}, '{}')
    on conflict (stream) do nothing`.execute(tx)
  await sql`select 1 from register_streams where stream = ${importStream} for update`.execute(tx)
  await touchedTables.execute(tx)
}

/** Created with the first row: most imports have few kinds, and a table takes as long as three statements. */
export async function createStaged(tx: Transaction, table: StagedTable): Promise<void> {
  await sql`create temp table ${sql.table(table)} (${columnsOf[table]}) on commit drop`.execute(tx)
}

/** Sends rows as JSON text, because PostgreSQL arrays cannot contain lists of different lengths. */
export async function stageRows(tx: Transaction, table: StagedTable, rows: readonly string[]): Promise<void> {
  await sql`
    insert into ${sql.table(table)}
    select * from json_populate_recordset(null::${sql.table(table)}, ${`[${rows.join(',')}]`}::json)`.execute(
    tx,
  )
}

/** Autovacuum skips temporary tables. Without statistics, a million rows would be planned as ten. */
export async function analyse(tx: Transaction, table: string): Promise<void> {
  await sql`analyze ${sql.table(table)}`.execute(tx)
}

export async function dropEarlierLines(
  tx: Transaction,
  table: StagedTable,
  key: readonly string[],
): Promise<void> {
  await sql`
    delete from ${sql.table(table)}
     where position in (
       select position
         from (
           select position,
                  row_number() over (
                    partition by ${sql.join(key.map(column => sql.ref(column)))}
                    order by position desc
                  ) as rank
             from ${sql.table(table)}
         ) ranked
        where rank > 1
     )`.execute(tx)
}

export async function recordRun(tx: Transaction, now: Date): Promise<void> {
  await sql`update register_streams set last_run_at = ${now} where stream = ${importStream}`.execute(tx)
}
