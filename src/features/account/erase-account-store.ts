import { sql } from 'kysely'
import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { type Actor, recordAuditEvent } from '../audit/index.ts'
import { requireAccount } from './manage-accounts.ts'

/** What an erasure removes. Members of portfolios and their messages go with them. */
const erased = [
  'api_keys',
  'memberships',
  'mcp_sessions',
  'portfolios',
  'saved_pages',
  'bought_answers',
  'idempotency_records',
] as const

type Erased = Record<(typeof erased)[number], number>

/**
 * Removes what an account stored and may do. The account, its ledger, usage records and audit events stay,
 * because money is never deleted. Files of exports expire at once. Erasing again removes what a request
 * that ran meanwhile left. Returns how many rows were removed by table.
 */
export async function eraseAccount(
  world: World,
  accountRef: string,
  { why, now, by }: { why: string; now: Date; by: Actor },
): Promise<Erased> {
  if (why.trim() === '') throw new StaffError('An erasure needs a reason.')
  const { id: accountId } = await requireAccount(world, accountRef)
  return world.database.transaction().execute(async tx => {
    const removed = {} as Erased
    for (const table of erased) {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} where account_id = ${accountId}`.execute(tx)
      removed[table] = Number(numAffectedRows ?? 0)
    }
    await sql`update sessions set account_id = null where account_id = ${accountId}`.execute(tx)
    await sql`
      update exports set expires_at = least(expires_at, ${now})
       where account_id = ${accountId} and state = 'completed'`.execute(tx)
    const details = { why, removed }
    await recordAuditEvent(tx, by, {
      ...{ action: 'account.erased', subject: accountRef, accountId, details, now },
    })
    return removed
  })
}
