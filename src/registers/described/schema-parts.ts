/** Schemas that the parts of a description are made of. `accepts` is shown in errors. */
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { closed, oneOf } from '../../core/schema.ts'

const textCharactersMax = 1_000
const itemsMax = 100

export const text = (accepts: string, options: object = {}) =>
  Type.String({
    minLength: 1,
    maxLength: textCharactersMax,
    pattern: '^\\S(?:[^]*\\S)?$',
    accepts,
    ...options,
  })
export const choice = <const Words extends readonly string[]>(words: Words) =>
  oneOf(words, { accepts: `one of ${words.join(', ')}` })
export const flag = () => Type.Boolean({ accepts: 'true or false' })
export const integer = (minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, accepts: `a whole number from ${minimum} to ${maximum}` })
export const object = <const Properties extends TProperties>(properties: Properties, options: object = {}) =>
  Type.Object(properties, {
    ...closed,
    accepts: `an object with the keys ${Object.keys(properties).join(', ')}`,
    ...options,
  })
export const list = <Item extends TSchema>(item: Item, accepts: string) =>
  Type.Array(item, { minItems: 1, maxItems: itemsMax, uniqueItems: true, accepts })

/** Names separated by `/`. */
export const path = (accepts: string) =>
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
