/**
 * The kinds of the interchange format (contract section 11): what a line may say, in one place. The importer checks
 * lines against these schemas, the dump writes what they take, and the docs print them. A line states its whole
 * record: what it leaves out is unknown (null, or an empty list), unless the field's description says otherwise.
 */
import { Type } from 'typebox'
import { planNames } from '../../core/operation.ts'
import { closed, nullable, oneOf } from '../../core/schema.ts'
import { slugCharactersMax, slugPattern } from '../../core/slug.ts'
import { appStores, relations, roles, subjectKinds } from '../../core/value-sets.ts'
import { accountNameCharactersMax } from '../../features/account/index.ts'
import { logoKinds, logoSources, logoStatuses } from '../../features/logos/index.ts'
import { cadences, listStatuses } from '../../features/prospect-lists/index.ts'
import {
  authorizedDomainsMax,
  code,
  companyKey,
  count,
  descriptionCharactersMax,
  emailCharactersMax,
  keyCharactersMax,
  listItemsMax,
  maybeDate,
  maybeInstant,
  maybeText,
  nameCharactersMax,
  record,
  site,
  text,
  textList,
  urlCharactersMax,
  word,
} from './record-fields.ts'

export const recordSchemas = {
  company: record('company', 'An operator, supplier, studio, aggregator, platform or payment provider.', {
    key: text(keyCharactersMax, 'What other lines name it by; a company_ref names the Company that has it.'),
    company_name: maybeText(nameCharactersMax, 'The name it trades under.'),
    legal_entity: maybeText(nameCharactersMax, 'As a source filed it; otherwise null.'),
    subject_kind: Type.Optional(
      oneOf(subjectKinds, { description: 'Default: legal_entity with a `legal_entity`, unknown without.' }),
    ),
    role: Type.Optional(
      Type.Array(oneOf(roles), {
        maxItems: roles.length,
        uniqueItems: true,
        description: 'Default: unknown, which stands beside no other role.',
      }),
    ),
    country: maybeText(64, 'ISO 3166-1 alpha-2 where it is known.'),
    brands: textList('Brands that it runs.'),
    aliases: textList('Further names that it is found under.'),
    apps: Type.Optional(
      Type.Array(
        Type.Object(
          {
            store: oneOf(appStores),
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
      nullable(oneOf(relations), {
        description: 'Stands with a company, and only with one.',
      }),
    ),
    brand: maybeText(nameCharactersMax, 'The brand that the site shows; stands only with a company.'),
    inferred_geo: maybeText(64, 'The place it appears to address. Left out: what is held stays.'),
  }),

  license: record('license', 'A license as a register publishes it. Its jurisdiction and number name it.', {
    jurisdiction: code('The code of a market (§2.2, or ukraine), e.g. ukgc.'),
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
    regulator: code('The code of the market that keeps the list, e.g. poland.'),
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

  firmographics: record('firmographics', 'What a source says of the organisation behind a site (§2.5).', {
    domain: site,
    fetched_at: maybeInstant('When the source was asked. Left out: now, unless what is held says the same.'),
    name: maybeText(nameCharactersMax, 'What the source calls it.'),
    description: maybeText(descriptionCharactersMax, 'In the words of the source.'),
    industry: maybeText(nameCharactersMax, 'As the source names it.'),
    company_size: Type.Optional(
      nullable(Type.Array(count, { maxItems: 2, description: 'How many work there: from, to.' })),
    ),
    employee_count: Type.Optional(nullable(count)),
    founded_year: Type.Optional(nullable(Type.Integer({ minimum: 1_000, maximum: 2_199 }))),
    headquarters: Type.Optional(
      nullable(
        Type.Object(
          {
            city: maybeText(nameCharactersMax, 'The town.'),
            region: maybeText(nameCharactersMax, 'The state, province or county.'),
            country: maybeText(nameCharactersMax, 'As the source names it.'),
            postal_code: maybeText(64, 'As it is written there.'),
          },
          closed,
        ),
      ),
    ),
    website: maybeText(urlCharactersMax, 'Its own site.'),
    linkedin_url: maybeText(urlCharactersMax, 'Its page there.'),
  }),

  contact: record('contact', 'A person of a company, who is known by the profile, or else by the name.', {
    company: text(keyCharactersMax, 'The key of a company, of these files or loaded before.'),
    name: text(nameCharactersMax, 'The name of the person.'),
    title: maybeText(nameCharactersMax, 'The job title.'),
    headline: maybeText(
      nameCharactersMax,
      'What the person says on the profile; read where there is no title.',
    ),
    email: maybeText(emailCharactersMax, 'Without it and without a profile, a person is not delivered.'),
    linkedin_url: maybeText(urlCharactersMax, 'The professional profile.'),
    country: maybeText(64, 'ISO 3166-1 alpha-2 where it is known.'),
    source: text(nameCharactersMax, 'Where the data of the person come from.'),
    source_url: maybeText(urlCharactersMax, 'The page that they come from.'),
    collected_at: maybeInstant('When they were collected. Left out: what is held stays; for a new one, now.'),
    last_verified_at: maybeInstant('When they were last verified.'),
  }),

  logo: record('logo', 'A subject that may have a logo, and one of its images. Its kind and slug name it.', {
    subject_kind: oneOf(logoKinds),
    slug: Type.String({
      minLength: 1,
      maxLength: slugCharactersMax,
      pattern: slugPattern,
      description:
        'What its images are addressed by. A subject that is known by the name alone, and that no file has stated, takes it.',
    }),
    name: text(nameCharactersMax, 'What it is called.'),
    domain: Type.Optional(
      nullable(site, { description: 'Its own site. Left out: links to its Companies tell.' }),
    ),
    role: Type.Optional(
      Type.Array(oneOf(roles), {
        maxItems: roles.length,
        uniqueItems: true,
        description: 'Left out or empty: its Companies tell.',
      }),
    ),
    file: maybeText(
      urlCharactersMax,
      'The image: a path below the folder of this file, or the name of a stored logo. Left out: the line states the subject alone.',
    ),
    source: Type.Optional(oneOf(logoSources, { description: 'Default: catalog.' })),
    variant: Type.Optional(word('E.g. logo, icon, wordmark. Default: logo.')),
    theme: Type.Optional(word('The ground that it is made for. Default: light.')),
    status: Type.Optional(
      oneOf(logoStatuses, {
        description:
          'Left out: current, unless the image is held as withdrawn or rejected; then it stays so.',
      }),
    ),
    first_seen_at: maybeInstant(
      'Since when it is current. Left out: what is held stays; for a new one, now.',
    ),
    superseded_at: maybeInstant(
      'Until when it was. Left out: what is held stays; for one that just ended, now.',
    ),
  }),

  account: record('account', 'A customer account. A balance only grows: credits never expire.', {
    key: text(keyCharactersMax, 'What other lines name it by.'),
    name: text(accountNameCharactersMax, 'The name of the customer.'),
    plan: oneOf(planNames),
    credits_granted: Type.Optional(
      nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), {
        description: 'Credits granted so far; null for plan internal, and for it alone.',
      }),
    ),
    api_key: Type.Optional(text(64, 'For tests; a dump never writes it.')),
  }),

  prospect_list: record('prospect_list', 'A list that staff prepare for an account. It only ever moves on.', {
    key: maybeText(
      keyCharactersMax,
      'What the list is known by when it is loaded again. Left out: what the line says, and how many before it say the same.',
    ),
    account: text(keyCharactersMax, 'The key or ref of an account, of these files or loaded before.'),
    cadence: oneOf(cadences),
    status: oneOf(listStatuses),
    requested_at: maybeInstant('Left out: what is held stays; for a new list, now.'),
    ready_at: maybeInstant('Left out: what is held stays; for a list that becomes ready, now.'),
    result: Type.Optional(
      nullable(Type.Object({}), {
        description:
          'The closed object of §2.13 (docs/prospect-lists.md); stands with status ready, and only with it.',
      }),
    ),
  }),
} as const

/** In the order in which they are merged and dumped: what is named stands before what names it. */
export const recordKinds = [
  'company',
  'platform',
  'domain',
  'license',
  'blocklist_entry',
  'observation',
  'platform_reading',
  'firmographics',
  'contact',
  'logo',
  'account',
  'prospect_list',
] as const
export type RecordKind = (typeof recordKinds)[number]
