import { readdir, readFile } from 'node:fs/promises'

/** The CPU time of a request by process, in microseconds, and the idle share of the machine. */
export type CpuShare = {
  mainUs: number
  /** The time of the server's other threads: garbage collection, compilation, files. */
  threadsUs: number
  databaseUs: number
  loadUs: number
  /** The idle share of all cores, in percent. */
  idle: number
  /** The share that other machines of the same host used, in percent. */
  stolen: number
}

export type Watched = { servers: readonly number[]; database: number | null }

type Snapshot = { main: number; all: number; database: number; load: number; machine: number[] }

/** Linux counts CPU time in hundredths of a second. */
const tickUs = 10_000
/** Field positions after the process name in `stat`. The times of children include ended ones. */
const [parentAt, ownAt, childrenAt] = [1, 11, 13]
const [idleAt, diskAt, stolenAt] = [3, 4, 7]
/** Only these columns of `/proc/stat` are summed, because they include the later ones. */
const machineColumns = 8

/** Measures the work's CPU shares, which are null on systems other than Linux. */
export async function withCpuShare<Result extends { requests: number }>(
  pids: Watched,
  work: () => Promise<Result>,
): Promise<Result & { cpu: CpuShare | null }> {
  const before = await look(pids).catch(() => null)
  const result = await work()
  const after = await look(pids).catch(() => null)
  return { ...result, cpu: before && after && shareOf(before, after, result.requests) }
}

function shareOf(before: Snapshot, after: Snapshot, requests: number): CpuShare {
  const took = (of: (snapshot: Snapshot) => number) => (of(after) - of(before)) / requests
  const machine = after.machine.map((count, index) => count - (before.machine[index] as number))
  const whole = machine.reduce((sum, count) => sum + count, 0)
  const percent = (...columns: number[]) =>
    (100 * columns.reduce((sum, column) => sum + (machine[column] as number), 0)) / whole
  return {
    mainUs: took(each => each.main),
    threadsUs: took(each => each.all - each.main),
    databaseUs: took(each => each.database),
    loadUs: took(each => each.load),
    idle: percent(idleAt, diskAt),
    stolen: percent(stolenAt),
  }
}

async function look({ servers, database }: Watched): Promise<Snapshot> {
  const [machine = ''] = (await readFile('/proc/stat', 'utf8')).split('\n', 1)
  return {
    main: await cpuOfAll(servers.map(server => `${server}/task/${server}`)),
    all: await cpuOfAll(servers),
    database: await cpuOfDatabase(database),
    load: cpuOf(await readCounters('self')),
    machine: machine
      .split(/\s+/)
      .slice(1, 1 + machineColumns)
      .map(Number),
  }
}

/**
 * Measures the CPU time of PostgreSQL and of the processes that `work` starts and awaits; null on other
 * systems than Linux.
 */
export async function withCpuTime<Result>(
  database: number | null,
  work: () => Promise<Result>,
): Promise<{ result: Result; cpuUs: number | null }> {
  const used = async () => cpuOf(await readCounters('self'), childrenAt) + (await cpuOfDatabase(database))
  const before = await used().catch(() => null)
  const result = await work()
  const after = await used().catch(() => null)
  return { result, cpuUs: before === null || after === null ? null : after - before }
}

export async function serverOf(backendPid: number): Promise<number | null> {
  const counters = await readCounters(backendPid).catch(() => [])
  return counters[parentAt] ?? null
}

async function cpuOfDatabase(server: number | null): Promise<number> {
  if (server === null) throw new Error('the process of the database server is unknown')
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const counters = await Promise.all(pids.map(pid => readCounters(pid).catch(() => [])))
  const running = counters
    .filter(each => each[parentAt] === server)
    .reduce((sum, each) => sum + cpuOf(each), 0)
  const own = await readCounters(server)
  return running + cpuOf(own) + cpuOf(own, childrenAt)
}

const cpuOf = (counters: readonly number[], at = ownAt): number =>
  ((counters[at] ?? 0) + (counters[at + 1] ?? 0)) * tickUs

async function cpuOfAll(processes: readonly (number | string)[]): Promise<number> {
  const counters = await Promise.all(processes.map(readCounters))
  return counters.reduce((sum, each) => sum + cpuOf(each), 0)
}

/** Returns the fields after the name, which may contain blanks: state, parent and so on. */
async function readCounters(process: number | string): Promise<number[]> {
  const text = await readFile(`/proc/${process}/stat`, 'utf8')
  return text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
}
