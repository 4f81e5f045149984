/** Schemas for parts of a description. Error messages show `accepts`. */
import { type Static, type TProperties, type TSchema, Type } from 'typebox'

const textCharactersMax = 1_000
const itemsMax = 100

export const textSchema = (accepts: string, options: object = {}) =>
  Type.String({
    minLength: 1,
    maxLength: textCharactersMax,
    pattern: '^\\S(?:[^]*\\S)?$',
    accepts,
    ...options,
  })
export const wordSchema = <const Words extends readonly string[]>(words: Words, options: object = {}) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], ...options })
export const choice = <const Words extends readonly string[]>(words: Words) =>
  wordSchema(words, { accepts: `one of ${words.join(', ')}` })
export const flag = () => Type.Boolean({ accepts: 'true or false' })
export const integerSchema = (minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, accepts: `a whole number from ${minimum} to ${maximum}` })
export const object = <const Properties extends TProperties>(properties: Properties, options: object = {}) =>
  Type.Object(properties, {
    additionalProperties: false,
    accepts: `an object with the keys ${Object.keys(properties).join(', ')}`,
    ...options,
  })
export const list = <Item extends TSchema>(item: Item, accepts: string) =>
  Type.Array(item, { minItems: 1, maxItems: itemsMax, uniqueItems: true, accepts })

/** Accepts names separated by `/`. */
export const pathSchema = (accepts: string) =>
  Type.String({ maxLength: textCharactersMax, pattern: '^[^/]+(?:/[^/]+)*$', accepts })

export function named<Value extends TSchema>(
  value: Value,
  propertiesMax: number,
  accepts: string,
  options: object = {},
) {
  return Type.Unsafe<Record<string, Static<Value>>>({
    type: 'object',
    additionalProperties: value,
    minProperties: 1,
    maxProperties: propertiesMax,
    accepts,
    ...options,
  })
}
