import { errorCode, isLockTimeout, isTransient } from '@baize/postgres'
import { Refusal } from '@baize/tables'

const characterNotInRepertoire = '22021'

/** Converts an error that the snapshot or a concurrent write caused. Any other error is thrown again. */
export function refusalFromError(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isLockTimeout(error) || isTransient(error)) {
    return new Refusal('another sync or import is running; nothing was changed, try again', { cause: error })
  }
  if (errorCode(error) === characterNotInRepertoire) {
    return new Refusal('a row contains a zero byte, which text columns cannot store', { cause: error })
  }
  throw error
}
