import type { LicenseeRow } from '@baize/registers'
import { naturalPerson } from '@baize/registers/entries'
import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { AppliedFacts } from '../apply/reverse-facts-store.ts'

/**
 * Clears country and registration, because an update replaces them only with published values. Returns the
 * Companies that lose a value.
 */
export async function forgetIdentities(tx: Transaction, { stream }: AppliedFacts): Promise<number[]> {
  const { rows } = await sql<{ company_id: number }>`
    update company_identities identity
       set country = null, registration = null
      from touched_licensees touched
     where identity.stream = ${stream.key}
       and identity.identity_key = touched.record_key
       and (identity.country is not null or identity.registration is not null)
    returning identity.company_id`.execute(tx)
  return rows.map(row => row.company_id)
}

/**
 * Yields the first state of each touched licensee since its identity is known, then each second one, and so
 * on.
 */
export async function* readRemainingStates(
  tx: Transaction,
  { stream }: AppliedFacts,
): AsyncGenerator<LicenseeRow[], void> {
  await sql`
    create temp table remaining_states on commit drop as
    select state.record_key, state.legal_name, state.trading_names, state.country, state.registration_number,
           row_number() over (partition by state.record_key order by state.known_from, state.id) as place
      from touched_licensees touched
      join licensee_states state on state.stream = ${stream.key} and state.record_key = touched.record_key
      join company_identities identity
        on identity.stream = ${stream.key} and identity.identity_key = touched.record_key
     where state.known_to is null or state.known_to > identity.known_from`.execute(tx)
  for (let place = 1; ; place += 1) {
    const { rows } = await sql<LicenseeRow>`
      select 'licensee' as record, record_key as "recordKey", legal_name as "legalName",
             trading_names as "tradingNames", country, registration_number as "registrationNumber",
             case when starts_with(legal_name, ${naturalPerson}) then true end as "isPerson"
        from remaining_states
       where place = ${place}`.execute(tx)
    if (rows.length === 0) return
    yield rows
  }
}

export async function dropStaged(tx: Transaction): Promise<void> {
  await sql`truncate staged_licensees`.execute(tx)
  await sql`drop table licensee_identities`.execute(tx)
}
