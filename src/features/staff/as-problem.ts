import { StaffError } from '../../core/staff-error.ts'
import { wrongField } from '../session-operation.ts'

/** Runs `work`. Its StaffError becomes the error of the form's field. */
export async function asProblem<Result>(parameter: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StaffError)) throw error
    throw wrongField(parameter, error.message)
  }
}
