import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { lockFacts } from '../../journal/index.ts'

/** Takes the lock of `lockFacts`. A sync of a large register may have it for two minutes. */
export async function waitForFacts(tx: Transaction, waitMsMax: number): Promise<void> {
  await sql`
    select set_config('statement_timeout', ${String(waitMsMax)}, true),
           set_config('lock_timeout', ${String(waitMsMax)}, true)`.execute(tx)
  await lockFacts(tx)
}
