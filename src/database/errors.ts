/** A database that this release cannot work with as it is. The message says why, and what to do, to the operator. */
export class UnfitDatabase extends Error {
  override readonly name = 'UnfitDatabase'
}

/** A number that JSON would not carry exactly, as a balance past 2^53 credits. */
export class UnsafeInteger extends RangeError {
  override readonly name = 'UnsafeInteger'
}

/** The SQLSTATE of a PostgreSQL error, or the code of a socket error; undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/** Nobody listens there, or the name of the server has no address now: EAI_AGAIN is how a stopped container is told of. */
const unreachedCodes = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN'])
/** Before a statement was sent, or behind it. */
const brokenCodes = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])
const driverWords =
  /connection terminated|query read timeout|timeout expired|timeout exceeded when trying to connect|client has encountered a connection error/i

/**
 * Whether the server could not be reached, went away or is starting: what was asked may or may not have happened.
 * Classes 08 (connection), 53 (resources), 57P0 (shutdown, starting up), and what sockets and the driver say.
 */
export function isConnectionLoss(error: unknown): boolean {
  const code = errorCode(error)
  if (code !== undefined && (/^(08|53|57P0)/.test(code) || unreachedCodes.has(code) || brokenCodes.has(code)))
    return true
  return error instanceof Error && driverWords.test(error.message)
}

/** Whether all connections of a pool were lent out for as long as one waits: the server was not asked. */
export function isPoolBusy(error: unknown): boolean {
  return error instanceof Error && /timeout exceeded when trying to connect/i.test(error.message)
}

export function isLockTimeout(error: unknown): boolean {
  return errorCode(error) === '55P03'
}

export function isStatementTimeout(error: unknown): boolean {
  return errorCode(error) === '57014'
}

/** Deadlock or serialisation failure: nothing happened, and trying again is right. */
export function isTransient(error: unknown): boolean {
  const code = errorCode(error)
  return code === '40P01' || code === '40001'
}

/** Whether the statement cannot have reached the server: there was none to be found, or it was not taking statements. */
export function neverReached(error: unknown): boolean {
  const code = errorCode(error)
  if (code !== undefined && (unreachedCodes.has(code) || code === '57P03' || code === '53300')) return true
  return (
    error instanceof Error && /timeout expired|timeout exceeded when trying to connect/i.test(error.message)
  )
}
