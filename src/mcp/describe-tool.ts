import type { AnyOperation, TSchema } from '../core/operation.ts'
import type { World } from '../database/open.ts'
import { inCredits, prices } from '../metering/pricing.ts'
import {
  argumentOf,
  defaultCreditsMax,
  findOperation,
  maxCreditsArgument,
  operationNames,
  parametersOf,
  requiredOf,
  type Tool,
} from './tool.ts'

type Operation = AnyOperation<World>
type JsonSchema = Record<string, unknown>

export type ToolDefinition = {
  name: string
  title: string
  description: string
  inputSchema: { type: 'object'; [keyword: string]: unknown }
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean }
  _meta?: Record<string, unknown>
}

/** Longer enumerations, such as the markets, are left to the message for a wrong value. */
const enumValuesMax = 12
const descriptionSentences = 2

/** A tool as `tools/list` has it, in few words: hosts send all definitions with each of their requests. */
export function describeTool(tool: Tool, operations: readonly Operation[]): ToolDefinition {
  const called = operationNames(tool).map(name => findOperation(operations, name))
  const last = called.at(-1) as Operation
  return {
    name: tool.name,
    title: `${tool.title ?? last.summary} (${priceWords(tool, called)})`,
    description: describeCalls(tool, operations),
    inputSchema: {
      type: 'object',
      properties: describeArguments(tool, called),
      ...requiredArguments(tool, called),
      additionalProperties: false,
    },
    annotations: annotationsOf(tool.prices.length === 0),
    ...(tool.prices.length === 0 ? {} : { _meta: { 'baize/price': priceList(tool) } }),
  }
}

/** A charge is a change, so hosts should not approve paid tools as read-only ones. */
export const annotationsOf = (isFree: boolean) =>
  isFree ? { readOnlyHint: true } : { readOnlyHint: false, destructiveHint: false }

const priceList = (tool: Tool) => tool.prices.map(key => ({ key, ...prices[key] }))

function priceWords(tool: Tool, called: readonly Operation[]): string {
  if (tool.prices.length === 0) return 'free'
  const perUnit = tool.prices.map(key => `${inCredits(prices[key].credits)} per ${prices[key].unit}`)
  const hasFree = called.some(operation => operation.prices.length === 0)
  return `${hasFree ? 'free, or ' : ''}${perUnit.join(', ')}`
}

function describeCalls({ operation }: Tool, operations: readonly Operation[]): string {
  if (typeof operation === 'string')
    return sentences(findOperation(operations, operation).description, descriptionSentences)
  return Object.entries(operation.of)
    .map(([value, name]) => {
      const { description } = findOperation(operations, name)
      return `${operation.argument} ${value}: ${sentences(description, 1)}`
    })
    .join(' ')
}

function describeArguments(tool: Tool, called: readonly Operation[]): Record<string, JsonSchema> {
  const described = tool.parameters.map((parameter): [string, JsonSchema] => {
    const declaring = called.filter(operation => parametersOf(operation)[parameter] !== undefined)
    const [operation] = declaring
    if (operation === undefined) throw new Error(`${tool.name} has no operation with ${parameter}`)
    const schema = briefSchema(parametersOf(operation)[parameter] as TSchema)
    return [argumentOf(parameter), withCondition(schema, tool, declaring)]
  })
  return {
    ...choiceArgument(tool),
    ...Object.fromEntries(described),
    ...(tool.prices.length === 0 ? {} : { [maxCreditsArgument]: maxCreditsSchema }),
  }
}

const maxCreditsSchema = { type: 'integer', description: `Default ${defaultCreditsMax}.` }

function choiceArgument({ operation }: Tool): Record<string, JsonSchema> {
  if (typeof operation === 'string') return {}
  const values = Object.keys(operation.of)
  const type = isBooleanChoice(values) ? { type: 'boolean' } : { type: 'string', enum: values }
  return { [operation.argument]: { ...type, description: operation.description } }
}

const isBooleanChoice = (values: readonly string[]) => values.includes('true')

/** Says when an argument counts, if not all operations of the tool have it. */
function withCondition(schema: JsonSchema, { operation }: Tool, declaring: readonly Operation[]): JsonSchema {
  if (typeof operation === 'string') return schema
  const all = Object.entries(operation.of)
  const values = all.filter(([, name]) => declaring.some(each => each.name === name)).map(([value]) => value)
  if (values.length === all.length) return schema
  const condition = `Only with ${operation.argument} ${values.join(', ')}.`
  return { ...schema, description: [schema.description, condition].filter(Boolean).join(' ') }
}

function requiredArguments({ operation, parameters }: Tool, called: readonly Operation[]) {
  const required = parameters.filter(parameter => called.every(each => requiredOf(each).includes(parameter)))
  const chosen =
    typeof operation === 'string' || operation.otherwise !== undefined ? [] : [operation.argument]
  const all = [...chosen, ...required.map(argumentOf)]
  return all.length === 0 ? {} : { required: all }
}

const keywords = ['type', 'format', 'maximum'] as const

function briefSchema(schema: TSchema): JsonSchema {
  const declared = schema as JsonSchema
  const values = (declared.enum ?? declared.words) as unknown[] | undefined
  const { description, items } = declared as { description?: string; items?: TSchema }
  return {
    ...Object.fromEntries(
      keywords.filter(name => declared[name] !== undefined).map(name => [name, declared[name]]),
    ),
    ...(values === undefined || values.length > enumValuesMax ? {} : { enum: values }),
    ...(items === undefined ? {} : { items: briefSchema(items) }),
    ...(description === undefined ? {} : { description: sentences(description, 1) }),
  }
}

/** The first sentences, without references to the specification. */
function sentences(text: string, count: number): string {
  const all = text
    .replaceAll(/ \(§[^)]*\)/g, '')
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=\.) (?=[A-Z`\d])/)
  return all.slice(0, count).join(' ')
}
