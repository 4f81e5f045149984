import { type TSchema, Type } from 'typebox'
import { closed } from '../../core/schema.ts'
import { evidenceValues, observedSectionNames, observedSections } from '../../features/domains/index.ts'
import { fieldSchema } from './observation-schemas.ts'
import { keyCharactersMax, maybeInstant, maybeText, nameCharactersMax, text } from './record-fields.ts'

const snippetCharactersMax = 300

function findingOf(section: string, value: TSchema): TSchema {
  return Type.Object(
    {
      section: Type.Literal(section),
      value_key: Type.String({
        maxLength: nameCharactersMax,
        description: 'Identifies the value in its section.',
      }),
      value,
      rule: text(keyCharactersMax, 'What read it.'),
      strength: Type.Integer({ minimum: 1, maximum: 3 }),
      seen_at: maybeInstant('When its page was received. Omitted: `checked_at`.'),
      snippet: maybeText(snippetCharactersMax, 'The matched text.'),
    },
    closed,
  )
}

/** Values of features that no answer shows as they are. */
const others = ['platform', 'logo', 'firmographics'] as const

const observedValue = (section: (typeof observedSectionNames)[number]) =>
  Type.Object(
    Object.fromEntries(
      Object.entries(observedSections[section].fields).map(([name, field]) => [name, fieldSchema(field)]),
    ),
    closed,
  )

export const finding = Type.Union([
  ...observedSectionNames.map(section => findingOf(section, observedValue(section))),
  ...Object.entries(evidenceValues).map(([section, value]) => findingOf(section, value)),
  ...others.map(section => findingOf(section, Type.Object({}))),
])
