import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction, World } from '../database/open.ts'
import { readConsistently } from '../database/read-consistently.ts'

const waitsWithin = '10min'
/** Exceeds what any world has needed so far. The ledger of a busy year was not tried. */
const comparesWithin = '12h'
const workMemory = '64MB'

/**
 * Facts in force without ids and refs, which a replay assigns anew. Natural keys and dates identify them,
 * and a Company has its first identity. A verdict's Company may depend on refs (contract section 8), so the
 * check of verdicts covers it.
 */
const factsInForce: Record<string, RawBuilder<unknown>> = {
  licenses: sql`
    select concat_ws(' | ', license.stream, license.record_key, license.jurisdiction, state.license_number,
                     state.status,
                     state.license_type, state.role, state.licensee_key, state.issued_at, state.expires_at,
                     state.source_url, license.first_seen_at, state.known_from, state.last_seen_at,
                     named.name) as fact
      from license_states state
      join licenses license on license.id = state.license_id
      left join named on named.company_id = license.company_id
     where state.known_to is null`,
  licensees: sql`
    select concat_ws(' | ', stream, record_key, legal_name, trading_names, country, registration_number,
                     first_seen_at,
                     known_from) as fact
      from licensee_states
     where known_to is null`,
  authorisations: sql`
    select concat_ws(' | ', authorisation.stream, authorisation.record_key, domain.domain,
                     authorisation.market,
                     license.record_key, authorisation.licensee_key, authorisation.published,
                     authorisation.status,
                     authorisation.counts, authorisation.first_seen_at, authorisation.known_from,
                     named.name) as fact
      from authorisations authorisation
      join domains domain on domain.id = authorisation.domain_id
      left join licenses license on license.id = authorisation.license_id
      left join named on named.company_id = authorisation.company_id
     where authorisation.known_to is null`,
  'blocklist entries': sql`
    select concat_ws(' | ', entry.stream, entry.record_key, entry.regulator, entry.scope, entry.published,
                     domain.domain,
                     entry.listed, entry.first_seen_at, entry.last_seen_at, entry.missing_at,
                     entry.listed_at, entry.delisted_at,
                     entry.known_from) as fact
      from blocklist_entries entry
      left join domains domain on domain.id = entry.domain_id
     where entry.known_to is null`,
  verdicts: sql`
    select concat_ws(' | ', domain.domain, domain.verdict, domain.licensed_by, domain.blocked_by,
                     domain.first_seen_at) as fact
      from domains domain
     where domain.verdict <> 'no_record'`,
  companies: sql`
    select concat_ws(' | ', identity.stream, identity.identity_key, named.name) as fact
      from company_identities identity
      join named on named.company_id = identity.company_id`,
  signals: sql`
    select concat_ws(' | ', lpad(number::text, 19, '0'), signal_ref, event_type, is_market_entry,
                     occurred_at, detected_at, is_backfill) as fact
      from signals`,
}

export const factKinds = Object.keys(factsInForce)

function factsOf(kind: string): RawBuilder<unknown> {
  return sql`
    with named as (
      select company_id, min((stream || ' ' || identity_key) collate "C") as name
        from company_identities
       group by company_id
    )
    ${factsInForce[kind] as RawBuilder<unknown>}`
}

/** Returns digests of the facts of a kind in 256 groups by hash, so that only differing groups are read. */
export async function digestFacts(database: Database, kind: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ group: string; digest: string }>`
    select left(md5(fact), 2) as group, md5(string_agg(fact, E'\n' order by fact collate "C")) as digest
      from (${factsOf(kind)}) facts
     group by 1`.execute(database)
  return new Map(rows.map(row => [row.group, row.digest]))
}

/** Reads the facts of one group, with its digest. */
export async function readFacts(
  database: Database,
  kind: string,
  group: string,
): Promise<{ facts: string[]; digest: string | undefined }> {
  const { rows } = await sql<{ fact: string }>`
    select fact
      from (${factsOf(kind)}) facts
     where left(md5(fact), 2) = ${group}
     order by fact collate "C"`.execute(database)
  const facts = rows.map(row => row.fact)
  return {
    facts,
    digest: facts.length === 0 ? undefined : createHash('md5').update(facts.join('\n')).digest('hex'),
  }
}

export async function lastEventNumber(database: Database): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    select coalesce(max(number), 0) as number from dataset_events`.execute(database)
  return rows[0]?.number as number
}

export async function createSchema(database: Database, name: string): Promise<void> {
  await sql`create schema ${sql.id(name)}`.execute(database)
}

export async function dropSchema(database: Database, name: string): Promise<void> {
  await sql`drop schema if exists ${sql.id(name)} cascade`.execute(database)
}

/** Finds schemas that killed verifications left behind. The caller must have the lock of `lockReplays`. */
export async function findAbandonedSchemas(database: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select nspname as name from pg_namespace where nspname like 'replay\\_%'`.execute(database)
  return rows.map(row => row.name)
}

/** Lets one verification replay at a time; others wait until its transaction ends. */
export async function lockReplays(database: Database): Promise<void> {
  await sql`
    select set_config('idle_in_transaction_session_timeout', '0', true),
           set_config('statement_timeout', ${waitsWithin}, true),
           set_config('lock_timeout', ${waitsWithin}, true)`.execute(database)
  await sql`select pg_advisory_xact_lock(hashtextextended('baize replay', 0))`.execute(database)
}

/** Allows statements over whole tables of a large world, whose sorts the default of 4 MB would spill to disk. */
export function compareConsistently<Result>(
  world: World,
  read: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return readConsistently(world, async tx => {
    await sql`
      select set_config('statement_timeout', ${comparesWithin}, true),
             set_config('work_mem', ${workMemory}, true)`.execute(tx)
    return read(tx)
  })
}
