import { type TProperties, type TSchema, Type } from 'typebox'
import { nullable, oneOf } from '../../core/schema.ts'
import {
  type ObservedField,
  type ObservedSection,
  observedSectionNames,
  observedSections,
} from '../../features/observed-sections.ts'
import {
  keyCharactersMax,
  maybeInstant,
  record,
  site,
  textField,
  textList,
  urlCharactersMax,
} from './record-fields.ts'

export function fieldSchema(field: ObservedField): TSchema {
  switch (field.kind) {
    case 'name':
      return textField(keyCharactersMax, field.description)
    case 'url':
      return textField(urlCharactersMax, field.description)
    case 'domain':
      return site
    case 'list':
      return textList(field.description)
    case 'choice':
      return Type.Optional(nullable(oneOf(field.choices), { description: field.description }))
  }
}

function observationSchema(section: ObservedSection) {
  const fields = Object.entries<ObservedField>(observedSections[section].fields)
  return record('observation', `An observation of a site: ${section} of §2.9.`, {
    domain: site,
    section: Type.Literal(section),
    ...(Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field)])) as TProperties),
    first_seen_at: maybeInstant('Omitted: the stored time stays; for a new observation, last_seen_at.'),
    last_seen_at: maybeInstant('Omitted: the stored time stays; for a new observation, now.'),
    last_confirmed_at: maybeInstant('Omitted: the stored time stays.'),
  })
}

/** The common fields of all sections. Each section's schema declares further ones. */
export type ObservationLine = {
  kind: 'observation'
  domain: string
  section: ObservedSection
  first_seen_at?: string | null
  last_seen_at?: string | null
  last_confirmed_at?: string | null
  [field: string]: unknown
}

export const observationSchemas: ReadonlyMap<string, TSchema & { properties: TProperties }> = new Map(
  observedSectionNames.map(section => [section, observationSchema(section)]),
)
