import { type Logger, pino } from 'pino'
import type { LogLevel } from './settings.ts'

/** Structured logs. Keys never get there: headers are not logged, and what looks like a key is blotted out. */
export function createLogger(level: LogLevel): Logger {
  return pino({
    level,
    redact: {
      paths: [
        'req.headers',
        'headers',
        'api_key',
        '*.api_key',
        'authorization',
        '*.authorization',
        'password',
        '*.password',
      ],
      censor: '[redacted]',
    },
    formatters: { level: label => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: shortError },
  })
}

const keyShape = /client_[0-9A-Za-z]{8,}/g
const hidden = (text: string) => text.replaceAll(keyShape, 'client_[redacted]')

/** An error as its words, its code and its causes: drivers hang whole connections on theirs. */
function shortError(error: unknown): unknown {
  if (!(error instanceof Error)) return error === undefined ? undefined : hidden(String(error))
  const { name, message, stack, cause } = error
  const code = (error as { code?: unknown }).code
  return {
    type: name,
    message: hidden(message),
    ...(code === undefined ? {} : { code }),
    stack: hidden(stack ?? ''),
    ...(cause === undefined ? {} : { cause: shortError(cause) }),
  }
}
