import { type RawBuilder, sql } from 'kysely'
import { differencesShownMax } from '../../core/verification.ts'
import type { Database, Transaction } from '../../database/open.ts'
import { observationLapseDays } from '../domain-entry-store.ts'
import { observedSectionNames } from '../observed-sections.ts'

/**
 * Derives one window per value of the `wanted` domains: the earliest first date, the latest last date, and
 * the value of the latest source. A finding confirms its value when its page was seen.
 */
const derivedWindows: RawBuilder<unknown> = sql`
  sources as (
    select imported.domain_id, imported.section, imported.value_key, imported.value, imported.first_seen_at,
           imported.last_seen_at, imported.last_confirmed_at
      from imported_observations imported
     where imported.domain_id in (select id from wanted)
     union all
    select finding.domain_id, finding.section, finding.value_key, finding.value, finding.seen_at,
           finding.seen_at, finding.seen_at
      from site_findings finding
      join site_checks checked on checked.reading_id = finding.reading_id
     where finding.domain_id in (select id from wanted)
       and finding.section = any (${[...observedSectionNames]}::text[])
  ),
  values_seen as (
    select distinct on (domain_id, section, value_key)
           domain_id, section, value_key, value,
           min(first_seen_at) over same as first_seen_at,
           max(last_seen_at) over same as last_seen_at,
           max(last_confirmed_at) over same as last_confirmed_at
      from sources
     where section <> 'geo'
    window same as (partition by domain_id, section, value_key)
     -- Of the source, not of the window: the latest one has the value.
     order by domain_id, section, value_key, sources.last_seen_at desc, sources.value::text collate "C"
  ),
  -- A page that shows one language says nothing of the others: each element has dates of its own.
  geo_elements as (
    select domain_id, value_key, member, element, min(place) as place, min(first_seen_at) as first_seen_at,
           max(last_seen_at) as last_seen_at, max(last_confirmed_at) as last_confirmed_at,
           max(max(last_seen_at)) over (partition by domain_id) as newest_at
      from sources
     cross join unnest(array['languages', 'currencies', 'geo_hints']) as member
     -- A list without elements was seen, too.
      left join lateral jsonb_array_elements_text(
             case jsonb_typeof(value -> member) when 'array' then value -> member else '[]' end)
             with ordinality as listed (element, place) on true
     where section = 'geo'
     group by domain_id, value_key, member, element
  ),
  windows as (
    select * from values_seen
     union all
    -- Older elements have lapsed. The answer has one date: by then all of its elements had been seen.
    select domain_id, 'geo', value_key,
           jsonb_build_object(
             'languages', coalesce(jsonb_agg(element order by last_seen_at desc, place, element collate "C")
                                     filter (where member = 'languages' and element is not null), '[]'),
             'currencies', coalesce(jsonb_agg(element order by last_seen_at desc, place, element collate "C")
                                      filter (where member = 'currencies' and element is not null), '[]'),
             'geo_hints', coalesce(jsonb_agg(element order by last_seen_at desc, place, element collate "C")
                                     filter (where member = 'geo_hints' and element is not null), '[]')),
           min(first_seen_at), min(last_seen_at), min(last_confirmed_at)
      from geo_elements
     where last_seen_at >= newest_at - make_interval(days => ${observationLapseDays})
     group by domain_id, value_key
  )`

/** Derives the observations of these domains from imports and findings, and writes changed rows only. */
export async function deriveObservations(tx: Transaction, domainIds: readonly number[]): Promise<void> {
  const wanted = sql`wanted as (select unnest(${[...domainIds]}::bigint[]) as id)`
  await sql`
    with ${wanted}, ${derivedWindows}
    delete from observations stored
     using wanted
     where stored.domain_id = wanted.id
       and not exists (
         select from windows derived
          where (derived.domain_id, derived.section, derived.value_key)
              = (stored.domain_id, stored.section, stored.value_key)
       )`.execute(tx)
  await sql`
    with ${wanted}, ${derivedWindows}
    insert into observations as stored
      (domain_id, section, value_key, value, first_seen_at, last_seen_at, last_confirmed_at)
    select domain_id, section, value_key, value, first_seen_at, last_seen_at, last_confirmed_at
      from windows
     order by domain_id, section, value_key
    on conflict (domain_id, section, value_key) do update
       set value = excluded.value,
           first_seen_at = excluded.first_seen_at,
           last_seen_at = excluded.last_seen_at,
           last_confirmed_at = excluded.last_confirmed_at
     where (stored.value, stored.first_seen_at, stored.last_seen_at, stored.last_confirmed_at)
           is distinct from
           (excluded.value, excluded.first_seen_at, excluded.last_seen_at, excluded.last_confirmed_at)
  `.execute(tx)
}

type ObservationDifference = {
  domain: string
  section: string
  value_key: string
  stored: unknown
  derived: unknown
}

export async function verifyObservations(database: Database): Promise<ObservationDifference[]> {
  const { rows } = await sql<ObservationDifference>`
    with wanted as (select id from domains), ${derivedWindows}
    select domain.domain, section, value_key, stored.compared as stored, derived.compared as derived
      from (
        select domain_id, section, value_key,
               jsonb_build_array(value, first_seen_at, last_seen_at, last_confirmed_at) as compared
          from observations
      ) stored
      full join (
        select domain_id, section, value_key,
               jsonb_build_array(value, first_seen_at, last_seen_at, last_confirmed_at) as compared
          from windows
      ) derived using (domain_id, section, value_key)
      join domains domain on domain.id = domain_id
     where stored.compared is distinct from derived.compared
     order by domain.domain, section, value_key
     limit ${differencesShownMax}`.execute(database)
  return rows
}
