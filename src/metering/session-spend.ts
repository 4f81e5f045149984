import type { PointRead } from '@baize/postgres'
import type { World } from '../database/open.ts'

/** A session ends this many days after it was issued. */
export const sessionDays = 30

type Spend = { account_id: number; session_id: string; spent: number }

const spends: PointRead<Spend> = {
  name: 'mcp_session_spends',
  text: `
    select session.account_id, session.session_id, session.spent
      from unnest($1::text[]) as wanted (place)
     cross join lateral (
       select *
         from mcp_sessions
        where account_id = split_part(wanted.place, ' ', 1)::bigint
          and session_id = split_part(wanted.place, ' ', 2)
       offset 0
     ) session`,
  keyOf: row => `${row.account_id} ${row.session_id}`,
}

/** Returns the credits that an MCP session has spent so far. Ids have no blanks. */
export async function sessionSpend(world: World, accountId: number, sessionId: string): Promise<number> {
  const spend = await world.primary.readByKey(spends, `${accountId} ${sessionId}`)
  return spend?.spent ?? 0
}
