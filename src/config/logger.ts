import { type Logger, pino } from 'pino'
import type { LogLevel } from './settings.ts'

/** Structured logs without keys: headers are not logged, and texts that look like a key are redacted. */
export function createLogger(level: LogLevel): Logger {
  const options = {
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
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: shortError },
  }
  return pino(options, openStdout())
}

const unwrittenBytesMax = 8_388_608

/**
 * Buffers lines up to a limit and then drops them, so that a full disk does no harm. pino's own stdout
 * would throw, and retry for ever on exit.
 */
function openStdout() {
  const stdout = pino.destination({ dest: process.stdout.fd, sync: false, maxLength: unwrittenBytesMax })
  let isRefused = false
  stdout.on('error', () => {
    isRefused = true
  })
  stdout.on('write', () => {
    isRefused = false
  })
  const flush = stdout.flushSync.bind(stdout)
  stdout.flushSync = () => {
    if (!isRefused) flush()
  }
  return stdout
}

const keyShape = /client_[0-9A-Za-z]{8,}/g
const redactKeys = (text: string) => text.replaceAll(keyShape, 'client_[redacted]')

/**
 * Returns name, message, code and causes of an error. Drivers attach whole connections to errors, which are
 * left out.
 */
function shortError(error: unknown): unknown {
  if (!(error instanceof Error)) return error === undefined ? undefined : redactKeys(String(error))
  const { name, message, stack, cause } = error
  const code = (error as { code?: unknown }).code
  return {
    type: name,
    message: redactKeys(message),
    ...(code === undefined ? {} : { code }),
    stack: redactKeys(stack ?? ''),
    ...(cause === undefined ? {} : { cause: shortError(cause) }),
  }
}
