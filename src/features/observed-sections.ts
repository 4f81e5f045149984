// Declares each observed section (§2.9) once: its fields, its key, what filters compare, and what
// enrichments count. Schemas, and the sections that a request may refresh, derive from it.
import { type TSchema, Type } from 'typebox'
import { instant, namedObject, nullable } from '../core/schema.ts'
import { paymentCategories } from './value-sets.ts'

export const observedDates = {
  first_seen_at: nullable(instant()),
  last_seen_at: nullable(instant()),
  last_confirmed_at: nullable(instant()),
}

/** `kind` defines what an import line may contain; `answer` is the schema in answers. */
export type ObservedField = { answer: TSchema; description: string } & (
  | { kind: 'name' | 'url' | 'domain' | 'list' }
  | { kind: 'choice'; choices: readonly string[] }
)

const name = (description: string) => ({ kind: 'name' as const, answer: Type.String(), description })
const url = (description: string) => ({ kind: 'url' as const, answer: Type.String(), description })
const domain = (description: string) => ({ kind: 'domain' as const, answer: Type.String(), description })
const list = (description: string) => ({
  kind: 'list' as const,
  answer: Type.Array(Type.String()),
  description,
})
const choice = (choices: readonly string[], description: string) => ({
  kind: 'choice' as const,
  answer: nullable(Type.String()),
  choices,
  description,
})

type Fields = Record<string, ObservedField>
type AnswerFields<Of extends Fields> = { [Name in keyof Of]: Of[Name]['answer'] }

function valueSchema<Of extends Fields>(named: string, fields: Of) {
  const answers = Object.entries(fields).map(([field, { answer }]) => [field, answer])
  return namedObject(named, { ...(Object.fromEntries(answers) as AnswerFields<Of>), ...observedDates })
}

export type ObservedSectionFacts = { fields: Fields; key: string | null; filteredBy: string | null }

type Declared<Of extends Fields> = {
  named: string
  fields: Of
  /** The member of `found` that counts this section's values in an enrichment. */
  counted: string
  /** The field that filters compare; null if filters only check whether a value exists. */
  filteredBy: (keyof Of & string) | null
}

function manyValues<Of extends Fields>(declared: Declared<Of> & { key: keyof Of & string }) {
  return { ...declared, answer: Type.Array(valueSchema(declared.named, declared.fields)) }
}

function oneValue<Of extends Fields>(declared: Declared<Of>) {
  return { ...declared, key: null, answer: nullable(valueSchema(declared.named, declared.fields)) }
}

export const observedSections = {
  payment_methods: manyValues({
    named: 'ObservedPaymentMethod',
    fields: { normalized_name: name('E.g. visa.'), category: choice(paymentCategories, 'null: not known.') },
    key: 'normalized_name',
    counted: 'Payment methods.',
    filteredBy: 'category',
  }),
  supplier_brands: manyValues({
    named: 'ObservedSupplierBrand',
    fields: { normalized_provider_name: name('The studio or supplier.') },
    key: 'normalized_provider_name',
    counted: 'Suppliers.',
    filteredBy: 'normalized_provider_name',
  }),
  affiliate_programs: manyValues({
    named: 'ObservedAffiliateProgram',
    fields: { program_url: url('The page of the program.') },
    key: 'program_url',
    counted: 'Affiliate programs.',
    filteredBy: null,
  }),
  geo: oneValue({
    named: 'ObservedGeo',
    fields: {
      languages: list('Languages that the site offers.'),
      currencies: list('Currencies that it accepts.'),
      geo_hints: list('Places that it appears to address.'),
    },
    counted: 'Languages, currencies and places.',
    filteredBy: 'geo_hints',
  }),
  related_domains: manyValues({
    named: 'ObservedRelatedDomain',
    fields: {
      related_domain_normalized: domain('A host or URL of the related site.'),
      relationship: name('How the two are related, e.g. shared_brand.'),
    },
    key: 'related_domain_normalized',
    counted: 'Related domains.',
    filteredBy: null,
  }),
}

export type ObservedSection = keyof typeof observedSections
export const observedSectionNames = Object.keys(observedSections) as ObservedSection[]

type Answers = { [Section in ObservedSection]: (typeof observedSections)[Section]['answer'] }
export const observedAnswers = Object.fromEntries(
  observedSectionNames.map(section => [section, observedSections[section].answer]),
) as Answers
