import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { stopOnWindows } from './windows.ts'

const run = promisify(execFile)

/** A server whose program was killed ends on its leash by itself; only after this is it told to. */
const leashGraceMs = 2_000

/** After this its processes are told to drop everything: nothing committed is lost, the log is replayed. */
const fastShutdownMs = 15_000

export type Survivor = { cluster: string; socketDirectory: string; pgCtl: string }

/**
 * Clears the way when a server still stands on the cluster, or only its lock file does. The caller holds the claim on
 * the data directory, so whatever runs there belongs to nobody. Called again until the next attempt succeeds.
 */
export async function endSurvivor(survivor: Survivor, waitedMs: number): Promise<void> {
  const { cluster, socketDirectory, pgCtl } = survivor
  if (process.platform === 'win32')
    return stopOnWindows(pgCtl, cluster, waitedMs > fastShutdownMs ? 'immediate' : 'fast')
  const pids = await serverProcesses(cluster)
  if (pids.length === 0 && existsSync('/proc/self')) {
    // PostgreSQL takes any process of its user for the lock's holder, and in a container numbers return at once.
    for (const name of await readdir(socketDirectory).catch(() => []))
      await rm(join(socketDirectory, name), { force: true })
    await rm(join(cluster, 'postmaster.pid'), { force: true })
  } else if (waitedMs > fastShutdownMs) {
    for (const pid of pids) send(pid, 'SIGQUIT')
  } else if (waitedMs > leashGraceMs) {
    const postmaster = await lockHolder(cluster)
    for (const pid of pids) if (pid === postmaster) send(pid, 'SIGINT')
  }
}

/** The processes that really serve this cluster: each stands in its directory. */
async function serverProcesses(cluster: string): Promise<number[]> {
  if (!existsSync('/proc/self')) return postmasterByCommand(cluster)
  const directory = await realpath(cluster)
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    // Other users' processes cannot be read, and are not the server's.
    const workingDirectory = await readlink(`/proc/${name}/cwd`).catch(() => null)
    if (workingDirectory === directory) found.push(Number(name))
  }
  return found
}

/** Without /proc (macOS): the holder of the lock, when its command line names the cluster. */
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
    // gone between the look and the signal
  }
}
