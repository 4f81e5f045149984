type SchemaFacts = {
  /** In words, where the rest of the schema does not say it in words. */
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
  maxItems?: number
  uniqueItems?: boolean
}

/** What a parameter takes, in words for the person whose value was refused. */
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
  return words.length === 1 ? `"${words[0]}" and nothing else` : `one of ${words.join(', ')}`
}

function describeList({ maxItems, uniqueItems, items = {} }: SchemaFacts): string {
  const isSet = uniqueItems === true && maxItems !== 1
  return `${describeCount(maxItems)} ${describeSchema(items)}${isSet ? ', once each' : ''}`
}

function describeCount(valuesMax: number | undefined): string {
  if (valuesMax === 1) return 'one value at most,'
  return valuesMax === undefined ? 'any number of values, each' : `up to ${valuesMax} values, each`
}

function describeInteger({ minimum, maximum }: SchemaFacts): string {
  if (minimum !== undefined && maximum !== undefined) return `an integer from ${minimum} to ${maximum}`
  return minimum === undefined ? 'an integer' : `an integer, ${minimum} or more`
}

/** The one pattern that needs no words of its own: something that is not a blank. */
const notBlank = '\\S'

function describeText({ format, pattern, minLength, maxLength }: SchemaFacts): string {
  if (format === 'date-time') return 'an ISO 8601 time with an offset, e.g. 2026-03-01T00:00:00Z'
  if (format === 'date') return 'a date, YYYY-MM-DD'
  if (format === 'email') return 'an e-mail address'
  const blanks = pattern === notBlank ? ', not blanks alone' : ''
  if (maxLength !== undefined) return `text of ${minLength ?? 0} to ${maxLength} characters${blanks}`
  return `text that is not empty${blanks}`
}
