import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { lockFacts } from '../../journal/index.ts'

/** A sync of a large register has the lock for two minutes. */
const waitMsMax = 5 * 60_000

/** Takes the lock of `lockFacts`. A check that gave up here would ask its site once more. */
export async function waitForFacts(tx: Transaction): Promise<void> {
  await sql`
    select set_config('statement_timeout', ${String(waitMsMax)}, true),
           set_config('lock_timeout', ${String(waitMsMax)}, true)`.execute(tx)
  await lockFacts(tx)
}
