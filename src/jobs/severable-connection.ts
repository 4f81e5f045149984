import type pg from 'pg'

/** A connection whose every use can be cut off at once, transactions in the middle of them included. */
export type SeverableConnection = { connection: pg.PoolConfig; sever(): Promise<void> }

export function severable(connection: pg.PoolConfig): SeverableConnection {
  const open = new Set<pg.Client>()
  return {
    connection: {
      ...connection,
      onConnect: client => {
        const each = client as pg.Client
        open.add(each)
        each.once('end', () => open.delete(each))
      },
    },
    // The driver closes the socket under a statement that runs, and the server rolls back.
    sever: async () => {
      await Promise.allSettled([...open].map(client => client.end()))
    },
  }
}
