import { type TSchema, Type } from 'typebox'
import { closedObject } from '../../core/schema.ts'
import { evidenceValues } from '../../features/domains/index.ts'
import { observedSectionNames, observedSections } from '../../features/observed-sections.ts'
import { fieldSchema } from './observation-schemas.ts'
import { keyCharactersMax, maybeInstant, maybeText, nameCharactersMax, textField } from './record-fields.ts'

const snippetCharactersMax = 300

function findingOf(section: string, value: TSchema): TSchema {
  return closedObject({
    section: Type.Literal(section),
    value_key: Type.String({
      maxLength: nameCharactersMax,
      description: 'Identifies the value in its section.',
    }),
    value,
    rule: textField(keyCharactersMax, 'What read it.'),
    strength: Type.Integer({ minimum: 1, maximum: 3 }),
    seen_at: maybeInstant('When its page was received. Omitted: `checked_at`.'),
    snippet: maybeText(snippetCharactersMax, 'The matched text.'),
  })
}

/** Answers do not show the values of these features as they are. */
const others = ['platform', 'logo', 'firmographics'] as const

const observedValue = (section: (typeof observedSectionNames)[number]) =>
  closedObject(
    Object.fromEntries(
      Object.entries(observedSections[section].fields).map(([name, field]) => [name, fieldSchema(field)]),
    ),
  )

export const finding = Type.Union([
  ...observedSectionNames.map(section => findingOf(section, observedValue(section))),
  ...Object.entries(evidenceValues).map(([section, value]) => findingOf(section, value)),
  ...others.map(section => findingOf(section, Type.Object({}))),
])
