import type { Turns } from '@baize/outbound'
import { sql } from 'kysely'
import type { Database } from './open.ts'

/**
 * Reserves a time for a request to a host, `gapMs` apart across all processes. Returns the milliseconds to
 * wait, or null without a reservation if the wait exceeds `waitMsMax`.
 */
export async function takeTurn(
  database: Database,
  host: string,
  { gapMs, waitMsMax }: { gapMs: number; waitMsMax: number },
): Promise<number | null> {
  const gap = sql`${gapMs} * interval '1 millisecond'`
  const { rows } = await sql<{ wait_ms: number }>`
    insert into outbound_turns as turn (host, next_at)
    values (${host}, clock_timestamp() + ${gap})
    on conflict (host) do update
       set next_at = greatest(turn.next_at, clock_timestamp()) + ${gap}
     where turn.next_at <= clock_timestamp() + ${waitMsMax} * interval '1 millisecond'
    returning greatest(0, ceil(extract(epoch from turn.next_at - ${gap} - clock_timestamp()) * 1000))::int
              as wait_ms`.execute(database)
  return rows[0]?.wait_ms ?? null
}

/** Sends no request to a host for this long, for instance after its `Retry-After`. */
export async function deferTurns(database: Database, host: string, ms: number): Promise<void> {
  await sql`
    insert into outbound_turns as turn (host, next_at)
    values (${host}, clock_timestamp() + ${ms} * interval '1 millisecond')
    on conflict (host) do update
       set next_at = greatest(turn.next_at, excluded.next_at)`.execute(database)
}

/** Deletes the turns of hosts for which no request waits. */
export async function sweepTurns(database: Database): Promise<void> {
  await sql`delete from outbound_turns where next_at < clock_timestamp() - interval '1 minute'`.execute(
    database,
  )
}

/** Returns the turns that all processes of the database share. */
export const turnsOf = (database: Database): Turns => ({
  takeTurn: (host, gapMs, waitMsMax) => takeTurn(database, host, { gapMs, waitMsMax }),
  deferTurns: (host, ms) => deferTurns(database, host, ms),
})
