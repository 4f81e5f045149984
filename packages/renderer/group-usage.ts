import { readdir, readFile } from 'node:fs/promises'

/**
 * Returns the number of processes of a group, their memory without shared libraries, and their processor
 * time. All are 0 without /proc.
 */
export async function groupUsage(
  leader: number,
): Promise<{ processes: number; memoryMb: number; cpuMs: number }> {
  const usage = { processes: 0, memoryMb: 0, cpuMs: 0 }
  const names = await readdir('/proc').catch(() => [])
  for (const name of names.filter(each => /^\d+$/.test(each))) {
    const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (Number(fields[2]) !== leader || fields[0] === 'Z') continue
    const status = await readFile(`/proc/${name}/status`, 'latin1').catch(() => '')
    const kilobytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)].map(([, size]) =>
      Number(size),
    )
    usage.processes += 1
    usage.memoryMb += kilobytes.reduce((sum, size) => sum + size, 0) / 1_024
    // A tick of Linux's accounting is 10 ms. Ended children count with their parent.
    usage.cpuMs += [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0) * 10
  }
  return usage
}
