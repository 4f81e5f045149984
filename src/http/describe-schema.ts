type SchemaFacts = {
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
}

/** What a parameter takes, in words for the person whose value was refused. */
export function describeSchema(schema: SchemaFacts): string {
  if (schema.enum !== undefined) return `one of ${schema.enum.filter(word => word !== null).join(', ')}`
  switch (schema.type) {
    case 'array':
      return `up to ${schema.maxItems ?? 'any number'} values, each ${describeSchema(schema.items ?? {})}`
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

function describeInteger({ minimum, maximum }: SchemaFacts): string {
  if (minimum !== undefined && maximum !== undefined) return `an integer from ${minimum} to ${maximum}`
  return minimum === undefined ? 'an integer' : `an integer, ${minimum} or more`
}

function describeText({ format, pattern, minLength, maxLength }: SchemaFacts): string {
  if (format === 'date-time') return 'an ISO 8601 time with an offset, e.g. 2026-03-01T00:00:00Z'
  if (format === 'date') return 'a date, YYYY-MM-DD'
  if (format === 'email') return 'an e-mail address'
  if (pattern !== undefined) return `text of the form ${pattern}`
  if (maxLength !== undefined) return `text of ${minLength ?? 0} to ${maxLength} characters`
  return 'text that is not empty'
}
