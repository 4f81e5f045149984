import { counted } from '@baize/names'

type SchemaFacts = {
  /** Describes the accepted values in words. It replaces the description made from the schema. */
  takes?: string
  type?: string | string[]
  enum?: unknown[]
  items?: SchemaFacts
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
}

/** Returns the accepted values as a noun phrase: `"x" must be …`. */
export function describeSchema(schema: SchemaFacts): string {
  if (schema.takes !== undefined) return schema.takes
  if (schema.enum !== undefined) return describeWords(schema.enum.filter(word => word !== null))
  switch (schema.type) {
    case 'array':
      return describeList(schema)
    case 'boolean':
      return 'true or false'
    case 'object':
      return 'a JSON object'
    case 'integer':
      return describeInteger(schema)
    default:
      return describeText(schema)
  }
}

function describeWords(words: unknown[]): string {
  return words.length === 1 ? `"${words[0]}"` : `one of ${words.join(', ')}`
}

function describeList(schema: SchemaFacts): string {
  const { maxItems, uniqueItems, items = {} } = schema
  const isSet = uniqueItems === true && maxItems !== 1
  return `${describeCount(schema)} ${describeSchema(items)}${isSet ? ', without duplicates' : ''}`
}

function describeCount({ minItems, maxItems }: SchemaFacts): string {
  if (maxItems === 1) return 'a list of at most one value,'
  if (maxItems === undefined) return 'a list of values, each'
  return `a list of ${minItems ? `${minItems} to` : 'up to'} ${maxItems} values, each`
}

function describeInteger({ minimum, maximum }: SchemaFacts): string {
  if (minimum !== undefined && maximum !== undefined) return `an integer from ${minimum} to ${maximum}`
  return minimum === undefined ? 'an integer' : `an integer, ${minimum} or more`
}

/** Schemas with another pattern than this one declare `takes`. */
const notBlank = '\\S'

function describeText({ format, pattern, minLength, maxLength }: SchemaFacts): string {
  if (format === 'date-time') return 'an ISO 8601 time with an offset, e.g. 2026-03-01T00:00:00Z'
  if (format === 'date') return 'a date, YYYY-MM-DD'
  if (format === 'email') return 'an e-mail address'
  const blanks = pattern === notBlank ? ', not only blanks' : ''
  if (maxLength !== undefined)
    return `text of ${minLength ? `${minLength} to` : 'up to'} ${counted(maxLength, 'character')}${blanks}`
  return `non-empty text${blanks}`
}
