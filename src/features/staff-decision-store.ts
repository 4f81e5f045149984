import { sql } from 'kysely'
import { StaffError } from '../core/staff-error.ts'
import { isLockTimeout } from '../database/errors.ts'
import type { Transaction, World } from '../database/open.ts'
import { lockFacts } from '../journal/index.ts'

/** How long a decision waits for a sync or import that is writing, and how long one of its statements may take. */
export type LockLimits = { lockWaitMsMax: number; statementMsMax: number }

/** The limits that keep a request short are too short for a Company of ten thousand domains, or a week of kept answers. */
export const longLockLimits: LockLimits = { lockWaitMsMax: 60_000, statementMsMax: 10 * 60_000 }

/**
 * Does what staff have decided, alone among those who write facts and in one transaction; without `patience` within the limits
 * of a request. Fails with a StaffError where a sync or import writes for longer than it waits.
 */
export async function withFactsLock<Result>(
  world: World,
  work: (tx: Transaction) => Promise<Result>,
  patience?: LockLimits,
): Promise<Result> {
  try {
    return await world.database.transaction().execute(async tx => {
      if (patience !== undefined) await bePatient(tx, patience)
      await lockFacts(tx)
      return work(tx)
    })
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    const told = 'A register sync or an import is writing; nothing was changed, try again when it is done.'
    throw new StaffError(told, { cause: error })
  }
}

async function bePatient(tx: Transaction, { lockWaitMsMax, statementMsMax }: LockLimits): Promise<void> {
  await sql`
    select set_config('statement_timeout', ${String(statementMsMax)}, true),
           set_config('lock_timeout', ${String(lockWaitMsMax)}, true)`.execute(tx)
}

const reasonCharactersMax = 500

/** Why staff decided so is kept; `unsaid` tells whoever gave no reason where it would stand. */
export function requireReason(reason: string, unsaid: string): void {
  if (reason.trim() === '') throw new StaffError(unsaid)
  if (reason.length > reasonCharactersMax)
    throw new StaffError(`A reason has at most ${reasonCharactersMax} characters.`)
}
