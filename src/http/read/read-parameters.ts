import { nearWord, storableText, suggestWord } from '@baize/names'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { Failure, type FailureCode } from '../../core/failure.ts'
import { once } from '../../core/once.ts'
import type { TObject, TSchema } from '../../core/operation.ts'
import { describeSchema } from './describe-schema.ts'

export type RawQuery = Record<string, string | string[] | undefined>
export type Input = Record<string, unknown>

/** An unencoded `+` arrives as a blank. It is restored before the offset of a time. */
const offsetWithBlank = /^(\d{4}-.*T.*\d) (\d{2}:?\d{2})$/
const integerText = /^-?\d{1,15}$/
/** Accepts one spelling of each number, for paths. */
export const canonicalIntegerText = /^(?:0|[1-9]\d{0,14})$/

export const ajv = new Ajv({ strict: false, useDefaults: true, coerceTypes: false })
addFormats.default(ajv)

/**
 * Returns the reader of query or path parameters (contract section 1), compiled at the first request. Names
 * with brackets may repeat, and a single value is a list of one. Unknown names are refused, so that a
 * misspelt `max_credits` is not ignored.
 */
export function parameterReader(query: TObject, integers = integerText): (raw: RawQuery) => Input {
  const properties = query.properties as Record<string, TSchema & { type?: string; format?: string }>
  const names = Object.keys(properties)
  const validator = once((): ValidateFunction => ajv.compile(query))

  return raw => {
    const input: Input = {}
    for (const name of Object.keys(raw)) {
      // Inherited names such as `constructor` and `__proto__` are not parameters.
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (schema === undefined) throw unknownParameter(name, names)
      input[name] = readParameter(name, schema, raw[name], integers)
    }
    const validate = validator()
    if (!validate(input)) throw invalidInput(validate.errors?.[0] as ErrorObject, properties, input)
    return input
  }
}

export function unknownParameter(name: string, names: readonly string[]): Failure {
  const suggestion = nearWord(name, names) ?? names.find(known => bare(known) === bare(name))
  return new Failure('unknown_parameter', {
    message: suggestion
      ? `There is no parameter "${shortened(name)}"; did you mean "${suggestion}"?`
      : `There is no parameter "${shortened(name)}".`,
    details: { parameter: shortened(name), did_you_mean: suggestion ?? null, parameters: names },
  })
}

/** Returns the name without the brackets of a list. */
const bare = (name: string) => name.replace(/\[\d*\]$/, '')

const shownLengthMax = 64
const shortened = (name: string) =>
  (name.length > shownLengthMax ? `${name.slice(0, shownLengthMax)}…` : name).toWellFormed()

const messageTakesMax = 300

/** Leaves long lists, such as the markets, to `details`. */
export function inMessage(takes: string): string {
  return takes.length > messageTakesMax ? 'one of the values in "details.takes"' : takes
}

/** Converts text to the declared type. The validator refuses other text. */
function readParameter(
  name: string,
  schema: TSchema & { type?: string; format?: string },
  value: string | string[] | undefined,
  integers: RegExp,
): unknown {
  if (schema.type === 'array')
    return (Array.isArray(value) ? value : [value]).map(each => storableText(each ?? ''))
  if (Array.isArray(value)) {
    throw new Failure('invalid_parameter', {
      message: `"${name}" was sent ${value.length} times; send it once.`,
      details: { parameter: name, takes: 'one value' },
    })
  }
  const text = value ?? ''
  if (text === '') {
    throw new Failure('invalid_parameter', {
      message: `"${name}" is empty; omit it or give it a value.`,
      details: { parameter: name, takes: describeSchema(schema) },
    })
  }
  if (schema.format === 'date-time') return storableText(text.replace(offsetWithBlank, '$1+$2'))
  if (schema.type === 'integer' && integers.test(text)) return Number(text)
  if (schema.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return storableText(text)
}

function invalidInput(error: ErrorObject, properties: Record<string, TSchema>, input: Input): Failure {
  if (error.keyword === 'required') {
    const parameter = String(error.params.missingProperty)
    return new Failure('missing_parameter', {
      message: `"${parameter}" is required.`,
      details: { parameter, takes: describeSchema(properties[parameter] ?? {}) },
    })
  }
  const [, pointer = '', item] = error.instancePath.split('/')
  const parameter = pointer.replaceAll('~1', '/').replaceAll('~0', '~')
  const schema: TSchema = properties[parameter] ?? {}
  const refusing = (item === undefined ? schema : ((schema as { items?: TSchema }).items ?? {})) as {
    failure?: FailureCode
  }
  const code = refusing.failure ?? 'invalid_parameter'
  const takes = describeSchema(schema)
  if (error.keyword === 'enum') {
    const value = item === undefined ? input[parameter] : (input[parameter] as unknown[])[Number(item)]
    const { suffix, did_you_mean } = suggestWord(value, error.params.allowedValues)
    return new Failure(code, {
      message: `"${parameter}" must be ${inMessage(takes)}${suffix}`,
      details: { parameter, takes, did_you_mean },
    })
  }
  return new Failure(code, {
    message: `"${parameter}" must be ${inMessage(takes)}.`,
    details: { parameter, takes },
  })
}
