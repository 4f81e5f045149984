import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'

export type NameDecision = { digest: Buffer; isPerson: boolean; name: string | null; why: string }

/** Stores a decision. A later one of the same name replaces it. */
export async function insertDecision(
  tx: Transaction,
  { digest, isPerson, name, why }: NameDecision,
  { by, now }: { by: string | null; now: Date },
): Promise<void> {
  await sql`
    insert into name_decisions (digest, is_person, name, why, decided_by, decided_at)
    values (${digest}, ${isPerson}, ${name}, ${why}, ${by}, ${now})
    on conflict (digest) do update
       set is_person = excluded.is_person, name = excluded.name, why = excluded.why,
           decided_by = excluded.decided_by, decided_at = excluded.decided_at`.execute(tx)
}

/** Reads the decisions by digest in base64: whether the name is a person's. */
export async function readDecisions(database: Database): Promise<Map<string, boolean>> {
  const { rows } = await sql<{ digest: Buffer; is_person: boolean }>`
    select digest, is_person from name_decisions`.execute(database)
  return new Map(rows.map(row => [row.digest.toString('base64'), row.is_person]))
}

export async function replaceSecret(tx: Transaction, purpose: string, secret: Buffer): Promise<void> {
  await sql`
    insert into signing_secrets (purpose, secret) values (${purpose}, ${secret})
    on conflict (purpose) do update set secret = excluded.secret`.execute(tx)
}

export type LicenseeName = {
  id: number
  stream: string
  market: string
  name: string
  company_ref: string | null
  country: string | null
  language: string | null
}

const namesAtOnceMax = 5_000

/** Yields the names of licensees that registers list today. */
export async function* readLicenseeNames(database: Database): AsyncGenerator<LicenseeName, void> {
  let after = 0
  for (;;) {
    const { rows } = await sql<LicenseeName>`
      select state.id, state.stream, stream.market, state.legal_name as name,
             company.company_ref, stream.regulator_country_code as country, facts.language
        from licensee_states state
        join register_streams stream on stream.stream = state.stream
        left join register_facts facts on facts.stream = state.stream
        left join company_identities identity
          on identity.stream = state.stream and identity.identity_key = state.record_key
        left join companies company on company.id = identity.company_id
       where state.known_to is null and state.id > ${after}
       order by state.id
       limit ${namesAtOnceMax}`.execute(database)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < namesAtOnceMax) return
    after = last.id
  }
}

/** Reads the names of licensees of Companies, also of those merged into them, with where they are printed. */
export async function readNamesOf(database: Database, companyIds: readonly number[]) {
  const { rows } = await sql<Pick<LicenseeName, 'name' | 'country' | 'language'> & { company_id: number }>`
    select distinct coalesce(company.merged_into, company.id) as company_id, state.legal_name as name,
           stream.regulator_country_code as country, facts.language
      from companies company
      join company_identities identity on identity.company_id = company.id
      join licensee_states state
        on state.stream = identity.stream and state.record_key = identity.identity_key
      join register_streams stream on stream.stream = state.stream
      left join register_facts facts on facts.stream = state.stream
     where coalesce(company.merged_into, company.id) = any (${[...companyIds]}::bigint[])
        or company.id = any (${[...companyIds]}::bigint[])`.execute(database)
  return rows
}
