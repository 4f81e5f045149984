import type pg from 'pg'
import { readSettings } from '../config/settings.ts'
import { migrate } from '../database/migrate.ts'
import { openWorld, type World } from '../database/open.ts'
import {
  claimDataDirectory,
  connectionTo,
  findRunning,
  openInstanceDatabase,
  preparePartitions,
} from '../instance/index.ts'

export type Session = { connection: pg.PoolConfig; world: World }

const connectionsMax = 4

/**
 * Gives a command the customers' data: through the service that runs on DATA_DIR, through DATABASE_URL, or from the
 * embedded database, which is then started for the command's own duration.
 */
export async function withSession<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
  const settings = readSettings()
  if (settings.databaseUrl !== null) return withConnection(connectionTo({ url: settings.databaseUrl }), work)
  const running = await findRunning(settings.dataDirectory)
  if (running !== null) return withConnection(connectionTo(running.database), work)
  const claim = await claimDataDirectory(settings.dataDirectory)
  try {
    const database = await openInstanceDatabase(settings, () => {})
    try {
      await claim.announce({ url: null, database: database.running })
      return await withConnection(database.connection, work)
    } finally {
      await database.stop()
    }
  } finally {
    await claim.release()
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
