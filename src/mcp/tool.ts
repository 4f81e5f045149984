import type { AnyOperation, TSchema } from '../core/operation.ts'
import type { World } from '../database/open.ts'
import type { PriceKey } from '../metering/pricing.ts'

/** A tool sends requests to operations of the catalogue, which has their schemas, rules and prices. */
export type Tool = {
  name: string
  /** The operation, or the argument that chooses it. */
  operation: string | Choice
  /** The title; by default the operation's summary. */
  title?: string
  /** Parameters of the operations that the tool offers. Without brackets they are the tool's arguments. */
  parameters: readonly string[]
  /** The prices that a call may charge, if the offered parameters exclude some prices of the operations. */
  prices?: readonly PriceKey[]
  /** The parameter that limits rows. Without it, a call asks for as many rows as its ceiling pays for. */
  rows?: string
  /** The tool that searches what this one looks up. Its free call is recommended after a 404. */
  finder?: string
  /** A note that an answer needs beside it, from the members of its data as JSON. */
  note?(members: Buffer): string | null
}

export type Choice = {
  argument: string
  description: string
  /** The operation for each value of the argument. */
  of: Readonly<Record<string, string>>
  /** The default value. Without it, the argument is required. */
  otherwise?: string
}

type Operation = AnyOperation<World>

/** The ceiling in credits of a call that sets no ceiling. */
export const defaultCreditsMax = 25

export const maxCreditsArgument = 'max_credits'

/** Returns `include[]` as an argument. Many hosts accept only letters, digits and underscores. */
export const argumentOf = (parameter: string): string => parameter.replace('[]', '')

export const operationNames = ({ operation }: Tool): string[] =>
  typeof operation === 'string' ? [operation] : Object.values(operation.of)

/** Returns the prices that a call may charge. */
export function pricesOf(tool: Tool, operations: readonly Operation[]): PriceKey[] {
  const called = operationNames(tool).map(name => findOperation(operations, name))
  const prices = tool.prices ?? called.flatMap(operation => operation.prices as PriceKey[])
  return [...new Set(prices)]
}

export function findOperation(operations: readonly Operation[], name: string): Operation {
  const operation = operations.find(each => each.name === name)
  if (operation === undefined) throw new Error(`there is no operation ${name}`)
  return operation
}

/** Returns query, path and body parameters. */
export function parametersOf({ query, params, body }: Operation): Record<string, TSchema> {
  return { ...params?.properties, ...query.properties, ...body?.properties } as Record<string, TSchema>
}

export function requiredOf({ query, params, body }: Operation): string[] {
  return [params, query, body].flatMap(each => (each?.required as string[] | undefined) ?? [])
}
