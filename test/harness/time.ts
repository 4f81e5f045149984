import { vi } from 'vitest'

/** Runs `work` while clocks that measure durations are `ms` ahead. */
export async function msLater<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  const now = performance.now.bind(performance)
  const ahead = vi.spyOn(performance, 'now').mockImplementation(() => now() + ms)
  try {
    return await work()
  } finally {
    ahead.mockRestore()
  }
}

/** Returns the processor time of this thread that `work` takes, in milliseconds. */
export function processorMs(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
