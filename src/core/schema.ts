import { type Static, type TObject, type TProperties, type TSchema, type TUnsafe, Type } from 'typebox'

/** JSON Schema keywords. Our keyword `named` names the type in openapi.json and in generated clients. */
type Options = Record<string, unknown>

/** Writes `type: [x, 'null']`, because a union would be validated at each serialisation. */
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

/** Requests with undeclared members are refused; responses leave them out. */
export function closedObject<Properties extends TProperties>(
  properties: Properties,
  options: Options = {},
): TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

export function namedObject<Properties extends TProperties>(
  named: string,
  properties: Properties,
): TObject<Properties> {
  return closedObject(properties, { named })
}
