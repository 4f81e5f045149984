import { type RawBuilder, sql } from 'kysely'
import { notLicensing } from '../../core/license-status.ts'
import type { Database, Transaction } from '../../database/open.ts'

const statusesNotLicensing = sql`${[...notLicensing]}::text[]`

/**
 * What the open register facts make of the domains in `wanted (id)`: the one definition of a verdict, used to keep
 * the derived columns and to check them (`baize verify`). Contract section 8, "What licenses a domain", "What blocks it".
 */
const derivedVerdicts = sql`
  licensing as (
    select authorisation.domain_id,
           authorisation.market as geo,
           state.license_number,
           coalesce(authorisation.company_id, license.company_id) as company_id,
           state.issued_at,
           license.license_ref
      from wanted
      join authorisations authorisation
        on authorisation.domain_id = wanted.id
       and authorisation.known_to is null
       and authorisation.counts
      left join licenses license on license.id = authorisation.license_id
      left join license_states state on state.license_id = license.id and state.known_to is null
     where (authorisation.status is null or authorisation.status <> all (${statusesNotLicensing}))
       and (authorisation.license_id is null or state.id is not null)
       and (state.status is null or state.status <> all (${statusesNotLicensing}))
  ),
  blocking as (
    select distinct entry.domain_id, entry.regulator as geo
      from wanted
      join blocklist_entries entry
        on entry.domain_id = wanted.id
       and entry.known_to is null
       and entry.listed
       and entry.scope = 'domain'
  ),
  licensed as (
    select domain_id,
           ('[' || string_agg('{"geo":' || to_json(geo) || ',"license_number":'
                              || coalesce(to_json(license_number)::text, 'null') || '}', ','
                              order by geo collate "C", license_number collate "C") || ']')::json as licensed_by,
           array_agg(distinct geo) as geos
      from (select distinct domain_id, geo, license_number from licensing) each_license
     group by domain_id
  ),
  licensees as (
    select distinct on (domain_id) domain_id, company_id
      from licensing
     where company_id is not null
     order by domain_id, license_ref is null, issued_at nulls last, license_ref collate "C", company_id
  ),
  blocked as (
    select domain_id,
           ('[' || string_agg('{"geo":' || to_json(geo) || '}', ',' order by geo collate "C") || ']')::json
             as blocked_by,
           array_agg(geo) as geos
      from blocking
     group by domain_id
  ),
  first_seen as (
    select domain_id, min(first_seen_at) as first_seen_at
      from (
        select authorisation.domain_id, authorisation.first_seen_at
          from wanted
          join authorisations authorisation on authorisation.domain_id = wanted.id
        union all
        select entry.domain_id, entry.first_seen_at
          from wanted
          join blocklist_entries entry on entry.domain_id = wanted.id and entry.scope = 'domain'
      ) facts
     group by domain_id
  ),
  derived as (
    select wanted.id,
           case
             when licensed.domain_id is not null and blocked.domain_id is not null then 'mixed'
             when licensed.domain_id is not null then 'licensed'
             when blocked.domain_id is not null then 'blocklisted'
             else 'no_record'
           end as verdict,
           coalesce(licensed.licensed_by, '[]') as licensed_by,
           coalesce(blocked.blocked_by, '[]') as blocked_by,
           licensees.company_id as licensee_company_id,
           first_seen.first_seen_at,
           -- §4.13 geo: the regulator of blocklisted and mixed domains, the jurisdiction of licensed ones
           coalesce(blocked.geos, licensed.geos, '{}') as geos
      from wanted
      left join licensed on licensed.domain_id = wanted.id
      left join licensees on licensees.domain_id = wanted.id
      left join blocked on blocked.domain_id = wanted.id
      left join first_seen on first_seen.domain_id = wanted.id
  )`

const domainsAtOnceMax = 10_000

/**
 * Derives the verdicts of these domains anew, with the listings and counts that search reads, in the transaction
 * that changed their causes. The rows are locked in id order first, in a statement of its own: otherwise a transaction
 * that adds a license beside one that adds a block would compute from a snapshot without the other.
 */
export async function recomputeVerdicts(tx: Transaction, domainIds: readonly number[]): Promise<void> {
  const ids = [...new Set(domainIds)].sort((a, b) => a - b)
  for (let start = 0; start < ids.length; start += domainsAtOnceMax) {
    await recomputeSome(tx, ids.slice(start, start + domainsAtOnceMax))
  }
  if (ids.length > 0) await markDatasetChanged(tx)
}

/** Raised last in a transaction: what search has counted at a version stays true of that version. */
export async function markDatasetChanged(tx: Transaction): Promise<void> {
  await sql`update dataset_version set version = version + 1`.execute(tx)
}

async function recomputeSome(tx: Transaction, ids: number[]): Promise<void> {
  await sql`select 1 from domains where id = any (${ids}::bigint[]) order by id for update`.execute(tx)
  const { rows: changed } = await sql<{ id: number }>`
    with wanted as (select unnest(${ids}::bigint[]) as id), ${derivedVerdicts}
    update domains domain
       set verdict = derived.verdict,
           licensed_by = derived.licensed_by,
           blocked_by = derived.blocked_by,
           licensee_company_id = derived.licensee_company_id,
           first_seen_at = derived.first_seen_at
      from derived
     where domain.id = derived.id
       and (domain.verdict, domain.licensed_by::text, domain.blocked_by::text, domain.licensee_company_id,
            domain.first_seen_at)
           is distinct from
           (derived.verdict, derived.licensed_by::text, derived.blocked_by::text, derived.licensee_company_id,
            derived.first_seen_at)
    returning domain.id`.execute(tx)
  await relist(
    tx,
    changed.map(row => row.id),
  )
}

/**
 * Lists domains anew whose verdict changed, and counts what came and went. Delete and insert are statements of their
 * own: in one, the insertion would still meet the rows that the deletion takes away.
 */
async function relist(tx: Transaction, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    with gone as (
      delete from domain_listings where domain_id = any (${ids}::bigint[])
      returning verdict, geo
    )
    ${countSteps(-1, sql`gone`)}`.execute(tx)
  await sql`
    with wanted as (select unnest(${ids}::bigint[]) as id),
    come as (
      insert into domain_listings (verdict, geo, first_seen_at, domain, domain_id)
      ${expectedListings}
      returning verdict, geo
    )
    ${countSteps(1, sql`come`)}`.execute(tx)
}

/** Adds to the counts in one order, so that two transactions wait for each other and never both. */
function countSteps(step: 1 | -1, listings: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into domain_counts (verdict, geo, domains)
    select verdict, geo, ${sql.lit(step)} * count(*) from ${listings} group by verdict, geo order by verdict, geo
    on conflict (verdict, geo) do update set domains = domain_counts.domains + excluded.domains`
}

/** The empty geo lists every domain of a verdict, so that both ways of asking read one index. */
const expectedListings = sql`
  select domain.verdict, '' as geo, domain.first_seen_at, domain.domain, domain.id as domain_id
    from wanted
    join domains domain using (id)
   where domain.verdict <> 'no_record'
  union all
  select distinct domain.verdict, element ->> 'geo', domain.first_seen_at, domain.domain, domain.id
    from wanted
    join domains domain using (id),
    lateral json_array_elements(
      case domain.verdict when 'licensed' then domain.licensed_by else domain.blocked_by end
    ) as element
   where domain.verdict <> 'no_record'`

export type VerdictDifference = { domain: string; stored: unknown; derived: unknown }

const differencesShownMax = 20

/** Recomputes every verdict from its causes and tells the differences; changes nothing. */
export async function verifyVerdicts(database: Database): Promise<{ checked: number; differences: VerdictDifference[] }> {
  const { rows } = await sql<VerdictDifference & { checked: number }>`
    with wanted as (select id from domains), ${derivedVerdicts}
    select domain.domain,
           json_build_array(domain.verdict, domain.licensed_by, domain.blocked_by, domain.licensee_company_id,
                            domain.first_seen_at) as stored,
           json_build_array(derived.verdict, derived.licensed_by, derived.blocked_by, derived.licensee_company_id,
                            derived.first_seen_at) as derived
      from domains domain
      join derived using (id)
     where (domain.verdict, domain.licensed_by::text, domain.blocked_by::text, domain.licensee_company_id,
            domain.first_seen_at)
           is distinct from
           (derived.verdict, derived.licensed_by::text, derived.blocked_by::text, derived.licensee_company_id,
            derived.first_seen_at)
     order by domain.domain
     limit ${differencesShownMax}`.execute(database)
  const total = await sql<{ checked: number }>`select count(*) as checked from domains`.execute(database)
  return { checked: total.rows[0]?.checked ?? 0, differences: rows }
}

export type CountDifference = { verdict: string; geo: string; stored: number | null; counted: number | null }

/** Compares the counts of search with what they count, and the listings with the verdicts they list. */
export async function verifyListings(database: Database): Promise<CountDifference[]> {
  const { rows } = await sql<CountDifference>`
    with wanted as (select id from domains),
    expected as (${expectedListings}),
    counted as (
      select verdict, geo, count(*) as domains from expected group by verdict, geo
    ),
    listed as (
      select verdict, geo, count(*) as domains from domain_listings group by verdict, geo
    )
    select verdict, geo, coalesce(stored.domains, 0) as stored, coalesce(counted.domains, 0) as counted
      from domain_counts stored
      full join counted using (verdict, geo)
      full join listed using (verdict, geo)
     where coalesce(stored.domains, 0) <> coalesce(counted.domains, 0)
        or coalesce(listed.domains, 0) <> coalesce(counted.domains, 0)
     order by verdict, geo
     limit ${differencesShownMax}`.execute(database)
  return rows
}
