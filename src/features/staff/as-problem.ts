import { Failure } from '../../core/failure.ts'
import { StaffError } from '../../core/staff-error.ts'

/** What a command would print becomes the problem of the form. */
export async function asProblem<Result>(parameter: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StaffError)) throw error
    throw new Failure('invalid_parameter', { message: error.message, details: { parameter } })
  }
}
