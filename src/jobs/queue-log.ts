import type { Logger as QueueLogger } from 'graphile-worker'
import type { Logger } from 'pino'

type LogFunctionFactory = ConstructorParameters<typeof QueueLogger>[0]

/** What graphile-worker says, in our log: its faults as warnings, its chatter for those who debug. */
export function queueLog(log: Logger): LogFunctionFactory {
  return () => (level, message, meta) => {
    // Told already, with more of what we know of the job.
    if (meta?.failure === true) return
    const error = meta?.error
    const detail = error === undefined ? {} : { err: error }
    if (level === 'error' || level === 'warning') log.warn(detail, `jobs: ${message}`)
    else log.debug(detail, `jobs: ${message}`)
  }
}
