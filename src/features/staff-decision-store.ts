import { isLockTimeout } from '@baize/postgres'
import { sql } from 'kysely'
import { StaffError } from '../core/staff-error.ts'
import type { Transaction, World } from '../database/open.ts'
import { lockFacts } from '../journal/index.ts'

export type LockLimits = { lockWaitMsMax: number; statementMsMax: number }

/** Limits for long changes: ten thousand domains of a Company, or a week of stored answers. */
export const longLockLimits: LockLimits = { lockWaitMsMax: 60_000, statementMsMax: 10 * 60_000 }

/** Locks the facts for `work`. Fails with a StaffError if a sync or import holds the lock too long. */
export async function withFactsLock<Result>(
  world: World,
  work: (tx: Transaction) => Promise<Result>,
  limits?: LockLimits,
): Promise<Result> {
  try {
    return await world.database.transaction().execute(async tx => {
      if (limits !== undefined) await setLimits(tx, limits)
      await lockFacts(tx)
      return work(tx)
    })
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    const message = 'A register sync or import is running. Nothing was changed; try again when it has ended.'
    throw new StaffError(message, { cause: error })
  }
}

async function setLimits(tx: Transaction, { lockWaitMsMax, statementMsMax }: LockLimits): Promise<void> {
  await sql`
    select set_config('statement_timeout', ${String(statementMsMax)}, true),
           set_config('lock_timeout', ${String(lockWaitMsMax)}, true)`.execute(tx)
}

const reasonCharactersMax = 500

export function requireReason(reason: string, missingMessage: string): void {
  if (reason.trim() === '') throw new StaffError(missingMessage)
  if (reason.length > reasonCharactersMax)
    throw new StaffError(`The reason must have at most ${reasonCharactersMax} characters.`)
}

const sourceCharactersMax = 2_000

export function requireSource(source: string): void {
  const isAddress = /^https?:\/\//.test(source) && URL.canParse(source)
  if (!isAddress || source.length > sourceCharactersMax)
    throw new StaffError(
      `"source" must be an address with http or https, of at most ${sourceCharactersMax} characters.`,
    )
}
