import { readSettings, SettingsError } from '../config/settings.ts'
import { errorCode, isConnectionLoss, UnfitDatabase, UnsafeInteger } from '../database/errors.ts'
import { MakeFolderError } from '../files/index.ts'
import { DataDirectoryInUse } from './claim.ts'

/** Password, certificate or user refused (class 28), no such database (3D). */
const refusedByServer = /^(28|3D)/

/** A port that another variable than PORT names, and that could not be listened on. */
export class CannotListen extends Error {
  readonly variable: string

  constructor(variable: string, cause: unknown) {
    super(`${variable}: nothing can listen there`, { cause })
    this.variable = variable
  }
}

/** Errors whose message is for the operator as it stands. */
const tellsOperators = [SettingsError, DataDirectoryInUse, MakeFolderError, UnfitDatabase, UnsafeInteger]

/** What the machine or its settings stand in the way of, in a line for the operator; null for a fault of ours. */
export function operatorMessage(error: unknown): string | null {
  if (tellsOperators.some(kind => error instanceof kind)) return (error as Error).message
  if (error instanceof CannotListen) return listenMessage(error.variable, error.cause)
  const { syscall, path } = error as NodeJS.ErrnoException
  const code = errorCode(error)
  if (/server does not support SSL/.test(reason(error)))
    return 'The database does not speak TLS, which DATABASE_URL asks for; see its parameter "sslmode".'
  if (isConnectionLoss(error) && path === undefined) {
    const { databaseUrl, dataDirectory } = readSettings()
    return databaseUrl === null
      ? `The database of ${dataDirectory} does not answer (${reason(error)}). It ends with the program that started it; run this again.`
      : `The database does not answer (${reason(error)}). Is the server that DATABASE_URL names running?`
  }
  if (refusedByServer.test(code ?? '')) return `The database refuses the connection: ${reason(error)}.`
  if ((syscall !== undefined && path !== undefined) || code === 'ENOSPC') return reason(error)
  return null
}

function listenMessage(variable: string, error: unknown): string {
  const { address, port, hostname } = error as { address?: string; port?: number; hostname?: string }
  if (hostname !== undefined)
    return `HOST=${hostname}: no address is known of that name (${errorCode(error)}).`
  return `${variable}=${port} on HOST=${address}: ${listenProblem(variable, errorCode(error))}`
}

function listenProblem(variable: string, code: string | undefined): string {
  if (code === 'EADDRINUSE')
    return `another program listens there. Stop that, or set ${variable} to another one.`
  if (code === 'EACCES') return `this user may not listen there. Set ${variable} to 1024 or above.`
  return `nothing can listen there (${code}).`
}

/** A host of several addresses fails with one error for all of them, whose own message is empty. */
function reason(error: unknown): string {
  const { message, errors } = error as Error & { errors?: Error[] }
  return message || (errors ?? []).map(each => each.message).join('; ')
}
