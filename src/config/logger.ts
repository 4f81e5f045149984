import { type Logger, pino } from 'pino'
import type { LogLevel } from './settings.ts'

/** Structured logs. Keys never get there: headers are not logged, and what looks like a key is blotted out. */
export function createLogger(level: LogLevel): Logger {
  return pino({
    level,
    redact: {
      paths: ['req.headers', 'headers', 'api_key', '*.api_key', 'authorization', '*.authorization', 'password', '*.password'],
      censor: '[redacted]',
    },
    formatters: { level: label => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: shortError },
  })
}

const keyShape = /client_[0-9A-Za-z]{8,}/g

function shortError(error: unknown): unknown {
  const described = pino.stdSerializers.err(error as Error)
  return JSON.parse(JSON.stringify(described).replaceAll(keyShape, 'client_[redacted]')) as unknown
}
