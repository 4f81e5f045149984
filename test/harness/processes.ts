import { existsSync } from 'node:fs'
import { readdir, readFile, readlink } from 'node:fs/promises'

/** Is true if processes can be listed with their directories (Linux). Tests that kill servers need it. */
export const processesAreVisible = existsSync('/proc/self/cwd')

export async function serversBelow(directory: string): Promise<number[]> {
  return processesThat(async pid => (await readlink(`/proc/${pid}/cwd`)).startsWith(`${directory}/`))
}

/** Kills each server below the directory. Some processes end on their own when the first has ended. */
export async function killServersBelow(directory: string): Promise<void> {
  for (const pid of await serversBelow(directory)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

export async function processesNaming(text: string): Promise<number[]> {
  return processesThat(async pid => (await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes(text))
}

async function processesThat(fits: (pid: number) => Promise<boolean>): Promise<number[]> {
  if (!processesAreVisible) return []
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number)
  const found: number[] = []
  for (const pid of pids) {
    // An ended process, or one of another user, does not fit.
    if (pid !== process.pid && (await fits(pid).catch(() => false))) found.push(pid)
  }
  return found
}

/** Returns the processes that a process has started itself. */
export async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'latin1').catch(() => '')
  return children.split(' ').filter(Boolean).map(Number)
}

/** Returns the memory of a process and of all that it started, in MB. Pages that they share count once. */
export async function memoryOfTree(pid: number): Promise<number> {
  const memory = await readFile(`/proc/${pid}/smaps_rollup`, 'latin1').catch(() => '')
  const own = Number(/^Pss:\s+(\d+)/m.exec(memory)?.[1] ?? 0) / 1_024
  const others = await Promise.all((await childrenOf(pid)).map(memoryOfTree))
  return own + others.reduce((sum, each) => sum + each, 0)
}
