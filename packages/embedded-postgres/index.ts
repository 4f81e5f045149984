import { mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { prepareBinaries } from './binaries.ts'
import { makeCluster, requireVersion, superuser } from './cluster.ts'
import {
  chooseClusterDirectory,
  chooseSocketDirectory,
  clusterExists,
  findCluster,
  pointerFile,
  requireAccess,
} from './directories.ts'
import { databaseName, ensureDatabase } from './ensure-database.ts'
import { noRestarts, type RestartLimits, restartUnexpectedEnds } from './restarts.ts'
import { type Launch, launch, type Started } from './server.ts'
import { openServerLog, type ServerLog } from './server-log.ts'
import { chooseServerUser } from './server-user.ts'
import { serverSettings } from './settings.ts'
import { shutDown } from './shut-down.ts'

export { findCluster }

export type EmbeddedOptions = {
  /**
   * The DATA_DIR, which the caller has claimed. A server that already runs there is a leftover and is
   * stopped.
   */
  dataDirectory: string
  log?: (line: string) => void
  /** Receives warnings; the default is `log`. */
  warn?: (line: string) => void
  settings?: Record<string, string>
  /** The limits of restarts. By default, a server that ends is not started again. */
  restarts?: RestartLimits
  /**
   * Is called while a process of PostgreSQL works on the start, so that this program can do something else.
   */
  onWait?: () => void
}

export type EmbeddedServer = {
  /** The directory of the unix socket; an address on Windows. */
  host: string
  port: number
  user: string
  database: string
  stop(): Promise<void>
  /** Resolves with the end of the log when the server has ended and is not started again; otherwise never. */
  unexpectedEnd: Promise<Error>
}

/**
 * Starts PostgreSQL, which stops with this program, even after kill -9. Root runs it as an unprivileged
 * user.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  await mkdir(resolve(options.dataDirectory), { recursive: true })
  const dataDirectory = await realpath(options.dataDirectory)
  const log = openServerLog(dataDirectory)
  try {
    const prepared = await prepare(dataDirectory, log, options)
    const started = await launch(prepared)
    return await takeIntoService(started, prepared, options.restarts ?? noRestarts)
  } catch (error) {
    log.close()
    throw error
  }
}

async function prepare(dataDirectory: string, log: ServerLog, options: EmbeddedOptions): Promise<Launch> {
  const { settings = {}, log: say = () => {}, warn = say, onWait = () => {} } = options
  const existing = await findCluster(dataDirectory)
  const user = await chooseServerUser(existing?.owner ?? null)
  if (existing) {
    await requireAccess(existing, user)
    await requireVersion(existing.directory)
  }
  const native = await prepareBinaries(user, dataDirectory, say)
  const cluster = existing?.directory ?? (await chooseClusterDirectory(dataDirectory, user))
  if (!clusterExists(cluster)) {
    say(`creating the database in ${cluster}`)
    await makeCluster({ directory: cluster, native, user, log, flush: settings.fsync !== 'off', onWait })
  }
  // The pointer is written after the cluster is complete. A start killed before finds the same path by its
  // hash.
  if (dirname(cluster) !== dataDirectory) await writeFile(pointerFile(dataDirectory), `${cluster}\n`)
  const sockets = await chooseSocketDirectory(cluster)
  const all = { ...serverSettings(), ...settings }
  return { native, cluster, sockets, settings: all, user, log, say, warn, onWait }
}

async function takeIntoService(
  started: Started,
  prepared: Launch,
  restarts: RestartLimits,
): Promise<EmbeddedServer> {
  const { host, port } = started
  const { sockets, log } = prepared
  try {
    await ensureDatabase({ host, port, user: superuser })
  } catch (error) {
    await shutDown(started.server)
    throw error
  }
  const running = restartUnexpectedEnds(started, prepared, restarts)
  let stopping: Promise<void> | null = null
  const stop = () => {
    stopping ??= running.stop().then(async () => {
      await rm(sockets.path, { recursive: true, force: true })
      log.close()
    })
    return stopping
  }
  return { host, port, user: superuser, database: databaseName, stop, unexpectedEnd: running.givenUp }
}
