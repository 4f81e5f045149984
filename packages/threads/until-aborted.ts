/** Rejects when the signal aborts. The work itself may continue, within its own limits. */
export function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const leave = () => reject(signal.reason)
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', leave))
}
