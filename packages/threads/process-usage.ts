import { readFile } from 'node:fs/promises'

export type ProcessUsage = { memoryMb: number; cpuMs: number }

/** A tick of Linux's accounting, whatever the machine. */
const tickMs = 10

/** Returns the resident memory and processor time of another process; null if it ended, or without /proc. */
export async function processUsage(pid: number): Promise<ProcessUsage | null> {
  try {
    const [status, stat] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'latin1'),
      readFile(`/proc/${pid}/stat`, 'latin1'),
    ])
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? []
    // The name of the program, in parentheses, may have blanks. Times are the 14th and 15th field.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { memoryMb: Number(kilobytes) / 1_024, cpuMs: (Number(fields[11]) + Number(fields[12])) * tickMs }
  } catch {
    return null
  }
}
