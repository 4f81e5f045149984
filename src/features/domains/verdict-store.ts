import { notLicensing } from '@baize/registers/entries'
import { type RawBuilder, sql } from 'kysely'
import { differencesShownMax, type Verification } from '../../core/verification.ts'
import type { Database, Transaction } from '../../database/open.ts'
import { reviewedBrandStream } from '../../journal/index.ts'
import { instantOrNull } from '../json-text-store.ts'
import { authorisationsOf, isSharedSite } from '../shared-site-store.ts'
import { listedSince, replaceListings, withMovedListings } from './listings-store.ts'
import { listedAs } from './mentions-store.ts'

export const statusesNotLicensing = `array[${notLicensing.map(status => `'${status}'`).join(', ')}]`

/** Tests whether a license with this open `state` is in force on a day. Without a status, the end decides. */
const inForceOn = (day: string) => `
                  (state.status is null or state.status <> all (${statusesNotLicensing}))
              and (state.status is not null or state.expires_at is null or state.expires_at >= ${day})`

/** Tests whether an `authorisation`, with the open `state` of its license, licenses its domain on a day. */
const licensesOn = (day: string) => `
                  authorisation.known_to is null
              and authorisation.counts
              and (authorisation.status is null or authorisation.status <> all (${statusesNotLicensing}))
              and (authorisation.license_id is null or state.id is not null)
              and ${inForceOn(day)}`

export const isInForce = sql.raw(inForceOn('current_date'))
export const licenses = sql.raw(licensesOn('current_date'))

/** Writes an element of `licensed_by` for an `authorisation` with the `state` of its license. */
export const shownWith = (basis: string) => `
                  '{"geo":' || to_json(authorisation.market) || ',"license_number":'
                  || coalesce(to_json(state.license_number)::text, 'null')
                  || case when authorisation.stream = '${reviewedBrandStream}'
                          then ',"basis":"reviewed_brand"' ${basis} else '' end
                  || '}'`

/** The facts that a verdict follows from, as FROM items of the row `wanted`. */
export type VerdictFacts = {
  authorisations: string
  /** The state of the row `license`. */
  state: string
  /** Blocklist entries, of which those without `known_to` and with `listed` are current. */
  entries: string
  /** When the current listing by the regulator of `entry` started. */
  listedSince: string
  day: string
  /** Further cases of the basis of a license, a condition, and what follows an element of `blocked_by`. */
  basis?: string
  isBegun?: string
  blockedBasis?: string
  /** Entries for `mentioned` and authorisations for `first_seen_at`, if they can be read with less work. */
  mentions?: string
  firstSeen?: string
}

export const factsNow: VerdictFacts = {
  authorisations: authorisationsOf('wanted.id'),
  state: '(select * from license_states where license_id = license.id and known_to is null)',
  entries: '(select * from blocklist_entries where domain_id = wanted.id)',
  listedSince: listedSince('wanted.id', 'entry.regulator'),
  day: 'current_date',
}

const current = 'entry.known_to is null and entry.listed'

/** Writes a regulator's entries of a site as one, spelled like the entry nearest to the root. */
export const shownRegulator = ({
  listedSince,
  blockedBasis = '',
}: Pick<VerdictFacts, 'listedSince' | 'blockedBasis'>) => `
                  '{"geo":' || to_json(entry.regulator) || ',"listed_as":'
                  || to_json((array_agg(${listedAs} order by length(${listedAs}), ${listedAs} collate "C")
                              filter (where ${current}))[1])
                  || ',"scope":"domain","first_listed_at":'
                  || ${instantOrNull(listedSince)}
                  ${blockedBasis} || '}'`

/**
 * Derives verdicts from the facts of the domains in `wanted (id)`; nothing else defines a verdict (contract
 * sections 8 and 13). Lateral joins look up each domain by index: joins of grouped facts once took 84 s
 * instead of 0.3 for 10,000 domains.
 */
export const verdictsFrom = (facts: VerdictFacts) => `
  derived as (
    select wanted.*,
           case
             when licensed.licensed_by is not null and blocked.blocked_by is not null then 'mixed'
             when licensed.licensed_by is not null then 'licensed'
             when blocked.blocked_by is not null then 'blocklisted'
             else 'no_record'
           end as verdict,
           coalesce('[' || licensed.licensed_by || ']', '[]')::json as licensed_by,
           coalesce('[' || blocked.blocked_by || ']', '[]')::json as blocked_by,
           case
             when licensed.companies > 1 and ${isSharedSite('wanted.id', facts.authorisations)} then null
             else licensed.company_id
           end as licensee_company_id,
           least(authorised.first_seen_at, blocked.first_seen_at) as first_seen_at,
           exists (
             select from ${facts.mentions ?? facts.entries} entry
              where ${current} and entry.scope in ('host', 'path')
           ) as mentioned
      from wanted
     cross join lateral (
       select string_agg(distinct license.shown, ',' order by license.shown) as licensed_by,
              count(distinct license.company_id) as companies,
              -- the earliest-issued license's Company, ties by ref; a Company without a license comes last
              (array_agg(license.company_id
                         order by license.license_ref is null, license.issued_at nulls last,
                                  license.license_ref, license.company_id)
                 filter (where license.company_id is not null))[1] as company_id
         from (
           select (${shownWith(facts.basis ?? '')}) collate "C" as shown,
                  -- a site that a register of the market lists needs no reviewed brand
                  authorisation.stream = '${reviewedBrandStream}'
                    and bool_or(authorisation.stream <> '${reviewedBrandStream}') over (
                      partition by authorisation.market
                    ) as is_redundant,
                  coalesce(authorisation.company_id, license.company_id) as company_id,
                  state.issued_at,
                  license.license_ref collate "C" as license_ref
             from ${facts.authorisations} authorisation
             left join lateral (
               select * from licenses where id = authorisation.license_id offset 0
             ) license on true
             left join lateral ${facts.state} state on true
            where ${licensesOn(facts.day)} and ${facts.isBegun ?? 'true'}
         ) license
        where not is_redundant
     ) licensed
     cross join lateral (
       select string_agg(entry.shown, ',' order by entry.regulator) filter (where entry.shown is not null)
                as blocked_by,
              min(entry.first_seen_at) as first_seen_at
         from (
           select entry.regulator collate "C" as regulator, min(entry.first_seen_at) as first_seen_at,
                  ${shownRegulator(facts)} as shown
             from ${facts.entries} entry
            where entry.scope = 'domain' and not entry.withdrawn
            group by entry.regulator
         ) entry
     ) blocked
     cross join lateral (
       select min(authorisation.first_seen_at) as first_seen_at
         from ${facts.firstSeen ?? facts.authorisations} authorisation
     ) authorised
  )`

const derivedVerdicts = sql.raw(verdictsFrom(factsNow))

const verdictColumns = (table: 'domain' | 'derived') =>
  sql.raw(`${table}.verdict, ${table}.licensed_by::text, ${table}.blocked_by::text,
           ${table}.licensee_company_id, ${table}.first_seen_at, ${table}.mentioned`)

const domainsAtOnceMax = 10_000

/** Why verdicts change. `occurredAt` is the time of the snapshot, or else of the change. */
export type VerdictCause = {
  cause: 'coverage' | 'register' | 'import' | 'staff'
  isCorrection?: boolean
  occurredAt: Date
  now: Date
}

// Derives the verdicts of these domains. A separate statement first locks the rows in id order, so that
// concurrent changes see each other.
export async function deriveVerdicts(
  tx: Transaction,
  domainIds: readonly number[],
  cause: VerdictCause,
): Promise<void> {
  const ids = [...new Set(domainIds)].sort((a, b) => a - b)
  for (let start = 0; start < ids.length; start += domainsAtOnceMax) {
    await deriveSome(tx, ids.slice(start, start + domainsAtOnceMax), cause)
  }
}

const wordAndMarkets = (side: 'before' | 'derived') =>
  sql.raw(`(${side}.verdict, verdict_markets(${side}.licensed_by), verdict_markets(${side}.blocked_by))`)

/**
 * Writes changes of the word or the markets, numbered in the order of ids. The lock of facts makes their
 * order that of the commits.
 */
export const recordedChanges = (
  { cause, isCorrection = false, occurredAt, now }: VerdictCause,
  moved: RawBuilder<unknown>,
) => sql`
      insert into verdict_changes (number, change_ref, domain_id, verdict_before, licensed_by_before,
                                   blocked_by_before, verdict_after, licensed_by_after, blocked_by_after,
                                   markets, cause, is_correction, occurred_at, detected_at, event)
      select number,
             'vc_' || left(encode(sha256(convert_to(domain_ref || ' ' || number, 'UTF8')), 'hex'), 24),
             id, verdict_before, licensed_before, blocked_before, verdict, licensed_by, blocked_by, markets,
             -- a first import is no news
             case when ${cause} = 'import' and not exists (select from dataset_events where kind = 'import')
                  then 'coverage' else ${cause} end,
             ${isCorrection}, ${occurredAt}, ${now}, current_event()
        from (
          select (select coalesce(max(number), 0) from verdict_changes)
                   + row_number() over (order by moved.id) as number,
                 moved.*
            from (${moved}) moved
        ) numbered`

async function deriveSome(tx: Transaction, ids: number[], cause: VerdictCause): Promise<void> {
  await sql`select 1 from domains where id = any (${ids}::bigint[]) order by id for update`.execute(tx)
  const { rows: changed } = await sql<{ id: number }>`
    with wanted as (select unnest(${ids}::bigint[]) as id), ${derivedVerdicts},
    before as materialized (
      select id, domain_ref, verdict, licensed_by, blocked_by
        from domains
       where id = any (${ids}::bigint[])
    ),
    changed as (
      update domains domain
         set verdict = derived.verdict,
             licensed_by = derived.licensed_by,
             blocked_by = derived.blocked_by,
             licensee_company_id = derived.licensee_company_id,
             first_seen_at = derived.first_seen_at,
             mentioned = derived.mentioned
        from derived
       where domain.id = derived.id
         and (${verdictColumns('domain')}) is distinct from (${verdictColumns('derived')})
      returning domain.id
    ),
    recorded as (${recordedChanges(
      cause,
      sql`
          select derived.*, before.domain_ref, before.verdict as verdict_before,
                 before.licensed_by as licensed_before, before.blocked_by as blocked_before,
                 array(
                   select element ->> 'geo' collate "C"
                     from json_array_elements(before.licensed_by) element
                   union select element ->> 'geo' from json_array_elements(before.blocked_by) element
                   union select element ->> 'geo' from json_array_elements(derived.licensed_by) element
                   union select element ->> 'geo' from json_array_elements(derived.blocked_by) element
                   order by 1
                 ) as markets
            from changed
            join before using (id)
            join derived using (id)
           where ${wordAndMarkets('before')} is distinct from ${wordAndMarkets('derived')}`,
    )})
    select id from changed`.execute(tx)
  const moved = await withMovedListings(tx, ids)
  await replaceListings(tx, [...new Set([...changed.map(row => row.id), ...moved])])
}

type VerdictDifference = { domain: string; stored: unknown; derived: unknown }

export async function verifyVerdicts(database: Database): Promise<Verification<VerdictDifference>> {
  const differences: VerdictDifference[] = []
  let checked = 0
  for (let after = 0; ; ) {
    const { rows } = await sql<{
      checked: number
      last: number | null
      differences: VerdictDifference[] | null
    }>`
      with wanted as materialized (
        select id from domains where id > ${after} order by id limit ${domainsAtOnceMax}
      ),
      ${derivedVerdicts}
      select count(*) as checked,
             max(domain.id) as last,
             json_agg(json_build_object(
               'domain', domain.domain,
               'stored', json_build_array(${verdictColumns('domain')}),
               'derived', json_build_array(${verdictColumns('derived')})
             )) filter (where (${verdictColumns('domain')}) is distinct from (${verdictColumns('derived')}))
               as differences
        from derived
        join domains domain using (id)`.execute(database)
    const chunk = rows[0]
    if (chunk === undefined || chunk.last === null) return { checked, differences }
    checked += chunk.checked
    after = chunk.last
    differences.push(...(chunk.differences ?? []).slice(0, differencesShownMax - differences.length))
  }
}
