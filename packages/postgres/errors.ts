/**
 * Means that this release cannot use the database. The message gives the operator the reason and what to
 * do.
 */
export class UnfitDatabase extends Error {
  override readonly name = 'UnfitDatabase'
}

/** The database has an integer beyond 2^53, which JSON cannot represent exactly. */
export class UnsafeInteger extends RangeError {
  override readonly name = 'UnsafeInteger'
}

/** Returns the SQLSTATE of a PostgreSQL error, or the code of a socket error; undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/**
 * Codes of a server that cannot be found or does not listen. The name of a stopped container fails with
 * EAI_AGAIN.
 */
const unreachedCodes = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN'])
const brokenCodes = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])
const driverMessages = new RegExp(
  [
    'connection terminated',
    'query read timeout',
    'timeout expired',
    'timeout exceeded when trying to connect',
    'client has encountered a connection error',
    'error establishing an SSL connection',
  ].join('|'),
  'i',
)

/**
 * Means that the statement may or may not have run. Classes: 08 connection, 25006 read-only server, 53
 * resources, 57P0 shutdown, startup.
 */
export function isConnectionLoss(error: unknown): boolean {
  const code = errorCode(error)
  if (
    code !== undefined &&
    (/^(08|25006|53|57P0)/.test(code) || unreachedCodes.has(code) || brokenCodes.has(code))
  )
    return true
  return error instanceof Error && driverMessages.test(error.message)
}

/** Means that the statement was not sent. */
export function isPoolBusy(error: unknown): boolean {
  return error instanceof Error && /timeout exceeded when trying to connect/i.test(error.message)
}

export function isLockTimeout(error: unknown): boolean {
  return errorCode(error) === '55P03'
}

export function isStatementTimeout(error: unknown): boolean {
  return errorCode(error) === '57014'
}

export function isTransient(error: unknown): boolean {
  const code = errorCode(error)
  return code === '40P01' || code === '40001'
}

const notConnected = /timeout expired|timeout exceeded when trying to connect|due to connection timeout/i

/** Means that the statement had no effect, because the server was not reached or refused it. */
export function neverReached(error: unknown): boolean {
  const code = errorCode(error)
  if (code !== undefined && (unreachedCodes.has(code) || /^(25006|57P03|53300)$/.test(code))) return true
  return error instanceof Error && notConnected.test(error.message)
}
