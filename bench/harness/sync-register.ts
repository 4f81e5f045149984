import type { BenchData } from './data.ts'
import { runMeasured } from './processes.ts'
import { instanceOf } from './run-benchmark.ts'

export type Synced = {
  status: string
  seconds: number
  removed: number
  added: number
  signals: number
  memoryMb: number
}

/** Syncs a file and approves it, because a large first file is quarantined. */
export async function syncRegister(stream: string, file: string, data: BenchData): Promise<Synced> {
  const register = (...args: string[]) =>
    runMeasured('src/main/cli.ts', ['--json', 'register', ...args], instanceOf(data), {
      nodeOptions: ['--max-semi-space-size=4'],
      codes: [0, 1],
    })
  const run = await register('sync', stream, '--file', file)
  const first = JSON.parse(run.stdout)
  const approval =
    first.status === 'held' ? await register('approve', first.snapshot_ref, '--why', 'bench') : null
  const report = approval === null ? first : JSON.parse(approval.stdout)
  if (report.status !== 'applied') throw new Error(approval?.stdout ?? run.stdout)
  const { status, removed, added, signals } = report
  const seconds = approval === null ? first.seconds : first.seconds + report.seconds
  return {
    status,
    seconds,
    removed,
    added,
    signals,
    memoryMb: Math.max(run.memoryMb, approval?.memoryMb ?? 0),
  }
}
