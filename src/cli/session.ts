import type pg from 'pg'
import { readSettings } from '../config/settings.ts'
import { migrate } from '../database/migrate.ts'
import { openWorld, type World } from '../database/open.ts'
import { openSharedDatabase, preparePartitions } from '../instance/index.ts'

export type Session = { connection: pg.PoolConfig; world: World }

const connectionsMax = 4

/** Gives a command the customers' data, from wherever they are (openSharedDatabase). */
export async function withSession<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
  const database = await openSharedDatabase(readSettings(), {
    as: 'command',
    onWait: who => console.error(`Waiting for ${who}.`),
  })
  try {
    return await withConnection(database.connection, work)
  } finally {
    await database.close()
  }
}

async function withConnection<Result>(
  connection: pg.PoolConfig,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  await migrate(connection)
  const world = openWorld('public', { connection, connectionsMax })
  try {
    // A month's partition cannot be made any more once a grant of that month stands in the default one.
    await preparePartitions(world.database, new Date())
    return await work({ connection, world })
  } finally {
    await world.close()
  }
}
