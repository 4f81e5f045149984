import { Failure } from '../core/failure.ts'
import { annotationsOf, type ToolDefinition } from './describe-tool.ts'
import type { Exchange } from './exchange.ts'
import { type Arguments, readCall } from './read-call.ts'
import type { Tool } from './tool.ts'
import { failureIn, failureOf, quotedCredits, resultOf, type ToolResult } from './tool-result.ts'
import { tools } from './tools.ts'

export const quoteName = 'quote'

const pricedTools = tools.filter(tool => tool.prices.length > 0)
const names = pricedTools.map(tool => tool.name)

export const quoteDefinition: ToolDefinition = {
  name: quoteName,
  title: 'Quote a call (free)',
  description: 'The most that a call of another tool would cost now, in credits. Nothing is delivered.',
  inputSchema: {
    type: 'object',
    properties: {
      tool: { type: 'string', enum: names },
      arguments: { type: 'object', description: 'Of that tool.' },
    },
    required: ['tool'],
    additionalProperties: false,
  },
  annotations: annotationsOf(true),
}

/** A request with a ceiling of 0 is refused with its quote, before anything is delivered. */
export async function quoteTool(exchange: Exchange, given: Arguments): Promise<ToolResult> {
  const { operations, isDemo } = exchange
  const { tool, args } = readQuote(given)
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
    resultOf(Buffer.from(`"tool":"${tool.name}","quoted_credits":${credits}`), charged, null)
  if (received === null || 'members' in received) return quote(0)
  const failure = failureIn(received)
  const quoted = quotedCredits(failure)
  return quoted === null ? failureOf(failure, charged) : quote(quoted)
}

function readQuote(given: Arguments): { tool: Tool; args: Arguments } {
  const { tool: name, arguments: args, ...rest } = given
  const [unknown] = Object.keys(rest)
  const tool = pricedTools.find(each => each.name === name)
  if (unknown !== undefined) throw wrong('unknown_parameter', unknown, 'tool and arguments alone')
  if (tool === undefined) throw wrong('invalid_parameter', 'tool', `one of ${names.join(', ')}`)
  if (typeof (args ?? {}) !== 'object' || Array.isArray(args))
    throw wrong('invalid_parameter', 'arguments', 'the arguments of that tool')
  return { tool, args: (args ?? {}) as Arguments }
}

const wrong = (code: 'unknown_parameter' | 'invalid_parameter', parameter: string, takes: string) =>
  new Failure(code, {
    message:
      code === 'unknown_parameter'
        ? `There is no parameter "${parameter.slice(0, 64).toWellFormed()}"; send ${takes}.`
        : `"${parameter}" must be ${takes}.`,
    details: { parameter: parameter.slice(0, 64).toWellFormed(), takes },
  })
