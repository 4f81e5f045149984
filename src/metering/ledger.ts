import { CompiledQuery, sql } from 'kysely'
import { differencesShownMax } from '../core/verification.ts'
import type { Database, Transaction } from '../database/open.ts'
import type { Settler } from './settle.ts'
import { type SettleItem, type SettleOutcome, settleOnce } from './settle-statement.ts'
import { newSettlementId } from './settlement-id.ts'

/** Settles inside the caller's transaction: grants of a new account, charges that complete an export. */
export async function settleInTransaction(tx: Transaction, item: SettleItem): Promise<SettleOutcome> {
  const [outcome] = await settleOnce(
    async (text, values) => (await tx.executeQuery<SettleOutcome>(CompiledQuery.raw(text, values))).rows,
    [item],
  )
  return outcome as SettleOutcome
}

/** Wraps `settleInTransaction` as a settler. */
export const transactionSettler = (tx: Transaction): Pick<Settler, 'settle'> => ({
  settle: item => settleInTransaction(tx, item),
})

/** Settles each item in a separate statement, for rare work. A locked account is `busy` at once. */
export function oneByOneSettler(database: Database): Pick<Settler, 'settle'> {
  return {
    async settle(item) {
      const run = async (text: string, values: unknown[]) =>
        (await database.executeQuery<SettleOutcome>(CompiledQuery.raw(text, values))).rows
      const [outcome] = await settleOnce(run, [item], true)
      return outcome as SettleOutcome
    },
  }
}

/** Creates the balance of a new account. It has no quota if `granted` is null. */
export async function openBalance(
  tx: Transaction,
  accountId: number,
  granted: number | null,
  note: string,
): Promise<void> {
  await tx
    .insertInto('account_balances')
    .values({ account_id: accountId, granted: granted === null ? null : 0 })
    .execute()
  if (granted !== null && granted > 0) await grantInTransaction(tx, accountId, { credits: granted, note })
}

export type Grant = {
  credits: number
  note: string
  /** Several grants with the same id are made once. */
  settlementId?: string | undefined
}

/** Adds prepaid credits, which never expire (§2.14). */
export function grantInTransaction(
  tx: Transaction,
  accountId: number,
  { settlementId = newSettlementId(), ...grant }: Grant,
): Promise<SettleOutcome> {
  return settleInTransaction(tx, { kind: 'grant', accountId, settlementId, ...grant })
}

export async function isSettled(tx: Transaction, settlementId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from settlements where settlement_id = ${settlementId}`.execute(tx)
  return rows.length > 0
}

export type BalanceDifference = {
  account_ref: string
  figure: 'granted' | 'used' | 'reserved'
  stored: number
  recomputed: number
}

/** Recomputes every balance from ledger entries and open reservations, and returns the differences. */
export async function verifyBalances(database: Database): Promise<BalanceDifference[]> {
  const { rows } = await sql<BalanceDifference>`
    with entries as (
      select account_id,
             sum(credits) filter (where kind = 'grant') as granted,
             sum(credits) filter (where kind = 'charge') as used
        from ledger_entries
       group by account_id
    ),
    reserved as (
      select account_id, sum(credits) as credits
        from reservations
       group by account_id
    ),
    compared as (
      select coalesce(account.account_ref,
                      'without an account: ' || coalesce(balance.account_id, entries.account_id))
               as account_ref,
             balance.granted, balance.used, balance.reserved,
             coalesce(entries.granted, 0) as entries_granted,
             coalesce(entries.used, 0) as entries_used,
             coalesce(reserved.credits, 0) as entries_reserved
        from account_balances balance
        full join entries using (account_id)
        left join reserved using (account_id)
        left join accounts account on account.id = account_id
    )
    select account_ref, figure, stored::bigint as stored, recomputed::bigint as recomputed
      from compared,
      lateral (values
        ('granted', coalesce(granted, entries_granted), entries_granted),
        ('used', coalesce(used, 0), entries_used),
        ('reserved', coalesce(reserved, 0), entries_reserved)
      ) as figures (figure, stored, recomputed)
     where stored <> recomputed
     order by account_ref, figure`.execute(database)
  return rows
}

export type SettlementDifference = {
  settlement_id: string
  settled: number
  recorded: number
  problem: string
}

/** It is below 8 days, the age at which settlements are purged. */
export const verifiedDays = 7

/** Compares recent settlements with their ledger entries, and stored responses with their settlements. */
export async function verifySettlements(database: Database): Promise<SettlementDifference[]> {
  const { rows } = await sql<SettlementDifference>`
    with lines as (
      select settlement_id, sum(credits)::bigint as credits
        from ledger_entries
       where recorded_at >= now() - make_interval(days => ${verifiedDays}::int)
       group by settlement_id
    )
    select settlement_id, coalesce(settlement.credits, 0) as settled,
           coalesce(lines.credits, 0) as recorded,
           'a settlement and its ledger lines differ' as problem
      from (
        select *
          from settlements
         where kind <> 'reserve' and settled_at >= now() - make_interval(days => ${verifiedDays}::int)
      ) settlement
      full join lines using (settlement_id)
     where coalesce(settlement.credits, 0) <> coalesce(lines.credits, 0)
    union all
    select record.settlement_id, coalesce(settlement.credits, 0), record.credits,
           'a kept answer and its settlement differ'
      from idempotency_records record
      left join settlements settlement using (settlement_id)
     where record.created_at >= now() - make_interval(days => ${verifiedDays}::int)
       and record.credits is distinct from settlement.credits
     limit ${differencesShownMax}`.execute(database)
  return rows
}
