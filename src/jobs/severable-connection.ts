import type pg from 'pg'

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
    // Ending a client closes its socket under a running statement, and the server rolls back.
    sever: async () => {
      await Promise.allSettled([...open].map(client => client.end()))
    },
  }
}
