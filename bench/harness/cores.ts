import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** With fewer cores the servers would lack the core of the load generator. */
const coresMin = 4

/** Core numbers in the form of taskset, such as `1-3,5`. */
export type Cores = { load: string; servers: string }

async function coresHere(): Promise<number[]> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '')
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? ''
  return list
    .split(',')
    .filter(part => part !== '')
    .flatMap(part => {
      const [first = 0, last = first] = part.split('-').map(Number)
      return Array.from({ length: last - first + 1 }, (_, index) => first + index)
    })
}

/** Returns null on a system other than Linux, or with too few cores for the load generator. */
export async function divideCores(): Promise<Cores | null> {
  const [first, ...others] = await coresHere()
  if (first === undefined || others.length + 1 < coresMin) return null
  return { load: String(first), servers: others.join(',') }
}

/** Binds this process to cores. Processes that it starts later inherit the binding. */
export async function bindTo(cores: string): Promise<void> {
  await run('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(process.pid)])
}

export function describeCores(cores: Cores | null, count: number): string {
  return cores === null
    ? `The load generator shares ${count} cores with the servers; it has its own where there are ${coresMin}.`
    : `The load generator has core ${cores.load}, the servers and PostgreSQL have ${cores.servers}.`
}
