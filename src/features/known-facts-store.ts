/**
 * SQL of facts at two times: as they were known when an event was committed, and as they were in force at an
 * instant. Every argument is SQL. `infinity` as `asOf` is the latest that was known: what an answer of that
 * moment counted.
 */
import { importStream } from '../journal/events-store.ts'

export type Moment = { event: string; asOf: string }

/** Joins the `moment`: the last event that was committed by a time; its columns are null if there was none. */
export const joinMoment = (knownAt: string) => `
        left join lateral (
          select number, committed_at
            from dataset_events
           where committed_at <= ${knownAt}
           order by committed_at desc, number desc
           limit 1
        ) moment on true`

type Versioned = { table: string; columns: string; stream: string; where: string; lastSeen: string }

/** Selects when a snapshot was taken; other changes hold from the time of the change. */
const takenAt = (time: string) => `
  coalesce((select snapshot.taken_at
              from register_snapshots snapshot
             where snapshot.stream = version.stream and snapshot.applied_at = ${time}), ${time})`

/** Selects the versions of rows that were known, with the `known_to` that was known. */
function known(
  { table, columns, stream, where, lastSeen }: Versioned,
  { event }: Pick<Moment, 'event'>,
): string {
  const versions = (from: string, until: string) => `
    select id, ${stream} as stream, ${columns}, ${lastSeen} as last_seen_at, known_from,
           case when to_event <= ${event} then known_to end as known_to
      from ${from}
     where ${where} and from_event <= ${event} ${until}`
  return `${versions(table, '')}
    union all ${versions(`former_${table}`, `and until_event > ${event}`)}`
}

/**
 * Selects of each record (`key`) the version of `asOf`: the last one that a snapshot had shown by then, or
 * else the first one, which its own dates may start earlier. `was_shown` is false then, and `has_ended` is
 * true if the record left its register by then.
 */
function versionThen(facts: Versioned, key: string, { event, asOf }: Moment, following = ''): string {
  return `
    select *, shown_at <= ${asOf} as was_shown,
           known_to is not null and ${takenAt('known_to')} <= greatest(shown_at, ${asOf}) as has_ended
      from (
        select version.*, min(shown_at) over (partition by stream, ${key}) as first_at,
               lead(shown_at) over by_time as next_at${following}
          from (
            select version.*,
                   case when ${asOf} = 'infinity' then '-infinity'
                        else ${takenAt('known_from')} end as shown_at
              from (${known(facts, { event })}) version
            offset 0 -- or else each use of shown_at would look it up
          ) version
        window by_time as (partition by stream, ${key} order by known_from, id)
      ) version
     where (shown_at <= ${asOf} or shown_at = first_at)
       and coalesce(next_at > greatest(shown_at, ${asOf}), true)`
}

/** Selects the versions of `versionThen` that are in force. */
const inForce = (facts: Versioned, key: string, moment: Moment, following = '') => `
    select * from (${versionThen(facts, key, moment, following)}) version where not has_ended`

/** Tests whether a `snapshot` that had been applied was not discarded when an event was committed. */
export const wasNotDiscarded = (event: string) => `
  not exists (
    select from dataset_events discarded
     where discarded.snapshot_id = snapshot.id and discarded.kind = 'discard' and discarded.number <= ${event}
  )`

/** Tests whether a `snapshot` was applied, and not discarded, when an event was committed. */
const wasInUse = (event: string) => `
  exists (
    select from dataset_events applied
     where applied.snapshot_id = snapshot.id and applied.kind = 'snapshot' and applied.number <= ${event}
  )
  and ${wasNotDiscarded(event)}`

/** Selects when a row was last seen. Rows of registers get that time when they are closed, as later knowledge. */
const lastSeenOf = (stream: string, event: string) =>
  `case when to_event > ${event} and ${stream} <> '${importStream}' then null else last_seen_at end`

const authorisations = (where: string, { event }: Moment) => ({
  table: 'authorisations',
  columns: 'record_key, domain_id, market, license_id, company_id, published, status, counts, first_seen_at',
  stream: 'stream',
  where,
  lastSeen: lastSeenOf('stream', event),
})

/** A FROM item of authorisations that were known, also of those that had ended. */
export const authorisationsKnown = (where: string, moment: Moment) =>
  `(${known(authorisations(where, moment), moment)})`

/**
 * A FROM item of authorisations. Where `has_begun` is false, the first snapshot of the register has the row,
 * and only the date of its license can start it.
 */
export function authorisationsInForce(where: string, moment: Moment): string {
  const facts = authorisations(where, moment)
  return `(
    select version.id, stream, ${facts.columns}, last_seen_at, null::timestamptz as known_to,
           was_shown or first_seen_at <= ${moment.asOf} as has_begun
      from (${inForce(facts, 'record_key', moment)}) version
     where was_shown
        or first_seen_at <= ${moment.asOf}
        or version.known_from = (
             select snapshot.applied_at from register_snapshots snapshot
              where snapshot.stream = version.stream and snapshot.number is not null
                and ${wasInUse(moment.event)}
              order by snapshot.number
              limit 1
           )
  )`
}

const statesOf = (license: string, { event }: Moment) => ({
  table: 'license_states',
  columns: 'license_id, license_number, status, license_type, issued_at, expires_at, source_url',
  stream: `${license}.stream`,
  where: `license_id = ${license}.id`,
  lastSeen: lastSeenOf(`${license}.stream`, event),
})

/** A FROM item of the state of a license that was in force, at most one row. */
export const licenseStateInForce = (license: string, moment: Moment) =>
  `(${inForce(statesOf(license, moment), 'license_id', moment)})`

/**
 * Selects when a license was first seen, as it was known. One that only discarded snapshots had is first seen
 * anew (`insertLicenses`), and its row has the later date.
 */
export const licenseFirstSeen = (license: string, event: string) => `
  case
    when exists (
      select from license_states known where known.license_id = ${license}.id and known.from_event <= ${event}
    ) then ${license}.first_seen_at
    else coalesce((
      select least(shown.taken_at, case when not exists (
                     select from register_snapshots snapshot
                      where snapshot.stream = shown.stream and ${wasInUse('first.from_event - 1')}
                   ) then first.issued_at::timestamptz end)
        from former_license_states first
        join register_snapshots shown
          on shown.stream = ${license}.stream and shown.applied_at = first.known_from
       where first.license_id = ${license}.id
         and first.from_event <= ${event} and first.until_event > ${event}
       order by first.known_from, first.id
       limit 1
    ), ${license}.first_seen_at)
  end`

/** A FROM item of the last state of a license that was known and had begun, at most one row. */
export const licenseStateThen = (license: string, moment: Moment) => `(
    select * from (${versionThen(statesOf(license, moment), 'license_id', moment)}) state
     where was_shown or least(issued_at, ${licenseFirstSeen(license, moment.event)}) <= ${moment.asOf}
  )`

/** Selects when a stream was last read. Its snapshots, confirmations and discards are events. */
export const lastTakenThen = (stream: string, event: string) => `(
    select coalesce(case event.kind when 'snapshot' then snapshot.taken_at end,
                    (event.detail ->> 'taken_at')::timestamptz)
      from dataset_events event
      left join register_snapshots snapshot on snapshot.id = event.snapshot_id
     where event.kind in ('snapshot', 'confirmation', 'discard')
       and case event.kind when 'snapshot' then event.detail #>> '{stream,key}'
                           else event.detail ->> 'stream' end = ${stream}
       and event.number <= ${event}
     order by event.number desc
     limit 1
  )`

const entryColumns = `record_key, regulator, scope, published, listed_as, domain_id, listed, first_seen_at,
           listed_at, delisted_at, missing_at, withdrawn`
const entries = (where: string) => ({
  table: 'blocklist_entries',
  columns: entryColumns,
  stream: 'stream',
  where,
  lastSeen: 'last_seen_at',
})

/** A FROM item of the entries whose listings count for the start of a current one (`listedSince`). */
export const entriesKnown = (where: string, { event, asOf }: Moment) => `(
    select * from (${known(entries(where), { event })}) version
     where first_seen_at <= ${asOf} or ${asOf} = 'infinity'
  )`

/**
 * A FROM item of listed entries. A listing starts on the register's date if that is earlier than the
 * snapshot, and ends on the register's date if it has one.
 */
export function entriesInForce(where: string, moment: Moment): string {
  const { asOf } = moment
  const following = `,
               lead(listed) over by_time as next_listed, lead(delisted_at) over by_time as next_delisted_at`
  return `(
    select id, stream, record_key, regulator, scope, published, listed_as, domain_id, true as listed,
           first_seen_at, listed_at, false as withdrawn, null::timestamptz as known_to,
           not was_shown as by_date
      from (${inForce(entries(where), 'record_key', moment, following)}) version
     where (not withdrawn or known_to is null)
       and (was_shown or least(listed_at, first_seen_at) <= ${asOf})
       and (case
              when listed then next_listed or coalesce(next_delisted_at > ${asOf}, true)
              else not was_shown and coalesce(delisted_at, missing_at, last_seen_at) > ${asOf}
            end)
  )`
}
