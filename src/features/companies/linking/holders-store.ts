/**
 * Reads what the linking of one change of facts compares, in two temporary tables that the caller fills:
 * - `linking_seekers`: identities that are new or gained evidence (`createSeekers` has its columns);
 * - `linking_seeker_domains`: the domains that seekers are authorised for.
 * Only identities that share a name, number or LEI with a seeker are read, by index.
 */
import type { Holder, KeyRow } from '@baize/names'
import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../../../database/open.ts'
import { importStream } from '../../../journal/events-store.ts'
import { type LinkingRule, numbersOf } from './rules-store.ts'

export async function createSeekers(tx: Transaction): Promise<void> {
  await sql`
    create temp table linking_seekers (
      stream text, identity_key text, company_id bigint, is_new boolean, name_key text, country text,
      regulator text, registration text, lei text
    ) on commit drop`.execute(tx)
  await sql`
    create temp table linking_seeker_domains (stream text, identity_key text, domain_id bigint) on commit drop
  `.execute(tx)
}

/** Holders without a Company have their identity as their node. */
const node = (table: string) => {
  const [id, stream, key] = ['company_id', 'stream', 'identity_key'].map(name => sql.ref(`${table}.${name}`))
  return sql`coalesce(${id}::text, ${stream} || ':' || ${key})`
}

/** Finds the identities that share something with a seeker. */
export async function findHolders(tx: Transaction): Promise<void> {
  await sql`analyze linking_seekers`.execute(tx)
  await sql`
    create temp table linking_holders on commit drop as
    select seeker.*, true as is_seeker from linking_seekers seeker
    union all
    select identity.stream, identity.identity_key, identity.company_id, false, identity.name_key,
           identity.country, stream.market || ' ' || stream.regulator, identity.registration, identity.lei,
           false
      from (
        select identity.stream, identity.identity_key
          from (select distinct name_key from linking_seekers where name_key is not null) named
          join company_identities identity using (name_key)
        union
        select identity.stream, identity.identity_key
          from (select distinct registration from linking_seekers where registration is not null) numbered
          join company_identities identity using (registration)
        union
        select identity.stream, identity.identity_key
          from (select distinct lei from linking_seekers where lei is not null) legal
          join company_identities identity using (lei)
      ) found
      join company_identities identity using (stream, identity_key)
      left join register_streams stream using (stream)
     where not exists (
       select from linking_seekers seeker
        where (seeker.stream, seeker.identity_key) = (found.stream, found.identity_key)
     )`.execute(tx)
  await sql`
    delete from linking_holders holder
     where is_seeker
       and not exists (
         select from linking_holders other
          where (other.stream, other.identity_key) <> (holder.stream, holder.identity_key)
            and other.name_key = holder.name_key
       )
       and not exists (
         select from linking_holders other
          where (other.stream, other.identity_key) <> (holder.stream, holder.identity_key)
            and other.registration = holder.registration
       )
       and not exists (
         select from linking_holders other
          where (other.stream, other.identity_key) <> (holder.stream, holder.identity_key)
            and other.lei = holder.lei
       )`.execute(tx)
  await sql`analyze linking_holders`.execute(tx)
  await sql`
    create temp table linking_holder_domains on commit drop as
    select holder.stream, holder.identity_key, domain.id as domain_id, domain.domain
      from linking_holders holder
      join linking_seeker_domains seeker using (stream, identity_key)
      join domains domain on domain.id = seeker.domain_id
     where holder.name_key is not null
    union
    select holder.stream, holder.identity_key, domain.id, domain.domain
      from linking_holders holder
      join domain_companies relation on relation.company_id = holder.company_id and relation.known_to is null
      join domains domain on domain.id = relation.domain_id
     where holder.name_key is not null`.execute(tx)
}

/** Returns the keys of the rules that at least two holders have. */
export async function readKeys(tx: Transaction, rules: readonly LinkingRule[]): Promise<KeyRow[]> {
  const keys: KeyRow[] = []
  for (const rule of rules) {
    const { rows } = await sql<KeyRow>`
      select key, value, node, stream, identity_key
        from (
          select keyed.*, min(node) over (partition by key) <> max(node) over (partition by key) as is_shared
            from (${keysOf(rule)}) keyed
        ) counted
       where is_shared`.execute(tx)
    for (const row of rows) keys.push({ ...row, evidence: rule.evidence, byName: rule.byName })
  }
  return keys
}

function keysOf({ byName, byDomain = false, value, applies }: LinkingRule): RawBuilder<unknown> {
  const domains = sql`join linking_holder_domains holder_domain using (stream, identity_key)`
  return sql`
    select case when ${byName}::boolean then holder.name_key || '|' else '' end || ${value} as key,
           ${value} as value, ${node('holder')} as node, stream, identity_key
      from linking_holders holder
      ${byDomain ? domains : sql``}
     where (${applies}) and ${value} is not null
       and (holder.name_key is not null or not ${byName}::boolean)`
}

/** Returns the holders with all numbers, countries and names of their Companies. */
export async function readHolders(tx: Transaction, keys: readonly KeyRow[]): Promise<Holder[]> {
  const nodes = [...new Set(keys.map(key => key.node))]
  if (nodes.length === 0) return []
  const { rows } = await sql<Holder>`
    with wanted as (
      select ${node('holder')} as node, company_id, bool_or(is_new) as is_new
        from linking_holders holder
       where ${node('holder')} = any (${nodes}::text[])
       group by 1, 2
    ),
    facts as (
      select wanted.node, holder.registration, holder.lei, holder.country, holder.name_key, holder.stream,
             holder.identity_key, false as is_renamed
        from wanted
        join linking_holders holder on ${node('holder')} = wanted.node
      union all
      select wanted.node, identity.registration, identity.lei, identity.country, identity.name_key,
             identity.stream, identity.identity_key,
             exists (
               select from licensee_states past
                where past.stream = identity.stream
                  and past.record_key = identity.identity_key
                  and fold_names(array[past.legal_name]) <> fold_names(array[identity.legal_entity])
             )
        from wanted
        join company_identities identity on identity.company_id = wanted.company_id
    )
    select wanted.node, wanted.company_id as "companyId", wanted.is_new as "isNew",
           bool_and(facts.stream = ${importStream}) as "isImported",
           coalesce(array_agg(distinct number.value) filter (where number.value is not null), '{}')
             as numbers,
           coalesce(array_agg(distinct facts.country) filter (where facts.country is not null), '{}')
             as countries,
           coalesce(array_agg(distinct facts.name_key) filter (where facts.name_key is not null), '{}')
             as "nameKeys",
           array_agg(distinct facts.stream || ':' || facts.identity_key) as identities
      from wanted
      join facts using (node)
     cross join lateral unnest(${numbersOf('facts')}) number (value)
     group by wanted.node, wanted.company_id, wanted.is_new`.execute(tx)
  return rows
}

/** Returns the pairs among these Companies that staff called different parties. */
export async function readDistinctPairs(
  tx: Transaction,
  ids: readonly number[],
): Promise<[number, number][]> {
  const { rows } = await sql<{ company_id: number; other_company_id: number }>`
    select company_id, other_company_id
      from company_distinctions
     where company_id = any (${[...ids]}::bigint[])
       and other_company_id = any (${[...ids]}::bigint[])`.execute(tx)
  return rows.map(row => [row.company_id, row.other_company_id])
}
