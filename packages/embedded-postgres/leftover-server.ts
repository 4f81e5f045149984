import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { stopOnWindows } from './windows.ts'

const run = promisify(execFile)

/** The time in which a server stops by itself after its program was killed. Then it is stopped. */
const selfStopGraceMs = 2_000

/** The time after which its processes are killed. Committed data is safe, because the log is replayed. */
const fastShutdownMs = 15_000

export type LeftoverServer = { cluster: string; socketDirectory: string; pgCtl: string }

/**
 * Stops a leftover server. The caller has claimed the data directory, and calls again until its start
 * succeeds.
 */
export async function endLeftoverServer(leftover: LeftoverServer, waitedMs: number): Promise<void> {
  const { cluster, socketDirectory, pgCtl } = leftover
  if (process.platform === 'win32')
    return stopOnWindows(pgCtl, cluster, waitedMs > fastShutdownMs ? 'immediate' : 'fast')
  const pids = await serverProcesses(cluster)
  if (pids.length === 0 && existsSync('/proc/self')) {
    // PostgreSQL treats any process with the recorded id as the lock’s owner; containers reuse ids quickly.
    for (const name of await readdir(socketDirectory).catch(() => []))
      await rm(join(socketDirectory, name), { force: true })
    await rm(join(cluster, 'postmaster.pid'), { force: true })
  } else if (waitedMs > fastShutdownMs) {
    for (const pid of pids) send(pid, 'SIGQUIT')
  } else if (waitedMs > selfStopGraceMs) {
    const postmaster = await lockHolder(cluster)
    if (postmaster !== null && pids.includes(postmaster)) send(postmaster, 'SIGINT')
    // A busy process does not notice that its server was killed, and occupies the shared memory.
    else for (const pid of pids) send(pid, 'SIGQUIT')
  }
}

/** Finds processes whose working directory is the cluster. */
async function serverProcesses(cluster: string): Promise<number[]> {
  if (!existsSync('/proc/self')) return postmasterByCommand(cluster)
  const directory = await realpath(cluster)
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    // Processes of other users cannot be read, and do not belong to the server.
    const workingDirectory = await readlink(`/proc/${name}/cwd`).catch(() => null)
    if (workingDirectory === directory) found.push(Number(name))
  }
  return found
}

/**
 * Finds the process in the lock file where /proc is missing (macOS), if its command line names the cluster.
 */
async function postmasterByCommand(cluster: string): Promise<number[]> {
  const pid = await lockHolder(cluster)
  if (pid === null) return []
  const command = await run('ps', ['-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => '',
  )
  return command.includes(cluster) ? [pid] : []
}

async function lockHolder(cluster: string): Promise<number | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return pid > 1 ? pid : null
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has already ended.
  }
}
