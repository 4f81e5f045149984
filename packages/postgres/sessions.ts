import type pg from 'pg'
import { UnfitDatabase } from './errors.ts'
import { messageSocket } from './message-socket.ts'
import { ServerClient } from './servers.ts'

const setting = 'baize.session'
const answerWithinMs = 3_000

const transactionPooler =
  'DATABASE_URL leads to a pooler that changes the session between transactions: set its pool_mode to ' +
  'session, or connect to PostgreSQL itself'

/** Refuses a database whose sessions do not last, before anything is written there. */
export async function requireSessions(connection: pg.PoolConfig): Promise<void> {
  const problem = await sessionsProblem(connection)
  if (problem !== null) throw new UnfitDatabase(`${problem}.`)
}

/**
 * Returns why sessions do not last, or null. Prepared statements, the search path and worker locks belong to
 * a session. While another connection has a transaction, a pooler gives this one another session.
 */
export async function sessionsProblem(connection: pg.PoolConfig): Promise<string | null> {
  if (connection.servers === undefined) return null
  const open = (name: string) =>
    new ServerClient({
      ...connection,
      stream: messageSocket,
      settings: { [setting]: name },
      connectionTimeoutMillis: answerWithinMs,
      query_timeout: answerWithinMs,
    })
  const [one, other] = [open('one'), open('other')]
  try {
    await one.connect()
    await other.connect()
    await other.query('begin')
    const { rows } = await one.query<{ name: string | null }>(
      `select current_setting('${setting}', true) as name`,
    )
    return rows[0]?.name === 'one' ? null : transactionPooler
  } finally {
    // A silent server does not end a connection.
    for (const each of [one, other]) void each.end().catch(() => {})
  }
}
