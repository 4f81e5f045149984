/** Runs the work with a signal that Ctrl-C or SIGTERM aborts. A second one ends the process at once. */
export async function interruptible<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const interrupt = new AbortController()
  const abort = () => interrupt.abort()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, abort)
  try {
    return await work(interrupt.signal)
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, abort)
  }
}
