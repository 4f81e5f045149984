/** Fails with the signal's reason if that comes first. The promise itself goes on. */
export function unlessAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', stop))
}
