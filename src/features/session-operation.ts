import type { Caller } from '../core/operation.ts'
import type {
  SessionContext as CoreContext,
  SessionOperation as CoreOperation,
  TObject,
} from '../core/session-operation.ts'
import type { World } from '../database/open.ts'

type Nothing = TObject<Record<never, never>>

export type SessionContext = CoreContext<World>

/** Infers the types from the schemas. */
export function defineSessionOperation<
  Query extends TObject,
  Data extends TObject,
  Params extends TObject = Nothing,
  Form extends TObject = Nothing,
>(
  operation: CoreOperation<World, Query, Data, Params, Form>,
): CoreOperation<World, Query, Data, Params, Form> {
  return operation
}

/** The account that the pages show, in operations that need a role in it. */
export function accountOf({ session }: SessionContext): Caller {
  if (session.account === null) throw new Error('this operation needs a role in an account')
  return session.account
}
