import type { RunningDatabase } from '@baize/data-directory'
import { startEmbedded } from '@baize/embedded-postgres'
import { connectTimeoutMs, Servers, serverUrls } from '@baize/postgres'
import type pg from 'pg'
import type { Settings } from '../../config/settings.ts'

export type InstanceDatabase = {
  connection: pg.PoolConfig
  replica: pg.PoolConfig | undefined
  running: RunningDatabase
  stop(): Promise<void>
  /** Resolves when an embedded server has ended and is not started again; never for an external server. */
  unexpectedEnd: Promise<Error>
}

/** A server that ends more often has a problem that a restart does not solve. */
const restarts = { max: 20, withinMs: 600_000 }

type Role = 'primary' | 'replica'

export function connectionTo(
  database: RunningDatabase,
  role: Role = 'primary',
  log: DatabaseLog | null = null,
): pg.PoolConfig {
  return {
    ...('url' in database ? chosenServer(database.url, role, log) : database),
    connectionTimeoutMillis: connectTimeoutMs,
  }
}

function chosenServer(url: string, role: Role, log: DatabaseLog | null): pg.PoolConfig {
  const urls = serverUrls(url) ?? [url]
  const onMove = (server: string) => log?.warn(`the ${role} is now ${server}`)
  return { connectionString: urls[0], servers: new Servers(urls, role, onMove) }
}

export type DatabaseLog = { info(line: string): void; warn(line: string): void }

/** Connects to DATABASE_URL, or starts the embedded server on the claimed data directory. */
export async function openInstanceDatabase(
  settings: Settings,
  log: DatabaseLog | null,
  onWait: () => void = () => {},
): Promise<InstanceDatabase> {
  if (settings.databaseUrl !== null) {
    onWait()
    const running = { url: settings.databaseUrl }
    return {
      connection: connectionTo(running, 'primary', log),
      replica:
        settings.databaseReplicaUrl === null
          ? undefined
          : connectionTo({ url: settings.databaseReplicaUrl }, 'replica', log),
      running,
      stop: async () => {},
      unexpectedEnd: new Promise(() => {}),
    }
  }
  const { host, port, user, database, stop, unexpectedEnd } = await startEmbedded({
    dataDirectory: settings.dataDirectory,
    log: line => log?.info(line),
    warn: line => log?.warn(line),
    restarts,
    onWait,
  })
  const running = { host, port, user, database }
  return { connection: connectionTo(running), replica: undefined, running, stop, unexpectedEnd }
}
