import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { readConsistently } from '../../database/read-consistently.ts'
import { type CsvOptions, csvText } from '../csv-text.ts'
import { findAccount } from './account-store.ts'
import {
  type EntryRow,
  readEntries,
  readLastEntryId,
  type StatementDays,
  type Sums,
  sumsBefore,
} from './statement-store.ts'

/** The sums up to a point in time, and the balance then; the balance is null without a quota. */
type StatementFigures = Sums & { balance: number | null }

export type StatementEntry = Omit<EntryRow, 'entry_id' | 'usage'> & {
  /** The balance after this entry; null without a quota. */
  balance: number | null
}

export type StatementHead = { account_ref: string; name: string; plan: string } & StatementDays & {
    opening: StatementFigures
  }
export type StatementFoot = {
  closing: StatementFigures & {
    /** The credits reserved now; null if the statement ends on an earlier day. */
    reserved: number | null
  }
}

export type StatementReader = {
  head(head: StatementHead): Promise<void>
  entry(entry: StatementEntry): Promise<void>
  foot(foot: StatementFoot): Promise<void>
}

/**
 * Streams an account statement to a reader: each ledger entry with the balance after it. The statement ends
 * with the entries that existed when it began. It opens no transaction, because a reader may be slow.
 * Without a last day it throws a StaffError at the end if the sums differ from the account's figures.
 */
export async function accountStatement(
  world: World,
  accountRef: string,
  days: StatementDays,
  reader: StatementReader,
): Promise<void> {
  if (days.from !== null && days.to !== null && days.from > days.to)
    throw new StaffError('The first day must not be after the last day.')
  const { account, opening, lastEntryId } = await readConsistently(world, async tx => {
    const found = await findAccount(tx, accountRef)
    if (found === undefined) throw new StaffError(`There is no account ${accountRef}.`)
    const sums = days.from === null ? { granted: 0, used: 0 } : await sumsBefore(tx, found.id, days.from)
    return { account: found, opening: sums, lastEntryId: await readLastEntryId(tx, found.id) }
  })
  const running: Sums = { ...opening }
  const standing = (): StatementFigures => ({
    ...running,
    balance: account.granted === null ? null : running.granted - running.used,
  })
  const { account_ref, name, plan } = account
  await reader.head({ account_ref, name, plan, ...days, opening: standing() })
  for await (const rows of readEntries(world.database, { accountId: account.id, days, lastEntryId })) {
    for (const { entry_id: _, usage: __, ...entry } of rows) {
      running[entry.kind === 'grant' ? 'granted' : 'used'] += entry.credits
      await reader.entry({ ...entry, balance: standing().balance })
    }
  }
  await reader.foot({ closing: { ...standing(), reserved: days.to === null ? account.reserved : null } })
  if (days.to === null && (running.used !== account.used || running.granted !== (account.granted ?? 0)))
    throw new StaffError(
      `The entries sum up to ${running.granted} granted and ${running.used} used, but the account has ` +
        `${account.granted ?? 0} and ${account.used}; run "verify".`,
    )
}

type Write = (text: string) => Promise<void>

const columns = [
  'recorded_at',
  'kind',
  'price_key',
  'units',
  'credits',
  'balance',
  'endpoint',
  'request_id',
  'note',
] as const

/** Writes a statement as CSV. With a first day, the row `opening` has the balance before that day. */
export function statementCsv(write: Write, options: CsvOptions = {}): StatementReader {
  return {
    async head({ from, opening }) {
      await write(csvText([[...columns]]))
      if (from !== null)
        await write(csvText([[from, 'opening', null, null, null, opening.balance, null, null, null]]))
    },
    entry: entry => write(csvText([columns.map(column => csvCellOf(entry, column))], options)),
    foot: async () => {},
  }
}

/** Charges are written as negative numbers, so that the column adds up. */
function csvCellOf(entry: StatementEntry, column: (typeof columns)[number]): string | number | null {
  if (column === 'recorded_at') return entry.recorded_at.toISOString()
  if (column === 'credits') return entry.kind === 'grant' ? entry.credits : -entry.credits
  return entry[column]
}
