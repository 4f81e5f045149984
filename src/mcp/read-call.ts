import { nearWord } from '@baize/names'
import { Failure, wrongValue } from '../core/failure.ts'
import type { AnyOperation, TSchema } from '../core/operation.ts'
import type { Sent } from '../core/session-operation.ts'
import type { World } from '../database/open.ts'
import { type PriceKey, prices } from '../metering/pricing.ts'
import {
  argumentOf,
  type Choice,
  defaultCreditsMax,
  findOperation,
  maxCreditsArgument,
  parametersOf,
  pricesOf,
  requiredOf,
  type Tool,
} from './tool.ts'

type Operation = AnyOperation<World>
export type Arguments = Readonly<Record<string, unknown>>

export type ToolCall = {
  operation: Operation
  /** The request to the operation, which validates it. */
  sent: Sent
  /** Whether the call sets a ceiling for its cost. */
  hasCeiling: boolean
}

type Reading = {
  operations: readonly Operation[]
  /** Whether to add as many rows as the ceiling pays for, if the call does not limit them. */
  withRows: boolean
  /** Replaces the ceiling of the call. */
  ceiling?: number
}

/** Maps the arguments of a tool to a request. `null` counts as not sent: many models fill in every argument. */
export function readCall(tool: Tool, sent: Arguments, { operations, withRows, ceiling }: Reading): ToolCall {
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null))
  const keys = pricesOf(tool, operations)
  requireKnown(tool, given, keys.length > 0)
  const { operation, rest } = chooseOperation(tool, operations, given)
  const { [maxCreditsArgument]: maxCredits, ...values } = rest
  const allowed = operation.prices.length === 0 ? undefined : (ceiling ?? maxCredits)
  const hasCeiling = allowed !== undefined
  const limits = hasCeiling ? { [maxCreditsArgument]: allowed } : {}
  if (operation.body !== undefined)
    return { operation, hasCeiling, sent: { operation: operation.name, body: { ...values, ...limits } } }
  const defaults = {
    ...fixedOf(tool, operation),
    ...(withRows ? rowsOf(tool.rows, operation, maxCredits) : {}),
  }
  const texts = Object.fromEntries(
    Object.entries({ ...defaults, ...values, ...limits }).map(([name, value]) =>
      parameterText(tool, name, value),
    ),
  )
  return { operation, hasCeiling, sent: { operation: operation.name, ...placed(operation, texts) } }
}

function requireKnown({ operation, parameters }: Tool, given: Arguments, isPriced: boolean): void {
  const choice = typeof operation === 'string' ? [] : [operation.argument]
  const ceiling = isPriced ? [maxCreditsArgument] : []
  const known = [...choice, ...parameters.map(argumentOf), ...ceiling]
  const unknown = Object.keys(given).find(name => !known.includes(name))
  if (unknown === undefined) return
  const parameter = shownName(unknown)
  const near = nearWord(unknown, known) ?? null
  throw new Failure('unknown_parameter', {
    message: `There is no parameter "${parameter}"${near === null ? '.' : `; did you mean "${near}"?`}`,
    details: { parameter, did_you_mean: near, parameters: known },
  })
}

const shownMax = 64
/** Shortens the name that a client sent, for an error message. */
export const shownName = (name: string) => name.slice(0, shownMax).toWellFormed()

function chooseOperation({ operation }: Tool, operations: readonly Operation[], given: Arguments) {
  if (typeof operation === 'string') return { operation: findOperation(operations, operation), rest: given }
  const { [operation.argument]: value = operation.otherwise, ...rest } = given
  const name = Object.hasOwn(operation.of, String(value)) ? operation.of[String(value)] : undefined
  if (name === undefined) throw wrongChoice(operation, value)
  return { operation: findOperation(operations, name), rest }
}

function wrongChoice({ argument, of }: Choice, value: unknown): Failure {
  const takes = `one of ${Object.keys(of).join(', ')}`
  if (value !== undefined) return wrongValue(argument, takes)
  const message = `"${argument}" is required: ${takes}.`
  return new Failure('missing_parameter', { message, details: { parameter: argument, takes } })
}

/** Returns the parameters that an operation requires and that have only one possible value. */
function fixedOf({ parameters }: Tool, operation: Operation): Record<string, unknown> {
  const declared = parametersOf(operation)
  const fixed = requiredOf(operation).filter(
    name => !parameters.includes(name) && wordsOf(declared[name]).length === 1,
  )
  return Object.fromEntries(fixed.map(name => [name, wordsOf(declared[name])[0]]))
}

const wordsOf = (schema: TSchema | undefined) => (schema as { enum?: unknown[] } | undefined)?.enum ?? []

/** Limits the rows to what the ceiling of the call pays for. */
function rowsOf(rows: string | undefined, operation: Operation, maxCredits: unknown) {
  const [price] = operation.prices as PriceKey[]
  if (rows === undefined || price === undefined) return {}
  const { default: rowsMax = 1 } = parametersOf(operation)[rows] as { default?: number }
  const credits = typeof maxCredits === 'number' ? maxCredits : defaultCreditsMax
  return { [rows]: Math.min(rowsMax, Math.max(1, Math.floor(credits / prices[price].credits))) }
}

type ParameterText = [name: string, text: string | string[]]

function parameterText({ parameters }: Tool, name: string, value: unknown): ParameterText {
  const parameter = parameters.includes(`${name}[]`) ? `${name}[]` : name
  const values = Array.isArray(value) ? value : [value]
  if (values.some(each => typeof each === 'object')) {
    const takes = Array.isArray(value) ? 'a list of plain values' : 'a plain value or a list of them'
    throw wrongValue(name, takes)
  }
  const texts = values.map(String)
  return [parameter, Array.isArray(value) ? texts : (texts[0] as string)]
}

/** Puts the parameters into path, query or body of the request. */
function placed({ params }: Operation, texts: Record<string, string | string[]>) {
  const isInPath = (name: string) => Object.hasOwn(params?.properties ?? {}, name)
  const entries = Object.entries(texts)
  return {
    query: Object.fromEntries(entries.filter(([name]) => !isInPath(name))),
    params: Object.fromEntries(
      entries.filter(([name]) => isInPath(name)).map(([name, text]) => [name, [text].flat().join(',')]),
    ),
  }
}
