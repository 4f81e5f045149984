import type { NormalisedRow, RecordKind, Stream } from '@baize/registers'
import type { MissingTail, SwitchedSites } from '@baize/registers/guard'
import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { stagedTableOf } from '../snapshot/staging-store.ts'

export async function countInForce(tx: Transaction, stream: string): Promise<Record<RecordKind, number>> {
  const { rows } = await sql<Record<RecordKind, number>>`
    select (select count(*) from licensee_states where stream = ${stream} and known_to is null) as licensee,
           (select count(*)
              from licenses license
              join license_states state on state.license_id = license.id
             where license.stream = ${stream} and state.known_to is null) as license,
           (select count(*)
              from authorisations where stream = ${stream} and known_to is null) as authorisation,
           (select count(*) from blocklist_entries
             where stream = ${stream} and known_to is null and listed) as blocklist_entry`.execute(tx)
  return rows[0] as Record<RecordKind, number>
}

/** Counts authorised sites that would be newly blocked in their market, which a shifted column causes. */
export async function countAuthorisedBlocked(tx: Transaction, { market }: Stream): Promise<SwitchedSites> {
  const { rows } = await sql<SwitchedSites>`
    with authorised as (
      select distinct domain_id from authorisations where market = ${market} and known_to is null and counts
    )
    select count(*) as of,
           count(*) filter (
             where exists (
               select from entry_changes change
                 join domains domain using (domain)
                where domain.id = authorised.domain_id
                  and change.change in ('added', 'returned')
                  and change.listed
                  and change.scope = 'domain'
             )
           ) as sites
      from authorised`.execute(tx)
  return rows[0] as SwitchedSites
}

export async function countBlockedAuthorised(tx: Transaction, { market }: Stream): Promise<SwitchedSites> {
  const { rows } = await sql<SwitchedSites>`
    select (select count(distinct domain_id)
              from authorisations
             where market = ${market} and known_to is null and counts) as of,
           count(distinct domain.id) as sites
      from authorisation_changes change
      join domains domain using (domain)
     where change.change in ('added', 'changed')
       and change.counts
       and exists (
         select from blocklist_entries entry
          where entry.domain_id = domain.id
            and entry.regulator = ${market}
            and entry.scope = 'domain'
            and entry.known_to is null
            and entry.listed
       )
       and not exists (
         select from authorisations stored
          where stored.domain_id = domain.id
            and stored.market = ${market}
            and stored.known_to is null
            and stored.counts
       )`.execute(tx)
  return rows[0] as SwitchedSites
}

export async function findMissing(
  tx: Transaction,
  records: readonly { kind: RecordKind; recordKey: string }[],
): Promise<RecordKind[]> {
  const missing: RecordKind[] = []
  for (const { kind, recordKey } of records) {
    const { rows } = await sql`
      select from ${sql.table(stagedTableOf[kind])} where record_key = ${recordKey} limit 1`.execute(tx)
    if (rows.length === 0) missing.push(kind)
  }
  return missing
}

const keysAtOnceMax = 10_000

/** Compares the last snapshot's stored rows with the staged ones. Repeated keys count once, first. */
export async function countMissingTail(
  tx: Transaction,
  kind: RecordKind,
  lastRows: AsyncIterable<NormalisedRow>,
): Promise<MissingTail> {
  await sql`
    create temp table if not exists last_keys (position bigint, record_key text) on commit drop`.execute(tx)
  await sql`truncate last_keys`.execute(tx)
  let position = 0
  let keys: string[] = []
  const flush = async () => {
    await sql`
      insert into last_keys
      select ${position} + ordinal, record_key
        from unnest(${keys}::text[]) with ordinality as key (record_key, ordinal)`.execute(tx)
    position += keys.length
    keys = []
  }
  for await (const row of lastRows) {
    if (row.record !== kind) continue
    keys.push(row.recordKey)
    if (keys.length === keysAtOnceMax) await flush()
  }
  await flush()
  const { rows } = await sql<Omit<MissingTail, 'kind'>>`
    with placed as (
      select record_key, min(position) as position from last_keys group by record_key
    ),
    marked as (
      select placed.position, staged.record_key is null as is_missing
        from placed
        left join ${sql.table(stagedTableOf[kind])} staged using (record_key)
    ),
    present as (
      select coalesce(max(position), 0) as last_position from marked where not is_missing
    )
    select count(*) filter (where is_missing) as missing,
           count(*) filter (where is_missing and position > present.last_position) as run
      from marked, present`.execute(tx)
  return { kind, ...(rows[0] as Omit<MissingTail, 'kind'>) }
}
