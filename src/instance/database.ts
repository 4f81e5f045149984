import type pg from 'pg'
import type { Settings } from '../config/settings.ts'
import { startEmbedded } from '../database/embedded/index.ts'
import { connectTimeoutMs } from '../database/pool.ts'
import type { RunningDatabase } from './running.ts'

export type InstanceDatabase = {
  connection: pg.PoolConfig
  replica: pg.PoolConfig | undefined
  /** As others on this machine reach it. */
  running: RunningDatabase
  stop(): Promise<void>
  /** Resolves when an embedded server ends without having been told to; never for a server of others. */
  unexpectedEnd: Promise<Error>
}

/** How a driver connects to what running.json or the settings name. */
export function connectionTo(database: RunningDatabase): pg.PoolConfig {
  return {
    ...('url' in database ? { connectionString: database.url } : database),
    connectionTimeoutMillis: connectTimeoutMs,
  }
}

/** The server that DATABASE_URL names, or the embedded one on the data directory, which the caller has claimed. */
export async function openInstanceDatabase(
  settings: Settings,
  log: (line: string) => void,
): Promise<InstanceDatabase> {
  if (settings.databaseUrl !== null) {
    const running = { url: settings.databaseUrl }
    return {
      connection: connectionTo(running),
      replica:
        settings.databaseReplicaUrl === null ? undefined : connectionTo({ url: settings.databaseReplicaUrl }),
      running,
      stop: async () => {},
      unexpectedEnd: new Promise(() => {}),
    }
  }
  const { host, port, user, database, stop, unexpectedEnd } = await startEmbedded({
    dataDirectory: settings.dataDirectory,
    log,
  })
  const running = { host, port, user, database }
  return { connection: connectionTo(running), replica: undefined, running, stop, unexpectedEnd }
}
