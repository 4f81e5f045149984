import { readdir, readFile } from 'node:fs/promises'

type GroupUsage = { processes: number; memoryMb: number; cpuMs: number }

/**
 * Returns the number of processes of a group, their memory without shared libraries, and their processor
 * time. All are 0 without /proc. `strangers` are processes that an earlier call found outside of the group.
 */
export async function groupUsage(leader: number, strangers = new Set<string>()): Promise<GroupUsage> {
  const usage = { processes: 0, memoryMb: 0, cpuMs: 0 }
  const names = new Set(await readdir('/proc').catch(() => []))
  for (const known of strangers) if (!names.has(known)) strangers.delete(known)
  for (const name of names) {
    if (strangers.has(name) || !/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (Number(fields[2]) !== leader) strangers.add(name)
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

/**
 * Returns a function that reads the memory of a group in MB. It is called often: it reads no process twice
 * that is not of the group, and calls at the same time share one reading.
 */
export function groupMemory(leader: number): () => Promise<number> {
  const strangers = new Set<string>()
  let reading: Promise<number> | null = null
  return () => {
    reading ??= groupUsage(leader, strangers)
      .then(({ memoryMb }) => memoryMb)
      .finally(() => {
        reading = null
      })
    return reading
  }
}
