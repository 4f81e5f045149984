import { Failure, wrongValue } from '../core/failure.ts'
import { chargeMembers } from './describe-output.ts'
import { annotations, type ToolDefinition } from './describe-tool.ts'
import type { Exchange } from './exchange.ts'
import { type Arguments, readCall, shownName } from './read-call.ts'
import { pricesOf, type Tool } from './tool.ts'
import { failureIn, failureOf, quotedCredits, type ToolResult, toolResult } from './tool-result.ts'
import { tools } from './tools.ts'

export const quoteName = 'quote'

type Operations = Exchange['operations']

const pricedTools = (operations: Operations) => tools.filter(tool => pricesOf(tool, operations).length > 0)

export const describeQuote = (operations: Operations): ToolDefinition => ({
  name: quoteName,
  title: 'Quote a call (free)',
  description:
    'The most that a call of another tool would cost now, in credits. Nothing is delivered. Price: free.',
  inputSchema: {
    type: 'object',
    properties: {
      tool: { type: 'string', enum: pricedTools(operations).map(tool => tool.name) },
      arguments: { type: 'object', description: 'Of that tool.' },
    },
    required: ['tool'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: { tool: { type: 'string' }, quoted_credits: { type: 'integer' }, ...chargeMembers },
    required: Object.keys(chargeMembers),
  },
  annotations,
})

/** Sends a request with a ceiling of 0, which is refused with its quote before anything is delivered. */
export async function quoteTool(exchange: Exchange, given: Arguments): Promise<ToolResult> {
  const { operations, isDemo } = exchange
  const { tool, args } = readQuote(operations, given)
  const { operation, sent } = readCall(tool, args, { operations, withRows: !isDemo, ceiling: 0 })
  const isPriced = operation.prices.length > 0
  const received = isPriced
    ? await exchange.send({ ...sent, tool: quoteName, keyIsFresh: false, creditsMax: null })
    : null
  const charged = {
    credits_charged: 0,
    isReplayed: false,
    idempotencyKey: null,
    balance: await exchange.balance(),
  }
  const quote = (credits: number) =>
    toolResult(Buffer.from(`"tool":"${tool.name}","quoted_credits":${credits}`), charged, null)
  if (received === null || 'members' in received) return quote(0)
  const failure = failureIn(received)
  const quoted = quotedCredits(failure)
  return quoted === null ? failureOf(failure, charged) : quote(quoted)
}

function readQuote(operations: Operations, given: Arguments): { tool: Tool; args: Arguments } {
  const { tool: name, arguments: args, ...rest } = given
  const [unknown] = Object.keys(rest)
  const priced = pricedTools(operations)
  const tool = priced.find(each => each.name === name)
  if (unknown !== undefined) throw unknownArgument(unknown)
  if (tool === undefined) throw wrongValue('tool', `one of ${priced.map(each => each.name).join(', ')}`)
  if (typeof (args ?? {}) !== 'object' || Array.isArray(args))
    throw wrongValue('arguments', 'the arguments of that tool')
  return { tool, args: (args ?? {}) as Arguments }
}

function unknownArgument(name: string): Failure {
  const parameter = shownName(name)
  const takes = 'tool and arguments alone'
  return new Failure('unknown_parameter', {
    message: `There is no parameter "${parameter}"; send ${takes}.`,
    details: { parameter, takes },
  })
}
