import type { AnyOperation, TSchema } from '../core/operation.ts'
import type { World } from '../database/open.ts'
import type { PriceKey } from '../metering/pricing.ts'

/** A tool makes requests to operations of the catalogue, which has their schemas, rules and prices. */
export type Tool = {
  name: string
  /** The operation, or the argument that chooses it. */
  operation: string | Choice
  /** Absent: the operation's summary. */
  title?: string
  /** Parameters of the operations that the tool offers. Without brackets they are the tool's arguments. */
  parameters: readonly string[]
  /** What a call may charge. */
  prices: readonly PriceKey[]
  /** The parameter that limits rows, if the operation's default could cost more than a call may. */
  rows?: string
  /** What an answer needs beside it, from the members of its data as JSON. */
  note?(members: Buffer): string | null
}

export type Choice = {
  argument: string
  description: string
  /** Operations by the argument's value. */
  of: Readonly<Record<string, string>>
  /** The value if the argument is not sent. Absent: it is required. */
  otherwise?: string
}

type Operation = AnyOperation<World>

/** The most that a call may cost unless it says so, in credits. */
export const defaultCreditsMax = 25

export const maxCreditsArgument = 'max_credits'

/** `include[]` as an argument: many hosts accept letters, digits and underscores only. */
export const argumentOf = (parameter: string): string => parameter.replace('[]', '')

export const operationNames = ({ operation }: Tool): string[] =>
  typeof operation === 'string' ? [operation] : Object.values(operation.of)

export function findOperation(operations: readonly Operation[], name: string): Operation {
  const operation = operations.find(each => each.name === name)
  if (operation === undefined) throw new Error(`there is no operation ${name}`)
  return operation
}

/** Query, path and body parameters. */
export function parametersOf({ query, params, body }: Operation): Record<string, TSchema> {
  return { ...params?.properties, ...query.properties, ...body?.properties } as Record<string, TSchema>
}

export function requiredOf({ query, params, body }: Operation): string[] {
  return [params, query, body].flatMap(each => (each?.required as string[] | undefined) ?? [])
}
