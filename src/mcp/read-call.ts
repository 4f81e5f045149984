import { Failure } from '../core/failure.ts'
import { nearWord } from '../core/near-word.ts'
import type { AnyOperation, TSchema } from '../core/operation.ts'
import type { Sent } from '../core/session-operation.ts'
import type { World } from '../database/open.ts'
import { prices } from '../metering/pricing.ts'
import {
  argumentOf,
  type Choice,
  defaultCreditsMax,
  findOperation,
  maxCreditsArgument,
  parametersOf,
  requiredOf,
  type Tool,
} from './tool.ts'

type Operation = AnyOperation<World>
export type Arguments = Readonly<Record<string, unknown>>

export type ToolCall = {
  operation: Operation
  /** The request to the operation, which validates it. */
  sent: Sent
  /** The call says what it may cost. */
  hasCeiling: boolean
}

type Reading = {
  operations: readonly Operation[]
  /** As many rows as the call may pay for, if it does not say how many. */
  withRows: boolean
  /** Replaces that of the call. */
  ceiling?: number
}

/** Maps the arguments of a tool to a request. `null` counts as not sent: many models fill in every argument. */
export function readCall(tool: Tool, sent: Arguments, { operations, withRows, ceiling }: Reading): ToolCall {
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null))
  requireKnown(tool, given)
  const { operation, rest } = chooseOperation(tool, operations, given)
  const { [maxCreditsArgument]: maxCredits, ...values } = rest
  const allowed = operation.prices.length === 0 ? undefined : (ceiling ?? maxCredits)
  const hasCeiling = allowed !== undefined
  const limits = hasCeiling ? { [maxCreditsArgument]: allowed } : {}
  if (operation.body !== undefined)
    return { operation, hasCeiling, sent: { operation: operation.name, body: { ...values, ...limits } } }
  const defaults = { ...fixedOf(tool, operation), ...(withRows ? rowsOf(tool, operation, maxCredits) : {}) }
  const texts = Object.fromEntries(
    Object.entries({ ...defaults, ...values, ...limits }).map(([name, value]) =>
      parameterText(tool, name, value),
    ),
  )
  return { operation, hasCeiling, sent: { operation: operation.name, ...placed(operation, texts) } }
}

function requireKnown({ operation, parameters, prices }: Tool, given: Arguments): void {
  const choice = typeof operation === 'string' ? [] : [operation.argument]
  const ceiling = prices.length === 0 ? [] : [maxCreditsArgument]
  const known = [...choice, ...parameters.map(argumentOf), ...ceiling]
  const unknown = Object.keys(given).find(name => !known.includes(name))
  if (unknown === undefined) return
  const parameter = shown(unknown)
  const near = nearWord(unknown, known) ?? null
  throw new Failure('unknown_parameter', {
    message: `There is no parameter "${parameter}"${near === null ? '.' : `; did you mean "${near}"?`}`,
    details: { parameter, did_you_mean: near, parameters: known },
  })
}

const shownMax = 64
const shown = (name: string) => name.slice(0, shownMax).toWellFormed()

function chooseOperation({ operation }: Tool, operations: readonly Operation[], given: Arguments) {
  if (typeof operation === 'string') return { operation: findOperation(operations, operation), rest: given }
  const { [operation.argument]: value = operation.otherwise, ...rest } = given
  const name = Object.hasOwn(operation.of, String(value)) ? operation.of[String(value)] : undefined
  if (name === undefined) throw wrongChoice(operation, value)
  return { operation: findOperation(operations, name), rest }
}

function wrongChoice({ argument, of }: Choice, value: unknown): Failure {
  const takes = `one of ${Object.keys(of).join(', ')}`
  const message =
    value === undefined ? `"${argument}" is required: ${takes}.` : `"${argument}" must be ${takes}.`
  const code = value === undefined ? 'missing_parameter' : 'invalid_parameter'
  return new Failure(code, { message, details: { parameter: argument, takes } })
}

/** Parameters that an operation requires and leaves no choice. */
function fixedOf({ parameters }: Tool, operation: Operation): Record<string, unknown> {
  const declared = parametersOf(operation)
  const fixed = requiredOf(operation).filter(
    name => !parameters.includes(name) && wordsOf(declared[name]).length === 1,
  )
  return Object.fromEntries(fixed.map(name => [name, wordsOf(declared[name])[0]]))
}

const wordsOf = (schema: TSchema | undefined) => (schema as { enum?: unknown[] } | undefined)?.enum ?? []

function rowsOf({ rows, prices: [price] }: Tool, operation: Operation, maxCredits: unknown) {
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
    throw new Failure('invalid_parameter', {
      message: `"${name}" must be ${takes}.`,
      details: { parameter: name, takes },
    })
  }
  const texts = values.map(String)
  return [parameter, Array.isArray(value) ? texts : (texts[0] as string)]
}

/** The parameters by their place in the request. */
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
