/** Pairs of Companies that may be one party: found for the seekers of a change, and read for staff. */
import { type ComparedCompany, judgePair, linkingName } from '@baize/names'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from '../../../database/open.ts'
import { numbersOf } from './rules-store.ts'

/** A beginning of names, or a domain, that more Companies share says nothing. */
const sharedByMax = 20
const pairsAtOnce = 1_000
const domainsComparedMax = 500

const beginning = (identity: string) => {
  const key = sql.ref(`${identity}.name_key`)
  return sql`left(split_part(${key}, ' ', 1), 12)`
}

/**
 * Judges the pairs of the seekers' Companies (holders-store.ts) and those that look like them, and stores the
 * candidates. Returns how many are new.
 */
export async function findCandidates(tx: Transaction, now: Date): Promise<number> {
  await sql`
    create temp table linking_pairs on commit drop as
    with own as (
      select distinct identity.company_id, identity.name_key, identity.registration, identity.lei,
             seeker.stream, seeker.identity_key
        from linking_seekers seeker
        join company_identities identity using (stream, identity_key)
    ),
    bearers as (
      select named.beginning, bearer.company_id, count(*) over (partition by named.beginning) as sharing
        from (select distinct ${beginning('own')} as beginning from own where name_key is not null) named
       cross join lateral (
         select other.company_id
           from company_identities other
          where ${beginning('other')} = named.beginning and other.name_key is not null
          limit ${sharedByMax + 1}
       ) bearer
    ),
    likely as (
      select own.company_id as one, bearers.company_id as other, bearers.sharing
        from own
        join bearers on bearers.beginning = ${beginning('own')}
       where bearers.company_id <> own.company_id
      union all
      select own.company_id, other.company_id, 0
        from own
        join company_identities other using (registration)
       where other.company_id <> own.company_id
      union all
      select own.company_id, other.company_id, 0
        from own
        join company_identities other using (lei)
       where other.company_id <> own.company_id
      union all
      select own.company_id, relation.company_id, count(*) over (partition by relation.domain_id)
        from own
        join linking_seeker_domains seeker using (stream, identity_key)
        join domain_companies relation on relation.domain_id = seeker.domain_id and relation.known_to is null
       where relation.company_id <> own.company_id
    )
    select distinct least(one, other) as one, greatest(one, other) as other
      from likely
     where sharing <= ${sharedByMax}
       and not exists (
         select from company_distinctions distinction
          where distinction.company_id = least(one, other)
            and distinction.other_company_id = greatest(one, other)
       )`.execute(tx)
  let found = 0
  for (let after = [0, 0]; ; ) {
    const { rows } = await sql<{ one: number; other: number }>`
      select one, other
        from linking_pairs
       where (one, other) > (${after[0]}::bigint, ${after[1]}::bigint)
       order by one, other
       limit ${pairsAtOnce}`.execute(tx)
    const last = rows.at(-1)
    if (last === undefined) break
    found += await writeCandidates(tx, rows, now)
    after = [last.one, last.other]
  }
  await sql`drop table linking_pairs`.execute(tx)
  return found
}

async function writeCandidates(
  tx: Transaction,
  pairs: readonly { one: number; other: number }[],
  now: Date,
): Promise<number> {
  const companies = await readCompared(tx, [...new Set(pairs.flatMap(({ one, other }) => [one, other]))])
  const candidates = pairs.flatMap(({ one, other }) => {
    const [left, right] = [companies.get(one), companies.get(other)]
    const judgement = left === undefined || right === undefined ? null : judgePair(left, right)
    return judgement === null
      ? []
      : [
          {
            company_id: one,
            other_company_id: other,
            score: judgement.score,
            speaks_for: judgement.speaksFor,
            speaks_against: judgement.speaksAgainst,
          },
        ]
  })
  if (candidates.length === 0) return 0
  const { rows } = await sql<{ is_new: boolean }>`
    insert into company_candidates (company_id, other_company_id, score, speaks_for, speaks_against, found_at)
    select company_id, other_company_id, score, speaks_for, speaks_against, ${now}
      from json_populate_recordset(null::company_candidates, ${JSON.stringify(candidates)}::json)
    on conflict (company_id, other_company_id)
    do update set score = excluded.score, speaks_for = excluded.speaks_for,
                  speaks_against = excluded.speaks_against
    returning xmax = 0 as is_new`.execute(tx)
  return rows.filter(row => row.is_new).length
}

async function readCompared(
  database: Database,
  ids: readonly number[],
): Promise<Map<number, ComparedCompany>> {
  const { rows } = await sql<ComparedCompany>`
    select identity.company_id as id,
           ${distinctTexts(sql`identity.name_key`)} as "nameKeys",
           array(
             select distinct number
               from company_identities numbered
              cross join lateral unnest(${numbersOf('numbered')}) number
              where numbered.company_id = identity.company_id and number is not null
           ) as numbers,
           ${distinctTexts(sql`identity.country`)} as countries,
           ${distinctTexts(sql`identity.stream`)} as streams,
           array(
             select distinct brand
               from company_identities named
              cross join lateral unnest(named.brands) as brand
              where named.company_id = identity.company_id
           ) as brands,
           array(
             select domain.domain
               from domain_companies relation
               join domains domain on domain.id = relation.domain_id
              where relation.company_id = identity.company_id and relation.known_to is null
              limit ${domainsComparedMax}
           ) as domains
      from company_identities identity
     where identity.company_id = any (${[...ids]}::bigint[])
     group by identity.company_id`.execute(database)
  return new Map(
    rows.map(row => [row.id, { ...row, brands: row.brands.map(brand => linkingName(brand).stem) }]),
  )
}

const distinctTexts = (value: RawBuilder<unknown>) =>
  sql`coalesce(array_agg(distinct ${value}) filter (where ${value} is not null), '{}')`

export type Candidate = {
  pair: [string, string]
  names: [string | null, string | null]
  score: number
  for: string[]
  against: string[]
  found_at: Date
}

/** Returns open candidates, the highest score first. `after` is the rank to start behind. */
export async function readCandidatePairs(
  database: Database,
  limit: number,
  after: number,
): Promise<Candidate[]> {
  const { rows } = await sql<{
    ref: string
    other_ref: string
    name: string | null
    other_name: string | null
    score: number
    speaks_for: string[]
    speaks_against: string[]
    found_at: Date
  }>`
    select one.company_ref as ref, other.company_ref as other_ref, one.company_name as name,
           other.company_name as other_name, candidate.score, candidate.speaks_for, candidate.speaks_against,
           candidate.found_at
      from company_candidates candidate
      join companies one on one.id = candidate.company_id and one.merged_into is null
      join companies other on other.id = candidate.other_company_id and other.merged_into is null
     where not exists (
             select from company_distinctions distinction
              where distinction.company_id = candidate.company_id
                and distinction.other_company_id = candidate.other_company_id
           )
       and exists (select from company_identities where company_id = one.id)
       and exists (select from company_identities where company_id = other.id)
     order by candidate.score desc, candidate.company_id, candidate.other_company_id
     limit ${limit} offset ${after}`.execute(database)
  return rows.map(row => ({
    pair: [row.ref, row.other_ref],
    names: [row.name, row.other_name],
    score: row.score,
    for: row.speaks_for,
    against: row.speaks_against,
    found_at: row.found_at,
  }))
}

export type LostLink = {
  company_ref: string
  company_name: string | null
  identity: string
  evidence: string
  value: string
  lost_at: Date
}

/** Returns links whose evidence is gone, the latest first. */
export async function readLostLinks(database: Database, limit: number): Promise<LostLink[]> {
  const { rows } = await sql<LostLink>`
    select company.company_ref, company.company_name,
           identity.stream || ':' || identity.identity_key as identity, link.evidence, link.value,
           link.lost_at
      from company_links link
      join company_identities identity using (stream, identity_key)
      join companies company on company.id = identity.company_id
     where link.lost_at is not null
     order by link.lost_at desc, link.id
     limit ${limit}`.execute(database)
  return rows
}
