import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'

/** Keywords of a schema; `named` is ours: the name that openapi.json, and clients that are made of it, give the type. */
type Options = Record<string, unknown>

/** The same schema, or null: `type: [x, 'null']`, for a union would be validated value by value while serialising. */
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

/** One of these words. */
export function oneOf<const Words extends readonly string[]>(
  words: Words,
  options: Options = {},
): TUnsafe<Words[number]> {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], ...options })
}

/** An instant, ISO 8601 in UTC. */
export const instant = (options: Options = {}) => Type.String({ format: 'date-time', ...options })

/** A closed object: what is not declared is refused on the way in and cannot leak on the way out. */
export const closed: { additionalProperties: false } = { additionalProperties: false }
