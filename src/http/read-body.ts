import type { ErrorObject, ValidateFunction } from 'ajv'
import { Failure } from '../core/failure.ts'
import { suggestWord } from '../core/near-word.ts'
import type { TObject, TSchema } from '../core/operation.ts'
import { describeSchema } from './describe-schema.ts'
import { ajv, type Input, inMessage, unknownParameter } from './read-parameters.ts'
import { storableJson } from './storable-json.ts'

/**
 * Compiles the reader of a JSON body (contract section 10). An unknown member is 400, so that a misspelt
 * `max_credits` is not ignored; an invalid value is 422. A missing body is 400: `{}` must be sent, because
 * the defaults may be the most expensive request.
 */
export function bodyReader(body: TObject): (sent: unknown) => Input {
  const properties = body.properties as Record<string, TSchema>
  const names = Object.keys(properties)
  const validate: ValidateFunction = ajv.compile(body)

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
