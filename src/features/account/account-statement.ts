import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { readConsistently } from '../../database/read-consistently.ts'
import { findAccount } from './account-store.ts'
import { allowSlowReaders, type Days, readEntries, type Sums, sumsBefore } from './statement-store.ts'

/** What was granted and used up to a point, and what that leaves; null where no quota is enforced. */
export type StatementFigures = Sums & { balance: number | null }

export type StatementEntry = {
  recorded_at: Date
  kind: 'grant' | 'charge'
  /** A line of the price list; null for grants. */
  price_key: string | null
  units: number | null
  /** Added by a grant, used by a charge; never negative. */
  credits: number
  /** null: no request caused it. */
  request_id: string | null
  /** null: no request caused it, or its usage record is no longer kept. */
  endpoint: string | null
  note: string | null
  /** What this entry leaves. */
  balance: number | null
}

export type StatementHead = { account_ref: string; name: string; plan: string } & Days & {
    opening: StatementFigures
  }
export type StatementFoot = {
  closing: StatementFigures & {
    /** Held for work under way, today; null where the statement ends before today’s figures. */
    reserved: number | null
  }
}

export type StatementReader = {
  head(head: StatementHead): Promise<void>
  entry(entry: StatementEntry): Promise<void>
  foot(foot: StatementFoot): Promise<void>
}

/**
 * Tells every ledger entry of an account, and the running balance: an account statement, read at one moment and handed on
 * entry by entry, however long it is. Without a last day it ends at the figures of the account; if the entries do
 * not sum up to them, it fails with a StaffError at its end.
 */
export async function accountStatement(
  world: World,
  accountRef: string,
  days: Days,
  reader: StatementReader,
): Promise<void> {
  if (days.from !== null && days.to !== null && days.from > days.to)
    throw new StaffError('A statement begins before it ends.')
  await readConsistently(world, async tx => {
    await allowSlowReaders(tx)
    const account = await findAccount(tx, accountRef)
    if (account === undefined) throw new StaffError(`There is no account ${accountRef}.`)
    const isUnlimited = account.granted === null
    const running: Sums =
      days.from === null ? { granted: 0, used: 0 } : await sumsBefore(tx, account.id, days.from)
    const standing = (): StatementFigures => ({
      ...running,
      balance: isUnlimited ? null : running.granted - running.used,
    })
    const { account_ref, name, plan } = account
    await reader.head({ account_ref, name, plan, ...days, opening: standing() })
    for await (const rows of readEntries(tx, account.id, days)) {
      for (const { entry_id: _, ...entry } of rows) {
        running[entry.kind === 'grant' ? 'granted' : 'used'] += entry.credits
        await reader.entry({ ...entry, balance: standing().balance })
      }
    }
    await reader.foot({ closing: { ...standing(), reserved: days.to === null ? account.reserved : null } })
    if (days.to === null && (running.used !== account.used || running.granted !== (account.granted ?? 0)))
      throw new StaffError(
        `The entries sum up to ${running.granted} granted and ${running.used} used, the account says ${account.granted ?? 0} and ${account.used}: run "verify".`,
      )
  })
}
