import type { Logger as QueueLogger } from 'graphile-worker'
import type { Logger } from 'pino'

type LogFunctionFactory = ConstructorParameters<typeof QueueLogger>[0]

export function queueLog(log: Logger): LogFunctionFactory {
  return () => (level, message, meta) => {
    // run-job.ts has logged the failure already.
    if (meta?.failure === true) return
    // The queue itself needs few connections, because jobs use separate ones.
    if (message.includes('smaller than concurrency')) return
    const error = meta?.error
    const detail = error === undefined ? {} : { err: error }
    if (level === 'error' || level === 'warning') log.warn(detail, `jobs: ${message}`)
    else log.debug(detail, `jobs: ${message}`)
  }
}
