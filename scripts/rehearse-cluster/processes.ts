import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { createServer } from 'node:net'
import { chooseServerUser, type ServerUser } from '@baize/embedded-postgres/server-user'

/** Debian's place of PostgreSQL. */
export const postgresPrograms = '/usr/lib/postgresql/15/bin'

const redis = '/usr/bin/redis-server'
/** Null where it is missing: the service then throttles by itself. */
export const redisProgram = existsSync(redis) ? redis : null

const programs = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/haproxy', `${postgresPrograms}/postgres`]

export async function missingPrograms(): Promise<string[]> {
  const isThere = await Promise.all(
    programs.map(path =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  )
  return programs.filter((_, index) => !isThere[index])
}

/** PostgreSQL refuses to run as root. */
export const serverUser = (): Promise<ServerUser> => chooseServerUser(null)

const firstPort = 20_000
const portsCount = 10_000
const chosenPorts = new Set<number>()

/**
 * Returns a port below those that systems give to outgoing connections, which could take it while its server
 * is away.
 */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * portsCount)
    if (chosenPorts.has(port) || !(await isFree(port))) continue
    chosenPorts.add(port)
    return port
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

export type Running = { child: ChildProcess; port?: number; end(): Promise<void> }

/** Starts a program of the cluster, which logs to a file. As root only what changes its user itself. */
export async function run(
  command: string,
  args: readonly string[],
  {
    log,
    asRoot = false,
    ...options
  }: { log: string; asRoot?: boolean; env?: NodeJS.ProcessEnv; cwd?: string },
): Promise<Running> {
  const output = openSync(log, 'a')
  const ids = asRoot ? null : (await serverUser()).ids
  const child = spawn(command, args, { ...options, ...ids, stdio: ['ignore', output, output] })
  const ended = once(child, 'exit').catch(() => {})
  return {
    child,
    end: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Signals processes, of which some may have ended. */
export function signalAll(processes: readonly number[], name: NodeJS.Signals): void {
  for (const pid of processes) {
    try {
      process.kill(pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
