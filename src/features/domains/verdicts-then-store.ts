import type { PointRead } from '@baize/postgres'
import {
  authorisationsInForce,
  entriesInForce,
  entriesKnown,
  joinMoment,
  licenseStateInForce,
} from '../known-facts-store.ts'
import type { Times } from '../two-times.ts'
import type { VerdictRow } from './domain-store.ts'
import { listedSince } from './listings-store.ts'
import { type VerdictFacts, verdictsFrom } from './verdict-store.ts'

const moment = { event: 'wanted.event', asOf: 'wanted.as_of' }
const ofDomain = 'domain_id = wanted.id'
const firstListed = `min(least(entry.listed_at, entry.first_seen_at))`

const everMentioned = (table: string) => `
  select scope, true as listed, null::timestamptz as known_to from ${table} where ${ofDomain}`

/** The facts of a row `wanted (id, event, as_of, day)`. */
export const factsThen: VerdictFacts = {
  authorisations: authorisationsInForce(ofDomain, moment),
  state: licenseStateInForce('license', moment),
  entries: entriesInForce(ofDomain, moment),
  listedSince: `coalesce(
    ${listedSince('wanted.id', 'entry.regulator', entriesKnown(ofDomain, moment))}, ${firstListed})`,
  day: 'wanted.day',
  // `mentioned` only says whether mentions are read, and no answer has `first_seen_at`
  mentions: `(${everMentioned('blocklist_entries')}
    union all ${everMentioned('former_blocklist_entries')})`,
  firstSeen: '(select null::timestamptz as first_seen_at)',
  isBegun: '(authorisation.has_begun or state.issued_at <= wanted.as_of)',
  basis: `when not authorisation.has_begun then ',"basis":"register_date"'`,
  blockedBasis: `|| case when bool_and(entry.by_date) then ',"basis":"register_date"' else '' end`,
}

/** A verdict of two times. `event` is null if nothing was known then. */
export type VerdictThen = Omit<VerdictRow, 'id'> & {
  id: number | null
  key: string
  event: number | null
  committed_at: Date | null
}

export const verdictKey = (domain: string, { knownAt, asOf, day }: Pick<Times, 'knownAt' | 'asOf' | 'day'>) =>
  `${knownAt.toISOString()} ${asOf} ${day} ${domain}`

/** Derives verdicts as they were known and in force at the times of their keys. */
export const verdictsThen: PointRead<VerdictThen> = {
  name: 'verdicts_then',
  text: `
    with asked as (
      select key, split_part(key, ' ', 1)::timestamptz as known_at,
             split_part(key, ' ', 2)::timestamptz as as_of,
             split_part(key, ' ', 3)::date as day, split_part(key, ' ', 4) as domain
        from unnest($1::text[]) as key
    ),
    wanted as materialized (
      select asked.*, domain.id, moment.number as event, moment.committed_at
        from asked
        left join lateral (select id from domains where domain = asked.domain offset 0) domain on true
        ${joinMoment('asked.known_at')}
    ),
    ${verdictsFrom(factsThen)}
    select derived.key, derived.event, derived.committed_at, derived.id, derived.domain, derived.verdict,
           derived.licensed_by::text, derived.blocked_by::text, derived.mentioned, null as last_observed_at,
           '{"company_ref":' || to_json(company.company_ref) || ',"name":'
           || to_json(coalesce(company.company_name, derived.domain)) || '}' as company
      from derived
      left join lateral (
        select coalesce(merged_into, id) as id from companies where id = derived.licensee_company_id offset 0
      ) licensee on true
      left join lateral (select * from companies where id = licensee.id offset 0) company on true`,
  keyOf: row => row.key,
}
