import type {
  Context as CoreContext,
  Operation as CoreOperation,
  Static,
  TObject,
} from '../core/operation.ts'
import type { World } from '../database/open.ts'

/** The operation and its context as features declare them: with the worlds of our database. */
export type Operation<Query extends TObject = TObject, Data extends TObject = TObject> = CoreOperation<
  World,
  Query,
  Data
>
export type Context = CoreContext<World>

/** Declares an operation; the identity, with its types inferred from the two schemas. */
export function defineOperation<Query extends TObject, Data extends TObject>(
  operation: Operation<Query, Data>,
): Operation<Query, Data> {
  return operation
}

export type InputOf<Query extends TObject> = Static<Query>
