import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'

export type StagedAccount = {
  position: number
  key: string
  name: string
  plan: string
  credits_granted: number | null
  api_key: string | null
}

const accountsAtOnce = 1_000

export async function* readStagedAccounts(tx: Transaction): AsyncGenerator<StagedAccount> {
  let after = 0
  for (;;) {
    const { rows } = await sql<StagedAccount>`
      select position, key, name, plan, credits_granted, api_key
        from staged_accounts
       where position > ${after}
       order by position
       limit ${accountsAtOnce}`.execute(tx)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.position
  }
}

/** Runs `work`. If it fails, undoes its writes and leaves the transaction usable. */
export async function withSavepoint<Result>(tx: Transaction, work: () => Promise<Result>): Promise<Result> {
  await sql`savepoint one_record`.execute(tx)
  try {
    const result = await work()
    await sql`release savepoint one_record`.execute(tx)
    return result
  } catch (error) {
    await sql`rollback to savepoint one_record`.execute(tx)
    // Otherwise the next savepoint would be nested in it, and PostgreSQL has room for some ten thousand.
    await sql`release savepoint one_record`.execute(tx)
    throw error
  }
}
