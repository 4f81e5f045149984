import { sql } from 'kysely'
import type { Transaction } from '../../src/database/open.ts'
import { lockFacts } from '../../src/journal/index.ts'
import { jurisdictions, regulators, type Sizes } from './sizes.ts'

/**
 * Generates the past of a world: streams with a snapshot each day, of which every 50th is discarded on the
 * next day, and closed rows of each domain between them. A quarter of a domain's rows are authorisations that
 * came and went, the others versions of three blocklist entries; a tenth of the domains has an entry that was
 * withdrawn with its snapshot.
 */

export const historyStart = '2023-01-01T00:00:00Z'
export const historyDays = 1_100

const streams = 40
const entriesOfDomain = 3
const discardedEvery = 50
/** Rows change on days whose snapshots are neither discarded nor replaced by a discard. */
const goodDays = Math.floor(historyDays / discardedEvery) * (discardedEvery - 2)

/** Selects the day of the nth good day. */
const dayOf = (nth: string) =>
  `(${nth}) / ${discardedEvery - 2} * ${discardedEvery} + 2 + (${nth}) % ${discardedEvery - 2}`

export async function generateHistory(tx: Transaction, { closedRows }: Sizes): Promise<void> {
  if (closedRows % (entriesOfDomain + 1) !== 0)
    throw new Error(`--history must be a multiple of ${entriesOfDomain + 1}`)
  const versions = closedRows / (entriesOfDomain + 1)
  await addSnapshots(tx)
  // The rows of the first event are known. Foreign keys are not checked, which would take most of the time.
  await sql`set local session_replication_role = replica`.execute(tx)
  await addEntries(tx, versions)
  await addWithdrawnEntries(tx)
  await addAuthorisations(tx, versions)
  await addStates(tx, versions)
  await sql`set local session_replication_role = origin`.execute(tx)
  await lockFacts(tx)
}

/** Adds streams, their snapshots and events, and lists them in a temporary table. */
async function addSnapshots(tx: Transaction): Promise<void> {
  await sql`
    insert into dataset_events (number, kind, at, committed_at)
    values (1, 'import', '2020-01-01T00:00:00Z', '2020-01-01T00:00:00Z')`.execute(tx)
  await sql`insert into kept_files (sha256, bytes) values ('\\x00', 0)`.execute(tx)
  await sql`
    insert into register_streams (stream, market, covers, parser_version, snapshot_number, last_taken_at,
                                  last_confirmed_at, cadence_hours)
    select 'past' || number, (${regulators}::text[])[1 + number % ${regulators.length}],
           array['register', 'blocklist'], 1, ${historyDays}::int, ${historyStart}::timestamptz, now(), 24
      from generate_series(0, ${streams - 1}) as number`.execute(tx)
  await sql`
    create temp table past_snapshots on commit drop as
    select number as stream_number, 'past' || number as stream, day,
           2 + day * ${streams}::int + number as event,
           ${historyStart}::timestamptz + day * interval '1 day' + number * interval '1 minute' as taken_at,
           ${historyStart}::timestamptz + day * interval '1 day' + number * interval '1 minute'
             + interval '1 hour' as applied_at,
           day % ${discardedEvery}::int = 0 and day > 0 as is_discarded,
           day % ${discardedEvery}::int = 1 and day > 1 as is_discard
      from generate_series(0, ${historyDays - 1}) as day
     cross join generate_series(0, ${streams - 1}) as number`.execute(tx)
  await sql`create unique index on past_snapshots (stream_number, day)`.execute(tx)
  await sql`analyze past_snapshots`.execute(tx)
  await sql`
    insert into register_snapshots
      (snapshot_ref, stream, number, status, taken_at, received_at, applied_at, content_sha256, files, form,
       parser_version, rows_sha256, rows, rejected, rejected_by_reason, rejects, undecided, figures, added,
       removed, changed, discarded_at, discarded_because)
    select 'snap_past' || event, stream, 1 + day,
           case when is_discarded then 'discarded' else 'applied' end, taken_at, taken_at, applied_at,
           sha256(event::text::bytea), '[]', 'official', 1, '\\x00', 0, 0, '{}', '[]', 0, '{}', 0, 0, 0,
           case when is_discarded then applied_at + interval '1 day' end,
           case when is_discarded then 'bench' end
      from past_snapshots
     where not is_discard
     order by event`.execute(tx)
  await sql`
    insert into dataset_events (number, kind, at, snapshot_id, detail, committed_at)
    select past.event, case when is_discard then 'discard' else 'snapshot' end, past.applied_at, snapshot.id,
           case when is_discard
                then jsonb_build_object('stream', past.stream, 'taken_at', past.taken_at - interval '2 days')
                else jsonb_build_object('stream', jsonb_build_object('key', past.stream)) end,
           past.applied_at + interval '5 seconds'
      from past_snapshots past
      join register_snapshots snapshot
        on snapshot.stream = past.stream
       and snapshot.number = 1 + past.day - case when is_discard then 1 else 0 end
     order by past.event`.execute(tx)
}

/** Adds versions of entries, listed and not in turn: the closed ones, and an open one that is not listed. */
async function addEntries(tx: Transaction, versions: number): Promise<void> {
  const step = Math.floor(goodDays / (versions + 1))
  const day = (version: string) =>
    sql.raw(dayOf(`${version} * ${step} + (domain.id * 37 + record * 11) % ${step}`))
  await sql`
    insert into blocklist_entries
      (stream, record_key, regulator, scope, published, domain_id, listed, first_seen_at, last_seen_at,
       missing_at, known_from, known_to, from_event, to_event, scope_rules)
    select began.stream, domain.id || ' ' || record,
           (${regulators}::text[])[1 + began.stream_number % ${regulators.length}], 'domain', domain.domain,
           domain.id, version.listed, shown.taken_at,
           case when not version.listed then shown.taken_at + interval '1 day' end,
           case when not version.listed then began.taken_at end,
           began.applied_at, ended.applied_at, began.event, ended.event, 1
      from domains domain
     cross join generate_series(0, ${entriesOfDomain - 1}) as record
     cross join lateral (
       select number, (number + ${versions}::int) % 2 = 1 as listed
         from generate_series(0, ${versions}::int) as number
     ) version
      join past_snapshots began
        on began.stream_number = (domain.id * 7 + record * 13) % ${streams}
       and began.day = ${day('version.number')}
      join past_snapshots shown
        on shown.stream_number = began.stream_number
       and shown.day = ${day('greatest(0, version.number - case when version.listed then 0 else 1 end)')}
      left join past_snapshots ended
        on ended.stream_number = began.stream_number
       and ended.day = ${day('(version.number + 1)')}
       and version.number < ${versions}::int`.execute(tx)
}

/** Adds entries that a snapshot listed, until it was discarded: former versions alone have them. */
async function addWithdrawnEntries(tx: Transaction): Promise<void> {
  await sql`
    insert into former_blocklist_entries
      (id, stream, record_key, regulator, scope, published, domain_id, listed, first_seen_at, withdrawn,
       known_from, from_event, until_event, scope_rules)
    select nextval(pg_get_serial_sequence('blocklist_entries', 'id')), wrong.stream,
           domain.id || ' withdrawn', (${regulators}::text[])[1 + wrong.stream_number % ${regulators.length}],
           'domain', domain.domain, domain.id, true, wrong.taken_at, false, wrong.applied_at, wrong.event,
           taken_back.event, 1
      from domains domain
      join past_snapshots wrong
        on wrong.stream_number = domain.id / 10 % ${streams}
       and wrong.day = (1 + domain.id / 10 % ${Math.floor(historyDays / discardedEvery) - 1})
             * ${discardedEvery}::int
      join past_snapshots taken_back
        on taken_back.stream_number = wrong.stream_number and taken_back.day = wrong.day + 1
     where domain.id % 10 = 0`.execute(tx)
}

/** Adds authorisations of one record that came and went. */
async function addAuthorisations(tx: Transaction, versions: number): Promise<void> {
  const step = Math.floor(goodDays / (2 * versions))
  const day = (version: string) => sql.raw(dayOf(`${version} * ${step} + domain.id * 41 % ${step}`))
  await sql`
    insert into authorisations
      (stream, record_key, domain_id, market, license_id, company_id, published, counts, first_seen_at,
       last_seen_at, known_from, known_to, from_event, to_event)
    select began.stream, 'past ' || domain.id,
           domain.id, (${jurisdictions}::text[])[1 + began.stream_number % ${jurisdictions.length}],
           license.id, license.company_id, domain.domain, true, began.taken_at,
           ended.taken_at - interval '1 day', began.applied_at, ended.applied_at, began.event, ended.event
      from domains domain
      join (select count(*) as licenses, min(id) as first_id from licenses) counted on true
      join licenses license on license.id = counted.first_id + domain.id % counted.licenses
     cross join generate_series(0, ${versions - 1}) as version
      join past_snapshots began
        on began.stream_number = domain.id * 3 % ${streams} and began.day = ${day('2 * version')}
      join past_snapshots ended
        on ended.stream_number = began.stream_number and ended.day = ${day('(2 * version + 1)')}`.execute(tx)
}

/** Adds earlier states of licenses before the open one, which then begins with the last snapshot. */
async function addStates(tx: Transaction, versions: number): Promise<void> {
  const step = Math.floor(goodDays / (versions + 1))
  const day = (version: string) => sql.raw(dayOf(`${version} * ${step} + license.id * 43 % ${step}`))
  const snapshotsOf = (name: string, version: string) => sql`
      join past_snapshots ${sql.raw(name)}
        on ${sql.raw(name)}.stream_number = 0 and ${sql.raw(name)}.day = ${day(version)}`
  await sql`
    insert into license_states
      (license_id, license_number, status, license_type, issued_at, last_seen_at, known_from, known_to,
       from_event, to_event)
    select license.id, state.license_number,
           case when version % 3 = 2 then 'suspended' else 'active' end, state.license_type, state.issued_at,
           ended.taken_at, began.applied_at, ended.applied_at, began.event, ended.event
      from licenses license
      join license_states state on state.license_id = license.id and state.known_to is null
     cross join generate_series(0, ${versions - 1}) as version
      ${snapshotsOf('began', 'version')}
      ${snapshotsOf('ended', '(version + 1)')}`.execute(tx)
  await sql`
    update license_states state set known_from = ended.applied_at, from_event = ended.event
      from licenses license
      ${snapshotsOf('ended', `${versions}`)}
     where license.id = state.license_id and state.known_to is null`.execute(tx)
}
