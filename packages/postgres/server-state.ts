import pg from 'pg'
import { errorCode } from './errors.ts'
import { messageSocket } from './message-socket.ts'

export const answerWithinMs = 2_000
/** A busy server may need as long for a new connection. */
const saysSomethingWithinMs = 5_000

/** Asks a server by a connection of its own. */
export async function askState(connectionString: string, withinMs: number): Promise<ServerState> {
  const client = new pg.Client({ connectionString, stream: messageSocket, connectionTimeoutMillis: withinMs })
  client.on('error', () => {})
  try {
    await client.connect()
    return await beginSession(client, {}, withinMs)
  } finally {
    void client.end().catch(() => {})
  }
}

const silentCodes = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN'])

/** A server that refuses is not silent, and a name that is not found says nothing about a server. */
export function isSilent(connectionString: string): Promise<boolean> {
  return askState(connectionString, saysSomethingWithinMs).then(
    () => false,
    error =>
      !(error instanceof pg.DatabaseError) &&
      (silentCodes.has(errorCode(error) ?? '') || /timeout/i.test(error.message)),
  )
}

export type ServerState = { isReadOnly: boolean; isStandby: boolean }

/**
 * Sets the session up by a statement, because poolers do not pass the startup parameter `options` on.
 * Without the search path, the demo would read customers' data.
 */
export async function beginSession(
  client: pg.Client,
  settings: Record<string, string>,
  withinMs = answerWithinMs,
): Promise<ServerState> {
  const statement: pg.QueryConfig & { query_timeout: number } = {
    text: `select current_setting('transaction_read_only') = 'on' as read_only,
                  pg_is_in_recovery() as standby,
                  (select count(set_config(name, value, false))
                     from unnest($1::text[], $2::text[]) as setting (name, value))`,
    values: [Object.keys(settings), Object.values(settings)],
    query_timeout: withinMs,
  }
  const { rows } = await client.query<{ read_only: boolean; standby: boolean }>(statement)
  return { isReadOnly: rows[0]?.read_only ?? false, isStandby: rows[0]?.standby ?? false }
}
