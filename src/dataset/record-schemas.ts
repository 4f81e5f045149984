/**
 * The kinds of the interchange format (contract section 11): what a line may say, in one place. The importer checks
 * lines against these schemas, the dump writes what they take, and the docs print them. A line states its whole
 * record: what it leaves out is unknown (null, or an empty list), unless the field's description says otherwise.
 */
import { type TProperties, type TSchema, Type } from 'typebox'
import { closed, nullable, oneOf } from '../core/schema.ts'

const codePattern = '^[a-z0-9_]{2,64}$'
/** No blank at either end: ` acme` beside `acme` would be two companies. */
export const trimmedPattern = '^\\S(?:[\\s\\S]*\\S)?$'
const keyCharactersMax = 200
const nameCharactersMax = 500
const urlCharactersMax = 2_048
const listItemsMax = 1_000
const authorizedDomainsMax = 50_000

export const roles = [
  'operator',
  'aggregator',
  'platform_provider',
  'payment_provider',
  'game_studio',
  'affiliate_software',
  'affiliate_media',
  'other_supplier',
  'unknown',
] as const

export const subjectKinds = ['legal_entity', 'trade_name', 'platform', 'domain', 'unknown'] as const

export const paymentCategories = [
  'card',
  'crypto',
  'ewallet',
  'bank_transfer',
  'open_banking',
  'local_apm',
] as const

const text = (characters: number, description: string) =>
  Type.String({ minLength: 1, maxLength: characters, pattern: trimmedPattern, description })
const maybeText = (characters: number, description: string) =>
  Type.Optional(nullable(text(characters, description)))
const textList = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: nameCharactersMax }), {
      maxItems: listItemsMax,
      uniqueItems: true,
      description,
    }),
  )
const maybeDate = (description: string) =>
  Type.Optional(nullable(Type.String({ format: 'date', description })))
const maybeInstant = (description: string) =>
  Type.Optional(nullable(Type.String({ format: 'date-time', description })))
const code = (description: string) => Type.String({ pattern: codePattern, description })
const site = Type.String({
  minLength: 1,
  maxLength: urlCharactersMax,
  description: 'A host or URL of the site.',
})
const companyKey = maybeText(keyCharactersMax, 'The key of a company, of these files or loaded before.')

function record<Kind extends string, Fields extends TProperties>(
  kind: Kind,
  description: string,
  fields: Fields,
) {
  return Type.Object({ kind: Type.Literal(kind), ...fields }, { ...closed, description })
}

export const recordSchemas = {
  company: record('company', 'An operator, supplier, studio, aggregator, platform or payment provider.', {
    key: text(keyCharactersMax, 'What other lines name it by; a company_ref names the Company that has it.'),
    company_name: maybeText(nameCharactersMax, 'The name it trades under.'),
    legal_entity: maybeText(nameCharactersMax, 'As a source filed it; otherwise null.'),
    subject_kind: Type.Optional(oneOf(subjectKinds, { description: 'Default: unknown.' })),
    role: Type.Optional(Type.Array(oneOf(roles), { maxItems: roles.length, uniqueItems: true })),
    country: maybeText(64, 'ISO 3166-1 alpha-2 where it is known.'),
    brands: textList('Brands that it runs.'),
    aliases: textList('Further names that it is found under.'),
    apps: Type.Optional(
      Type.Array(
        Type.Object(
          {
            store: oneOf(['google_play', 'app_store']),
            app_id: text(keyCharactersMax, 'The identifier that the store gives.'),
            url: text(urlCharactersMax, 'The page of the app.'),
          },
          closed,
        ),
        { maxItems: listItemsMax },
      ),
    ),
    affiliate_program: Type.Optional(Type.Boolean({ description: 'Default: false.' })),
    geo_hints: textList('Places that it appears to address.'),
    evidence_routes: textList('Kinds of evidence behind it: register, website, catalog.'),
  }),

  domain: record('domain', 'A site, and the Company behind it. A relation alone licenses nothing.', {
    domain: site,
    company: companyKey,
    relation: Type.Optional(
      nullable(oneOf(['licensee', 'brand_owner']), {
        description: 'Stands with a company, and only with one.',
      }),
    ),
    brand: maybeText(nameCharactersMax, 'The brand that the site shows; stands only with a company.'),
    inferred_geo: maybeText(64, 'The place it appears to address. Left out: what is held stays.'),
  }),

  license: record('license', 'A license as a register publishes it. Its jurisdiction and number name it.', {
    jurisdiction: code('A market code, e.g. ukgc.'),
    license_number: text(keyCharactersMax, 'As published.'),
    license_type: maybeText(nameCharactersMax, 'As published.'),
    status: maybeText(nameCharactersMax, 'As published; null where the register publishes none.'),
    company: companyKey,
    issued_at: maybeDate('When it was issued.'),
    expires_at: maybeDate('When it ends. The status decides; only where there is none does the end.'),
    authorized_domains: Type.Optional(
      Type.Array(site, {
        maxItems: authorizedDomainsMax,
        description: 'The sites that it covers. One that a later version of the line leaves out is closed.',
      }),
    ),
    source_url: maybeText(urlCharactersMax, 'The public register entry.'),
    first_seen_at: maybeInstant('When it was first seen. Left out: what is held stays; for a new one, now.'),
    last_seen_at: maybeInstant('When it was last seen. Left out: what is held stays.'),
  }),

  blocklist_entry: record('blocklist_entry', 'A site on a blocklist. Its regulator and domain name it.', {
    regulator: code('Who keeps the list, e.g. poland.'),
    domain: site,
    first_seen_at: maybeInstant('When it was first seen. Left out: what is held stays; for a new one, now.'),
    last_seen_at: maybeInstant(
      'When it was last seen. Left out: what is held stays; for one just dropped, now.',
    ),
    listed: Type.Optional(
      Type.Boolean({ description: 'false: it was listed, and no longer is. Default: true.' }),
    ),
  }),

  platform: record('platform', 'A vendor of gambling platforms.', {
    key: text(keyCharactersMax, 'What readings name it by.'),
    name: text(nameCharactersMax, 'Its name as it is published once it is reviewed.'),
    aliases: textList('Further spellings.'),
    reviewed: Type.Optional(
      Type.Boolean({
        description: 'Whether a person reviewed it as a platform. Left out: what is held stays.',
      }),
    ),
  }),

  platform_reading: record('platform_reading', 'Which platform a page showed when it was seen.', {
    domain: site,
    platform: text(keyCharactersMax, 'The key of a platform, of these files or loaded before.'),
    seen_at: maybeInstant('When the page was seen. Left out: now, unless the latest reading says the same.'),
  }),

  account: record('account', 'A customer account. A balance only grows: credits never expire.', {
    key: text(keyCharactersMax, 'What other lines name it by.'),
    name: text(nameCharactersMax, 'The name of the customer.'),
    plan: oneOf(['free', 'starter', 'growth', 'internal']),
    credits_granted: Type.Optional(
      nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), {
        description: 'Credits granted so far; null for plan internal, and for it alone.',
      }),
    ),
    api_key: Type.Optional(text(64, 'For tests; a dump never writes it.')),
  }),
} as const

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

/** In the order in which they are merged and dumped: what is named stands before what names it. */
export const recordKinds = [
  'company',
  'platform',
  'domain',
  'license',
  'blocklist_entry',
  'observation',
  'platform_reading',
  'account',
] as const
export type RecordKind = (typeof recordKinds)[number]

/** Kinds of the format that this version does not load yet. */
export const laterKinds: readonly string[] = ['logo', 'firmographics', 'contact', 'prospect_list']

/** Every schema of the format, as the docs print them. */
export const allRecordSchemas: readonly TSchema[] = [
  ...Object.values(recordSchemas),
  ...Object.values(observationSchemas),
]
