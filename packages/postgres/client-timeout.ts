import type pg from 'pg'

/** Exceeds every timeout of the server, for a server that does not answer at all. */
export const silentServerTimeoutMs = 15_000

/** Adds a client-side timeout. pg supports `query_timeout` for each statement; its types do not. */
export function withClientTimeout<Statement extends pg.QueryConfig>(statement: Statement): Statement {
  return { ...statement, query_timeout: silentServerTimeoutMs }
}
