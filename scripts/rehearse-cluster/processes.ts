import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { chooseServerUser, type ServerUser } from '../../src/database/embedded/server-user.ts'

/** Debian's place of PostgreSQL. */
export const postgresPrograms = '/usr/lib/postgresql/15/bin'

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

export type Running = { child: ChildProcess; end(): Promise<void> }

/** Starts a program of the cluster, which logs to a file. */
export async function run(
  command: string,
  args: readonly string[],
  { log, ...options }: { log: string; env?: NodeJS.ProcessEnv; cwd?: string },
): Promise<Running> {
  const output = openSync(log, 'a')
  const { ids } = await serverUser()
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
