import type pg from 'pg'
import type { Settings } from '../config/settings.ts'
import { startEmbedded } from '../database/embedded/index.ts'
import { connectTimeoutMs } from '../database/pool.ts'
import type { RunningDatabase } from './running.ts'

export type InstanceDatabase = {
  connection: pg.PoolConfig
  replica: pg.PoolConfig | undefined
  running: RunningDatabase
  stop(): Promise<void>
  /** Resolves when an embedded server ends unexpectedly; never for an external server. */
  unexpectedEnd: Promise<Error>
}

export function connectionTo(database: RunningDatabase): pg.PoolConfig {
  return {
    ...('url' in database ? { connectionString: database.url } : database),
    connectionTimeoutMillis: connectTimeoutMs,
  }
}

/** Connects to DATABASE_URL, or starts the embedded server on the claimed data directory. */
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
