import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { executable } from './binaries.ts'
import { superuser } from './cluster.ts'
import { makePrivateDirectory, type SocketDirectory, socketPort } from './directories.ts'
import { endLeftoverServer } from './leftover-server.ts'
import type { ServerLog } from './server-log.ts'
import type { ServerUser } from './server-user.ts'
import { shutDown } from './shut-down.ts'
import { runSupervised, type SupervisedProcess } from './supervised-process.ts'
import { freePort, runOnWindows } from './windows.ts'

const leftoverDeadlineMs = 30_000
const retryEveryMs = 50

/** Allows the time to replay the log of a killed server. A server that cannot start fails much earlier. */
const readyDeadlineMs = 600_000
const readyPollMs = 5

/** Matches the server’s message when another server, or its remains, use the cluster or the socket. */
const occupied = /lock file|postmaster\.pid|pre-existing shared memory block|could not bind/

export type Launch = {
  native: string
  cluster: string
  sockets: SocketDirectory
  settings: Record<string, string>
  user: ServerUser
  log: ServerLog
  say: (line: string) => void
  warn: (line: string) => void
  onWait?: () => void
  /** The loopback port on Windows; by default a free one. */
  port?: number
  /** Aborts a start while the server is not ready yet. */
  stopping?: AbortSignal
}

export type Started = { server: SupervisedProcess; host: string; port: number }

export async function launch(options: Launch): Promise<Started> {
  const { cluster, native, sockets, say } = options
  const leftover = { cluster, socketDirectory: sockets.path, pgCtl: executable(native, 'pg_ctl') }
  const began = Date.now()
  for (let attempts = 1; ; attempts++) {
    const attempt = await tryOnce(options)
    if ('server' in attempt) return attempt
    const waitedMs = Date.now() - began
    if (!occupied.test(attempt.tail) || options.stopping?.aborted || waitedMs > leftoverDeadlineMs) {
      if (sockets.temporary) await rm(sockets.path, { recursive: true, force: true })
      throw new Error(`The embedded PostgreSQL did not start (${attempt.reason}). ${attempt.tail}`)
    }
    if (attempts === 1) say('an earlier database server is still there; waiting for it to end')
    await endLeftoverServer(leftover, waitedMs)
    await pause(retryEveryMs)
  }
}

async function tryOnce(options: Launch): Promise<Started | { reason: string; tail: string }> {
  const { native, cluster, settings, user, log, sockets } = options
  const onWindows = process.platform === 'win32'
  const host = onWindows ? '127.0.0.1' : sockets.path
  const port = onWindows ? (options.port ?? (await freePort())) : socketPort
  // The token distinguishes this server from a leftover one on the same socket.
  const token = randomBytes(8).toString('hex')
  const reach: Record<string, string> = onWindows
    ? { listen_addresses: host, unix_socket_directories: '' }
    : { listen_addresses: '', unix_socket_directories: quoteList(host), unix_socket_permissions: '0700' }
  const all = { ...settings, ...reach, port: String(port), 'baize.launch': token }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [executable(native, 'postgres'), '-D', cluster, ...flags]

  log.mark()
  if (!onWindows) await makePrivateDirectory(host, user)
  const server = onWindows
    ? runOnWindows(command, executable(native, 'pg_ctl'), cluster, log.descriptor)
    : runSupervised(command, {
        user,
        output: log.descriptor,
        temporaryDirectory: sockets.temporary ? sockets.path : null,
      })
  options.onWait?.()
  const reason = await readyOrReason(server, { host, port, token }, options.stopping)
  if (reason === null) {
    server.background()
    return { server, host, port }
  }
  if (options.stopping?.aborted) await shutDown(server)
  server.release()
  return { reason, tail: await log.tail() }
}

/** PostgreSQL splits a list of directories at commas unless its items are quoted. */
const quoteList = (path: string): string => `"${path.replaceAll('"', '""')}"`

type Address = { host: string; port: number; token: string }

/** Returns null when the server answers, otherwise the reason why it does not. */
async function readyOrReason(
  server: SupervisedProcess,
  address: Address,
  stopping: AbortSignal | undefined,
): Promise<string | null> {
  let ended: string | null = null
  void server.ended.then(({ code, error }) => {
    ended = error ? error.message : `it ended with status ${code}`
  })
  const deadline = Date.now() + readyDeadlineMs
  while (Date.now() < deadline) {
    if (await answers(address)) return null
    if (ended !== null) return ended
    if (stopping?.aborted) return 'the program is stopping'
    await pause(readyPollMs)
  }
  return `no answer within ${readyDeadlineMs} ms`
}

async function answers({ host, port, token }: Address): Promise<boolean> {
  const client = new pg.Client({ host, port, user: superuser, database: 'postgres' })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ token: string | null }>(
      `select current_setting('baize.launch', true) as token`,
    )
    return rows[0]?.token === token
  } catch {
    return false // The server has no socket yet, or still replays its log.
  } finally {
    await client.end().catch(() => {})
  }
}
