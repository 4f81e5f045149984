import { existsSync } from 'node:fs'
import { readdir, readFile, readlink } from 'node:fs/promises'

/** Whether processes can be listed with their directories (Linux); tests that kill servers need it. */
export const processesAreVisible = existsSync('/proc/self/cwd')

export async function serversBelow(directory: string): Promise<number[]> {
  return processesThat(async pid => (await readlink(`/proc/${pid}/cwd`)).startsWith(`${directory}/`))
}

/** kill -9 for each of them; some end by themselves when the first has ended. */
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
    // false: ended, or another user's
    if (pid !== process.pid && (await fits(pid).catch(() => false))) found.push(pid)
  }
  return found
}
