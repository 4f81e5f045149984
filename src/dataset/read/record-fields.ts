import { slugPattern } from '@baize/names'
import { type TProperties, Type } from 'typebox'
import { closedObject, nullable } from '../../core/schema.ts'
import { wordCharactersMax, wordPattern } from '../../features/logos/index.ts'

const codePattern = '^[a-z0-9_]{2,64}$'
/** Refuses blanks at either end, because ` acme` and `acme` would be two companies. */
const trimmedPattern = '^\\S(?:[\\s\\S]*\\S)?$'
export const patternWords: Readonly<Record<string, string>> = {
  [codePattern]: 'must be 2 to 64 lowercase letters, digits or underscores',
  [trimmedPattern]: 'must not begin or end with a space',
  [slugPattern]: 'must be lowercase letters and digits, with single hyphens inside',
  [wordPattern]: 'must be lowercase letters and digits, with single hyphens and underscores inside',
}
export const keyCharactersMax = 200
export const nameCharactersMax = 500
export const urlCharactersMax = 2_048
export const descriptionCharactersMax = 5_000
export const emailCharactersMax = 254
export const listItemsMax = 1_000
export const authorizedDomainsMax = 50_000

export const textField = (characters: number, description: string) =>
  Type.String({ minLength: 1, maxLength: characters, pattern: trimmedPattern, description })
export const maybeText = (characters: number, description: string) =>
  Type.Optional(nullable(textField(characters, description)))
export const textList = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: nameCharactersMax }), {
      maxItems: listItemsMax,
      uniqueItems: true,
      description,
    }),
  )
export const maybeDate = (description: string) =>
  Type.Optional(nullable(Type.String({ format: 'date', description })))
export const maybeInstant = (description: string) =>
  Type.Optional(nullable(Type.String({ format: 'date-time', description })))
export const countField = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })
export const code = (description: string) => Type.String({ pattern: codePattern, description })
export const wordField = (description: string) =>
  Type.String({ minLength: 1, maxLength: wordCharactersMax, pattern: wordPattern, description })
export const site = Type.String({
  minLength: 1,
  maxLength: urlCharactersMax,
  description: 'A host or URL of the site.',
})
export const companyKey = maybeText(
  keyCharactersMax,
  'The key of a company in these files or in the database.',
)

export function record<Kind extends string, Fields extends TProperties>(
  kind: Kind,
  description: string,
  fields: Fields,
) {
  return closedObject({ kind: Type.Literal(kind), ...fields }, { description })
}
