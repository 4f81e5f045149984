import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'

/**
 * JSON Schema keywords. `named` is our own: the name of the type in openapi.json and in generated clients.
 */
type Options = Record<string, unknown>

/** `type: [x, 'null']`: a union would be validated at each serialisation. */
export function nullable<Schema extends TSchema>(
  schema: Schema,
  options: Options = {},
): TUnsafe<Static<Schema> | null> {
  const { type, enum: values, ...rest } = schema as { type?: string; enum?: unknown[] }
  return Type.Unsafe<Static<Schema> | null>({
    ...rest,
    type: [type, 'null'],
    ...(values === undefined ? {} : { enum: [...values, null] }),
    ...options,
  })
}

export function oneOf<const Words extends readonly string[]>(
  words: Words,
  options: Options = {},
): TUnsafe<Words[number]> {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], ...options })
}

export const instant = (options: Options = {}) => Type.String({ format: 'date-time', ...options })

/** Undeclared members are refused in requests and left out of responses. */
export const closed: { additionalProperties: false } = { additionalProperties: false }
