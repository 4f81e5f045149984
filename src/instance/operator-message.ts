import { DataDirectoryInUse } from '@baize/data-directory'
import { MakeFolderError } from '@baize/files'
import { errorCode, isConnectionLoss, ReadOnlyServer, UnfitDatabase, UnsafeInteger } from '@baize/postgres'
import { SettingsError } from '../config/read-variable.ts'
import { readSettings } from '../config/settings.ts'
import { StaffError } from '../core/staff-error.ts'

/** SQLSTATE classes: 28, invalid user, password or certificate; 3D, unknown database. */
const refusedByServer = /^(28|3D)/
const lacksRights = '42501'
/** Node's codes for a certificate that it does not trust. */
const badCertificate = /^(ERR_TLS_|CERT_|UNABLE_TO_)|SELF_SIGNED_CERT/

/** Means that the port of this environment variable could not be opened. */
export class CannotListen extends Error {
  readonly variable: string

  constructor(variable: string, cause: unknown) {
    super(`${variable}: cannot listen`, { cause })
    this.variable = variable
  }
}

const operatorErrors = [
  StaffError,
  SettingsError,
  DataDirectoryInUse,
  MakeFolderError,
  UnfitDatabase,
  UnsafeInteger,
]

/** Returns null for a bug of ours, which is not a problem of the machine or its settings. */
export function operatorMessage(error: unknown): string | null {
  if (operatorErrors.some(kind => error instanceof kind)) return (error as Error).message
  if (error instanceof CannotListen) return listenMessage(error.variable, error.cause)
  const { syscall, path } = error as NodeJS.ErrnoException
  const code = errorCode(error)
  if (/server does not support SSL/.test(reason(error)))
    return 'The database does not support TLS, which DATABASE_URL requires; see its parameter "sslmode".'
  if (error instanceof ReadOnlyServer) return `${capitalised(error.message)}.`
  if (isConnectionLoss(error) && path === undefined) {
    const { databaseUrl, dataDirectory } = readSettings()
    return databaseUrl === null
      ? `The database of ${dataDirectory} does not answer (${reason(error)}). ` +
          'It stops with the program that started it; try again.'
      : `The database does not answer (${reason(error)}). Is the server of DATABASE_URL running?`
  }
  // The driver reports this when the server asks for a password and the URL has none.
  if (/password must be a (non-empty )?string/.test(reason(error)))
    return 'The database asks for a password. Add it to DATABASE_URL, or set PGPASSWORD.'
  if (badCertificate.test(code ?? ''))
    return `The certificate of the database is not accepted: ${reason(error)}. See "sslmode" of DATABASE_URL.`
  if (code === lacksRights)
    return `The user of DATABASE_URL lacks a right: ${reason(error)}. It must be allowed to create schemas.`
  if (refusedByServer.test(code ?? '')) return `The database refused the connection: ${reason(error)}.`
  if ((syscall !== undefined && path !== undefined) || code === 'ENOSPC') return reason(error)
  return null
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function listenMessage(variable: string, error: unknown): string {
  const { address, port, hostname } = error as { address?: string; port?: number; hostname?: string }
  if (hostname !== undefined) return `HOST=${hostname}: the name has no address (${errorCode(error)}).`
  return `${variable}=${port} on HOST=${address}: ${listenProblem(variable, errorCode(error))}`
}

function listenProblem(variable: string, code: string | undefined): string {
  if (code === 'EADDRINUSE')
    return `another program uses this port. Stop it, or set ${variable} to another port.`
  if (code === 'EACCES') return `this user may not use this port. Set ${variable} to 1024 or above.`
  return `cannot listen (${code}).`
}

/** Joins the causes of an aggregate error, whose message is empty when a host has several addresses. */
function reason(error: unknown): string {
  const { message, errors } = error as Error & { errors?: Error[] }
  return message || (errors ?? []).map(each => each.message).join('; ')
}
