/**
 * Links new accounts to Companies by the rules of `features/companies/linking`. All licensees of a snapshot
 * are linked together, so that their order does not matter. Doubts become notices.
 */
import type { Holder, Link, Refusal } from '@baize/names'
import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { createSeekers, findParties, joinLinked, writeLinks } from '../../features/companies/index.ts'
import type { IncomingSnapshot } from '../apply/incoming-snapshot.ts'

export type LinkedLicensees = {
  links: Link[]
  /** Companies whose identities changed. */
  companyIds: number[]
  /** Domains of Companies that were joined. */
  domainIds: number[]
  unlinked: UnlinkedLicensees[]
  refusals: Refusal[]
}

export async function linkLicensees(tx: Transaction, snapshot: IncomingSnapshot): Promise<LinkedLicensees> {
  await stageSeekers(tx, snapshot)
  const { parties, links, refusals } = await findParties(tx)
  await assignParties(tx, parties, snapshot)
  await insertCompanies(tx, snapshot)
  await writeLinks(tx, links, snapshot.now)
  const joined = await joinLinked(tx, { parties, links }, { stream: snapshot.stream.key, now: snapshot.now })
  const companyIds = [...(await readLinked(tx)), ...joined.companyIds]
  return {
    links,
    companyIds,
    domainIds: joined.domainIds,
    refusals,
    unlinked: await findUnlinked(tx, snapshot.stream, refusals),
  }
}

/** New accounts, and known ones that gained a number, a country or a domain and kept their name. */
async function stageSeekers(tx: Transaction, { stream }: IncomingSnapshot): Promise<void> {
  await createSeekers(tx)
  const hasDomains = stream.covers.includes('register')
  await sql`
    insert into linking_seekers
    select ${stream.key}, record_key, company_id, is_new, name_key, country,
           ${`${stream.market} ${stream.regulator}`}::text, registration, null
      from licensee_identities
     where is_new or gained`.execute(tx)
  if (!hasDomains) return
  await sql`
    insert into linking_seeker_domains
    select distinct ${stream.key}, seeker.identity_key, domain.id
      from staged_authorisations authorisation
      left join staged_licenses license on license.record_key = authorisation.license_key
      join linking_seekers seeker
        on seeker.identity_key = coalesce(authorisation.licensee_key, license.licensee_key)
      join domains domain on domain.domain = authorisation.domain`.execute(tx)
  await sql`analyze linking_seeker_domains`.execute(tx)
}

/** Gives each new account its Company, or the account that founds one with it. */
async function assignParties(
  tx: Transaction,
  parties: readonly Holder[][],
  { stream }: IncomingSnapshot,
): Promise<void> {
  const keyOf = (node: string) => node.slice(stream.key.length + 1)
  const assigned = parties.flatMap(([first, ...others]) => {
    const { companyId, node } = first as Holder
    return [first as Holder, ...others]
      .filter(holder => holder.companyId === null)
      .map(holder => ({
        key: keyOf(holder.node),
        companyId,
        founder: companyId === null ? keyOf(node) : null,
      }))
  })
  await sql`
    update licensee_identities licensee
       set company_id = party.company_id, founder = party.founder
      from unnest(
        ${assigned.map(({ key }) => key)}::text[],
        ${assigned.map(({ companyId }) => companyId)}::bigint[],
        ${assigned.map(({ founder }) => founder)}::text[]
      ) as party (record_key, company_id, founder)
     where licensee.record_key = party.record_key`.execute(tx)
  await sql`
    update licensee_identities
       set founder = record_key
     where is_new and company_id is null and founder is null
  `.execute(tx)
}

async function insertCompanies(tx: Transaction, { stream, takenAt, now }: IncomingSnapshot): Promise<void> {
  await sql`analyze licensee_identities`.execute(tx)
  await sql`
    insert into companies (company_ref, subject_kind, first_seen_at, last_updated_at)
    select ref, 'unknown', ${takenAt}, ${now}
      from licensee_identities
     where founder = record_key and company_id is null
     order by record_key collate "C"`.execute(tx)
  await sql`
    update licensee_identities licensee
       set company_id = company.id
      from licensee_identities founder
      join companies company on company.company_ref = founder.ref
     where founder.record_key = licensee.founder
       and licensee.company_id is null`.execute(tx)
  await sql`
    insert into company_identities (stream, identity_key, company_id, known_from, first_seen_at, company_name,
                                    legal_entity, subject_kind, role, country, brands, evidence_routes,
                                    name_key,
                                    registration)
    select ${stream.key}, record_key, company_id, ${now}, ${takenAt}, legal_name, legal_name,
           case when is_person then 'unknown' else 'legal_entity' end,
           '{unknown}', country, trading_names, '{register}', name_key, registration
      from licensee_identities
     where is_new and company_id is not null
    on conflict (stream, identity_key) do nothing`.execute(tx)
}

async function readLinked(tx: Transaction): Promise<number[]> {
  const { rows } = await sql<{ company_id: number }>`
    select distinct company_id from licensee_identities where is_new or gained`.execute(tx)
  return rows.map(row => row.company_id)
}

export type UnlinkedLicensees = { notice: string; count: number; examples: string[] }

const examplesMax = 5

const notices: Record<Refusal['reason'], string> = {
  numbers: 'name of a Company with another registration number: not linked',
  countries: 'name of a Company of another country: not linked',
  distinct: 'name or number of Companies that staff called different parties: not linked',
  several: 'name of several Companies: not linked',
}
const namesake = 'name of another Company of this market: see "company duplicates"'
const numberOfSeveral = 'registration number of several Companies: not linked'

/** Returns notices of the new accounts that were not linked, a notice for each reason. */
async function findUnlinked(
  tx: Transaction,
  { key: stream, market }: { key: string; market: string },
  refusals: readonly Refusal[],
): Promise<UnlinkedLicensees[]> {
  const noticeOf = new Map<string, string>()
  for (const { reason, evidence, nodes } of refusals) {
    const notice = evidence === 'company_number' && reason === 'several' ? numberOfSeveral : notices[reason]
    for (const node of nodes)
      if (node.startsWith(`${stream}:`) && !noticeOf.has(node)) noticeOf.set(node, notice)
  }
  for (const key of await readNamesakes(tx, stream, market))
    if (!noticeOf.has(`${stream}:${key}`)) noticeOf.set(`${stream}:${key}`, namesake)
  const { rows } = await sql<UnlinkedLicensees>`
    select refused.notice, count(*) as count,
           (array_agg(legal_name || ' (' || record_key || ')' order by record_key collate "C")
           )[:${sql.lit(examplesMax)}] as examples
      from unnest(
        ${[...noticeOf.keys()].map(node => node.slice(stream.length + 1))}::text[],
        ${[...noticeOf.values()]}::text[]
      ) as refused (record_key, notice)
      join licensee_identities licensee using (record_key)
     where licensee.is_new
     group by refused.notice
     order by refused.notice`.execute(tx)
  return rows
}

/** Finds new accounts whose name another Company has in a register of the market. */
async function readNamesakes(tx: Transaction, stream: string, market: string): Promise<string[]> {
  const { rows } = await sql<{ record_key: string }>`
    select distinct licensee.record_key
      from licensee_identities licensee
     cross join lateral (
       select company_id
         from company_identities
        where stream = ${stream} and identity_key = licensee.record_key
       offset 0
     ) own
     cross join lateral (
       select stream, company_id from company_identities where name_key = licensee.name_key offset 0
     ) other
      left join register_streams source on source.stream = other.stream
     -- The first snapshot of a stream is linked before its row exists.
     where licensee.is_new
       and other.company_id <> own.company_id
       and (other.stream = ${stream} or source.market = ${market})`.execute(tx)
  return rows.map(row => row.record_key)
}
