import type {
  Context as CoreContext,
  Operation as CoreOperation,
  OperationInput,
  TObject,
} from '../core/operation.ts'
import type { World } from '../database/open.ts'

type Nothing = TObject<Record<never, never>>

export type Operation<
  Query extends TObject = TObject,
  Data extends TObject = TObject,
  Params extends TObject = Nothing,
  Body extends TObject = Nothing,
  Written extends string = never,
> = CoreOperation<World, Query, Data, Params, Body, Written>
export type Context = CoreContext<World>

/** Declares an operation, and infers its types from the schemas. */
export function defineOperation<
  Query extends TObject,
  Data extends TObject,
  Params extends TObject = Nothing,
  Body extends TObject = Nothing,
  const Written extends string = never,
>(operation: Operation<Query, Data, Params, Body, Written>): Operation<Query, Data, Params, Body, Written> {
  return operation
}

export type InputOf<
  Query extends TObject,
  Params extends TObject = Nothing,
  Body extends TObject = Nothing,
> = OperationInput<Query, Params, Body>
