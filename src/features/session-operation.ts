import { Failure } from '../core/failure.ts'
import type { Caller } from '../core/operation.ts'
import type {
  SessionContext as CoreContext,
  SessionOperation as CoreOperation,
  TObject,
} from '../core/session-operation.ts'
import type { World } from '../database/open.ts'

type Nothing = TObject<Record<never, never>>

export type SessionContext = CoreContext<World>

/** Declares a session operation, and infers its types from the schemas and the answer. */
export function defineSessionOperation<
  Answer,
  Query extends TObject = Nothing,
  Params extends TObject = Nothing,
  Form extends TObject = Nothing,
>(
  operation: CoreOperation<World, Answer, Query, Params, Form>,
): CoreOperation<World, Answer, Query, Params, Form> {
  return operation
}

/** The answer of a session operation, for the page that shows it. */
export type AnswerOf<Operation extends { answer(...input: never[]): Promise<unknown> }> = Awaited<
  ReturnType<Operation['answer']>
>

/** Returns the account of the session, for operations that require a role in an account. */
export function accountOf({ session }: SessionContext): Caller {
  if (session.account === null) throw new Error('this operation needs a role in an account')
  return session.account
}

/** A failure whose message is shown beside the form's field. */
export const wrongField = (parameter: string, message: string) =>
  new Failure('invalid_parameter', { message, details: { parameter } })
