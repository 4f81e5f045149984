import { SettingsError } from '../config/settings.ts'
import { errorCode, isConnectionLoss, UnfitDatabase } from '../database/errors.ts'
import { DataDirectoryInUse } from './claim.ts'

/** Password, certificate or user refused (class 28), no such database (3D). */
const refusedByServer = /^(28|3D)/

/** Errors whose message is for the operator as it stands. */
const tellsOperators = [SettingsError, DataDirectoryInUse, UnfitDatabase]

/** What the machine or its settings stand in the way of, in a line for the operator; null for a fault of ours. */
export function operatorMessage(error: unknown): string | null {
  if (tellsOperators.some(kind => error instanceof kind)) return (error as Error).message
  const { syscall, address, port, path } = error as NodeJS.ErrnoException & {
    address?: string
    port?: number
  }
  const code = errorCode(error)
  if (syscall === 'listen') return `PORT=${port} on HOST=${address}: ${listenProblem(code)}`
  if (isConnectionLoss(error) && path === undefined) {
    return `The database does not answer (${reason(error)}). Is the server that DATABASE_URL names running?`
  }
  if (refusedByServer.test(code ?? '')) return `The database refuses the connection: ${reason(error)}.`
  if (syscall !== undefined && path !== undefined) return reason(error)
  return null
}

function listenProblem(code: string | undefined): string {
  if (code === 'EADDRINUSE') return 'another program listens there. Stop that, or set PORT to another one.'
  if (code === 'EACCES') return 'this user may not listen there. Set PORT to 1024 or above.'
  return `nothing can listen there (${code}).`
}

/** A host of several addresses fails with one error for all of them, whose own message is empty. */
function reason(error: unknown): string {
  const { message, errors } = error as Error & { errors?: Error[] }
  return message || (errors ?? []).map(each => each.message).join('; ')
}
