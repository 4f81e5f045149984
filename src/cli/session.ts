import type pg from 'pg'
import { readSettings } from '../config/settings.ts'
import { migrate } from '../database/migrate.ts'
import { openWorld, type World } from '../database/open.ts'
import { openSharedDatabase, preparePartitions } from '../instance/index.ts'
import { judgeStoredEntries } from '../registers/index.ts'

export type CliSession = { connection: pg.PoolConfig; world: World }

const connectionsMax = 4
/** A command waits for a busy database. A request is answered 503 instead. */
const connectWithinMs = 60_000

/** Opens the customers' data for a command (see openSharedDatabase). */
export async function withSession<Result>(work: (session: CliSession) => Promise<Result>): Promise<Result> {
  const database = await openSharedDatabase(readSettings(), {
    as: 'command',
    onWait: holder => console.error(`Waiting for ${holder}.`),
  })
  try {
    return await withConnection(database.connection, work)
  } finally {
    await database.close()
  }
}

async function withConnection<Result>(
  connection: pg.PoolConfig,
  work: (session: CliSession) => Promise<Result>,
): Promise<Result> {
  await migrate(connection)
  const world = openWorld('public', { connection, connectionsMax, connectWithinMs })
  try {
    // Creates partitions first, because a month's partition cannot be created once the default partition
    // has its rows.
    await preparePartitions(world.database, new Date())
    await judgeStoredEntries(world, () => console.error('Judging blocklist entries by new rules.'))
    return await work({ connection, world })
  } finally {
    await world.close()
  }
}
