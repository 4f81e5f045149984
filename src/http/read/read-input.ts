import { storableText, suggestWord } from '@baize/names'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { Failure } from '../../core/failure.ts'
import { once } from '../../core/once.ts'
import type { AnyOperation, TObject, TSchema } from '../../core/operation.ts'
import { describeSchema } from './describe-schema.ts'
import {
  ajv,
  canonicalIntegerText,
  type Input,
  inMessage,
  parameterReader,
  type RawQuery,
  unknownParameter,
} from './read-parameters.ts'
import { storableJson } from './storable-json.ts'

export type RawInput = { query: RawQuery; params?: Record<string, string> | undefined; body?: unknown }

type Exclusive = NonNullable<AnyOperation<unknown>['exclusive']>
type Declared = {
  query: TObject
  exclusive?: Exclusive | undefined
  params?: TObject | undefined
  body?: TObject | undefined
}

/** Returns the reader of an operation's input: query, path and body as one value. */
export function inputReader({ query, exclusive, params, body }: Declared): (raw: RawInput) => Input {
  const readQuery = queryReader(query, exclusive)
  const readParams = params === undefined ? null : parameterReader(params, canonicalIntegerText)
  const readBody = body === undefined ? null : bodyReader(body)
  return raw => ({
    ...readQuery(raw.query),
    ...readParams?.(raw.params ?? {}),
    ...readBody?.(raw.body),
  })
}

/** If the exclusive parameter is sent, passes on the unread ones without validation. */
function queryReader(query: TObject, exclusive: Exclusive | undefined): (raw: RawQuery) => Input {
  const readAll = parameterReader(query)
  if (exclusive === undefined) return readAll
  const { parameter, unread } = exclusive
  return raw => {
    if (raw[parameter] === undefined) return readAll(raw)
    const sent = Object.entries(raw)
    const isUnread = ([name]: [string, unknown]) => unread.includes(name)
    return {
      ...readAll(Object.fromEntries(sent.filter(each => !isUnread(each)))),
      ...Object.fromEntries(sent.filter(isUnread).map(([name, text]) => [name, asSent(text)])),
    }
  }
}

const asSent = (text: string | string[] | undefined) => storableText([text ?? ''].flat().join(','))

/**
 * Returns the reader of a JSON body (contract section 10), compiled at the first request. An unknown member
 * is 400, so that a misspelt `max_credits` is not ignored; an invalid value is 422. A missing body is 400:
 * `{}` must be sent, because the defaults may be the most expensive request.
 */
function bodyReader(body: TObject): (sent: unknown) => Input {
  const properties = body.properties as Record<string, TSchema>
  const names = Object.keys(properties)
  const validator = once((): ValidateFunction => ajv.compile(body))

  return sent => {
    if (sent === undefined || sent === null) throw missingBody()
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
      throw new Failure('unprocessable_body', {
        message: 'The body must be a JSON object.',
        details: { parameter: null, takes: 'a JSON object' },
      })
    }
    const unknown = Object.keys(sent).find(name => !Object.hasOwn(properties, name))
    if (unknown !== undefined) throw unknownParameter(unknown, names)
    const input = storableJson(sent) as Input
    const validate = validator()
    if (!validate(input)) throw wrongMember(validate.errors?.[0] as ErrorObject, body, input)
    return input
  }
}

function missingBody(): Failure {
  const takes = 'a JSON object, {} without members'
  return new Failure('missing_parameter', {
    message: `The body is missing; it must be ${takes}.`,
    details: { parameter: null, takes },
  })
}

function wrongMember({ instancePath, keyword, params }: ErrorObject, body: TObject, input: Input): Failure {
  const path = instancePath.split('/').slice(1).map(unescapePointer)
  if (keyword === 'required') path.push(String(params.missingProperty))
  const parameter = path.join('.')
  const takes = describeSchema(schemaAt(body, path))
  if (keyword === 'required') {
    const message = `"${parameter}" is required.`
    return new Failure('unprocessable_body', { message, details: { parameter, takes } })
  }
  if (keyword === 'enum') return wrongWord(parameter, takes, valueAt(input, path), params.allowedValues)
  const message = `"${parameter}" must be ${inMessage(takes)}.`
  return new Failure('unprocessable_body', { message, details: { parameter, takes } })
}

function wrongWord(parameter: string, takes: string, value: unknown, words: readonly string[]): Failure {
  const { suffix, did_you_mean } = suggestWord(value, words)
  return new Failure('unprocessable_body', {
    message: `"${parameter}" must be ${inMessage(takes)}${suffix}`,
    details: { parameter, takes, did_you_mean },
  })
}

function valueAt(input: unknown, path: readonly string[]): unknown {
  let at = input
  for (const part of path) at = (at as Record<string, unknown>)[part]
  return at
}

const unescapePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')

function schemaAt(schema: TSchema, path: readonly string[]): TSchema {
  let at = schema as { properties?: Record<string, TSchema>; items?: TSchema }
  for (const part of path) at = (at.properties?.[part] ?? at.items ?? {}) as typeof at
  return at as TSchema
}
