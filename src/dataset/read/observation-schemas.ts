import { type TProperties, Type } from 'typebox'
import { nullable, oneOf } from '../../core/schema.ts'
import { paymentCategories } from '../../core/value-sets.ts'
import {
  keyCharactersMax,
  maybeInstant,
  record,
  site,
  text,
  textList,
  urlCharactersMax,
} from './record-fields.ts'

function observation<Section extends string, Fields extends TProperties>(section: Section, fields: Fields) {
  return record('observation', `What was seen of a site: ${section} of §2.9.`, {
    domain: site,
    section: Type.Literal(section),
    ...fields,
    first_seen_at: maybeInstant('Left out: what is held stays; for a new one, last_seen_at.'),
    last_seen_at: maybeInstant('Left out: what is held stays; for a new one, now.'),
    last_confirmed_at: maybeInstant('Left out: what is held stays.'),
  })
}

/** Observations, a schema a section: the fields of §2.9. */
export const observationSchemas = {
  payment_methods: observation('payment_methods', {
    normalized_name: text(keyCharactersMax, 'E.g. visa.'),
    category: Type.Optional(nullable(oneOf(paymentCategories), { description: 'null: not known.' })),
  }),
  supplier_brands: observation('supplier_brands', {
    normalized_provider_name: text(keyCharactersMax, 'The studio or supplier.'),
  }),
  affiliate_programs: observation('affiliate_programs', {
    program_url: text(urlCharactersMax, 'Where the program presents itself.'),
  }),
  geo: observation('geo', {
    languages: textList('Languages that the site offers.'),
    currencies: textList('Currencies that it takes.'),
    geo_hints: textList('Places that it appears to address.'),
  }),
  related_domains: observation('related_domains', {
    related_domain_normalized: site,
    relationship: text(keyCharactersMax, 'What relates the two, e.g. shared_brand.'),
  }),
} as const

export type ObservationSection = keyof typeof observationSchemas
export const observationSections = Object.keys(observationSchemas) as ObservationSection[]
