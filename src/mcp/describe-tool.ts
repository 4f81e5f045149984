import type { AnyOperation, TSchema } from '../core/operation.ts'
import type { World } from '../database/open.ts'
import { inCredits, type PriceKey, prices } from '../metering/pricing.ts'
import { describeOutput, type JsonSchema, type ObjectSchema } from './describe-output.ts'
import {
  argumentOf,
  defaultCreditsMax,
  findOperation,
  maxCreditsArgument,
  operationNames,
  parametersOf,
  pricesOf,
  requiredOf,
  type Tool,
} from './tool.ts'

type Operation = AnyOperation<World>
export type ToolDefinition = {
  name: string
  title: string
  description: string
  inputSchema: ObjectSchema
  outputSchema: ObjectSchema
  annotations: typeof annotations
  _meta?: Record<string, unknown>
}

/** Longer enumerations, such as the markets, appear only in the message for a wrong value. */
const enumValuesMax = 12
const descriptionSentences = 2

/**
 * Describes a tool for `tools/list` in few words, because hosts send all definitions with each of their
 * requests.
 */
export function describeTool(tool: Tool, operations: readonly Operation[]): ToolDefinition {
  const called = operationNames(tool).map(name => findOperation(operations, name))
  const last = called.at(-1) as Operation
  const prices = pricesOf(tool, operations)
  const price = priceWords(prices, called)
  return {
    name: tool.name,
    title: `${tool.title ?? last.summary} (${price})`,
    description: `${describeCalls(tool, operations)} Price: ${price}.`,
    inputSchema: {
      type: 'object',
      properties: describeArguments(tool, called, prices.length > 0),
      ...requiredArguments(tool, called),
      additionalProperties: false,
    },
    outputSchema: describeOutput(tool, called),
    annotations,
    ...(prices.length === 0 ? {} : { _meta: { 'baize/price': priceList(prices) } }),
  }
}

/**
 * No tool changes anything but the balance. `readOnlyHint: false` would make hosts ask before each verdict;
 * ceilings and budgets bound what calls cost (docs/decisions/0016).
 */
export const annotations = { readOnlyHint: true, openWorldHint: false }

const priceList = (keys: readonly PriceKey[]) => keys.map(key => ({ key, ...prices[key] }))

function priceWords(keys: readonly PriceKey[], called: readonly Operation[]): string {
  if (keys.length === 0) return 'free'
  const perUnit = keys.map(key => `${inCredits(prices[key].credits)} per ${prices[key].unit}`)
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

function describeArguments(
  tool: Tool,
  called: readonly Operation[],
  isPriced: boolean,
): Record<string, JsonSchema> {
  const described = tool.parameters.map((parameter): [string, JsonSchema] => {
    const declaring = called.filter(operation => parametersOf(operation)[parameter] !== undefined)
    const [operation] = declaring
    if (operation === undefined) throw new Error(`${tool.name} has no operation with ${parameter}`)
    const brief = briefSchema(parametersOf(operation)[parameter] as TSchema)
    const schema = parameter === tool.rows ? withSentence(brief, rowsDefault) : brief
    return [argumentOf(parameter), withCondition(schema, tool, declaring)]
  })
  return {
    ...choiceArgument(tool),
    ...Object.fromEntries(described),
    ...(isPriced ? { [maxCreditsArgument]: maxCreditsSchema } : {}),
  }
}

const rowsDefault = 'Default: what max_credits pays for. Send fewer to fit a small budget.'
const maxCreditsSchema = { type: 'integer', description: `Default ${defaultCreditsMax}.` }

function choiceArgument({ operation }: Tool): Record<string, JsonSchema> {
  if (typeof operation === 'string') return {}
  const values = Object.keys(operation.of)
  const type = isBooleanChoice(values) ? { type: 'boolean' } : { type: 'string', enum: values }
  return { [operation.argument]: { ...type, description: operation.description } }
}

const isBooleanChoice = (values: readonly string[]) => values.includes('true')

/** Describes when an argument counts, if not all operations of the tool accept it. */
function withCondition(schema: JsonSchema, { operation }: Tool, declaring: readonly Operation[]): JsonSchema {
  if (typeof operation === 'string') return schema
  const all = Object.entries(operation.of)
  const values = all.filter(([, name]) => declaring.some(each => each.name === name)).map(([value]) => value)
  if (values.length === all.length) return schema
  const condition = `Only with ${operation.argument} ${values.join(', ')}.`
  return withSentence(schema, condition)
}

function withSentence(schema: JsonSchema, sentence: string): JsonSchema {
  return { ...schema, description: [schema.description, sentence].filter(Boolean).join(' ') }
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

/** Returns the first sentences. */
function sentences(text: string, count: number): string {
  const all = text.replaceAll(/\s+/g, ' ').split(/(?<=\.) (?=[A-Z`\d])/)
  return all.slice(0, count).join(' ')
}
