// These schemas describe the interchange format (contract section 11). An omitted field is unknown (null or
// an empty list) unless its description says otherwise.

import { slugCharactersMax, slugPattern } from '@baize/names'
import { Type } from 'typebox'
import { planNames } from '../../core/operation.ts'
import { closedObject, nullable, oneOf } from '../../core/schema.ts'
import { accountNameCharactersMax } from '../../features/account/index.ts'
import { logoKinds, logoSources, logoStatuses } from '../../features/logos/index.ts'
import { cadences, listStatuses } from '../../features/prospect-lists/index.ts'
import { appStores, companyRoles, relations, subjectKinds } from '../../features/value-sets.ts'
import { finding } from './finding-schema.ts'
import {
  authorizedDomainsMax,
  code,
  companyKey,
  countField,
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
  textField,
  textList,
  urlCharactersMax,
  wordField,
} from './record-fields.ts'

export const recordSchemas = {
  company: record('company', 'An operator, supplier, studio, aggregator, platform or payment provider.', {
    key: textField(keyCharactersMax, 'Other lines refer to it by this. A company_ref means that Company.'),
    company_name: maybeText(nameCharactersMax, 'Trading name.'),
    legal_entity: maybeText(
      nameCharactersMax,
      'Legal name as filed. Of another `subject_kind` it is only an alias.',
    ),
    subject_kind: Type.Optional(
      oneOf(subjectKinds, {
        description: 'Default: legal_entity if `legal_entity` is given, otherwise unknown.',
      }),
    ),
    role: Type.Optional(
      Type.Array(oneOf(companyRoles), {
        maxItems: companyRoles.length,
        uniqueItems: true,
        description: 'Default: `unknown`, which cannot be combined with other roles.',
      }),
    ),
    country: maybeText(64, 'ISO 3166-1 alpha-2 if known.'),
    brands: textList('Brands that it runs.'),
    aliases: textList('Other names.'),
    apps: Type.Optional(
      Type.Array(
        closedObject({
          store: oneOf(appStores),
          app_id: textField(keyCharactersMax, 'Identifier in the store.'),
          url: textField(urlCharactersMax, 'Page of the app.'),
        }),
        { maxItems: listItemsMax },
      ),
    ),
    identifiers: Type.Optional(
      Type.Array(
        closedObject({
          scheme: oneOf(['lei', 'company_number']),
          value: textField(keyCharactersMax, 'As published.'),
          register: maybeText(64, 'Of a company_number: its country (ISO 3166-1 alpha-2), or a market code.'),
        }),
        {
          maxItems: 2,
          description:
            'At most one of each scheme. Companies of one LEI, or one number of a register, are linked.',
        },
      ),
    ),
    affiliate_program: Type.Optional(Type.Boolean({ description: 'Default: false.' })),
    geo_hints: textList('Places it appears to address.'),
    evidence_routes: textList('Kinds of evidence: register, website, catalog.'),
  }),

  domain: record('domain', 'A site and its Company. A relation alone does not license the site.', {
    domain: site,
    company: companyKey,
    relation: Type.Optional(
      nullable(oneOf(relations), {
        description: 'Required with a company, and only allowed with one.',
      }),
    ),
    brand: maybeText(nameCharactersMax, 'The brand that the site shows. Needs a company.'),
    inferred_geo: maybeText(64, 'The place it appears to address. Omitted: the stored value stays.'),
  }),

  license: record('license', 'A license as published. Its jurisdiction and number identify it.', {
    jurisdiction: code('A market code (§2.2, or an added one such as ukraine), e.g. ukgc.'),
    license_number: textField(keyCharactersMax, 'As published.'),
    license_type: maybeText(nameCharactersMax, 'As published.'),
    status: maybeText(nameCharactersMax, 'As published; null if the register publishes none.'),
    company: companyKey,
    issued_at: maybeDate('Date of issue.'),
    expires_at: maybeDate('End date. Decides only if there is no status.'),
    authorized_domains: Type.Optional(
      Type.Array(site, {
        maxItems: authorizedDomainsMax,
        description: 'The sites it covers. A later line that omits one ends its authorisation.',
      }),
    ),
    source_url: maybeText(urlCharactersMax, 'Public register entry.'),
    first_seen_at: maybeInstant('First seen. Omitted: the stored time stays; for a new record, now.'),
    last_seen_at: maybeInstant('Last seen. Omitted: the stored time stays.'),
  }),

  blocklist_entry: record('blocklist_entry', 'A site on a blocklist. Its regulator and domain identify it.', {
    regulator: code('Code of the market that publishes the list, e.g. poland.'),
    domain: site,
    first_seen_at: maybeInstant('First seen. Omitted: the stored time stays; for a new record, now.'),
    last_seen_at: maybeInstant('Last seen. Omitted: the stored time stays; for a site just delisted, now.'),
    listed: Type.Optional(Type.Boolean({ description: 'false: it is no longer listed. Default: true.' })),
  }),

  platform: record('platform', 'A vendor of gambling platforms.', {
    key: textField(keyCharactersMax, 'Readings refer to it by this.'),
    name: textField(nameCharactersMax, 'Name, published once the platform is reviewed.'),
    aliases: textList('Other spellings.'),
    reviewed: Type.Optional(
      Type.Boolean({
        description: 'Whether staff reviewed it as a platform. Omitted: the stored value stays.',
      }),
    ),
  }),

  platform_reading: record('platform_reading', 'The platform that a page ran on when it was read.', {
    domain: site,
    platform: textField(keyCharactersMax, 'The key of a platform in these files or in the database.'),
    seen_at: maybeInstant(
      'When the page was read. Omitted: now, unless the latest reading has the same platform.',
    ),
  }),

  site_check: record('site_check', 'A finished check of a site. Its domain and time identify it.', {
    domain: site,
    checked_at: Type.String({ format: 'date-time', description: 'When it finished.' }),
    state: Type.Optional(oneOf(['completed', 'failed'], { description: 'Default: completed.' })),
    reason: maybeText(nameCharactersMax, 'Why it failed.'),
    findings: Type.Optional(Type.Array(finding, { maxItems: listItemsMax, description: 'What it read.' })),
  }),

  firmographics: record('firmographics', 'Data of a source on the organisation of a site (§2.5).', {
    domain: site,
    fetched_at: maybeInstant(
      'When the source was queried. Omitted: now, unless the stored data are the same.',
    ),
    name: maybeText(nameCharactersMax, 'Name in the source.'),
    description: maybeText(descriptionCharactersMax, 'Description in the source.'),
    industry: maybeText(nameCharactersMax, 'As in the source.'),
    company_size: Type.Optional(
      nullable(Type.Array(countField, { maxItems: 2, description: 'Number of employees: from, to.' })),
    ),
    employee_count: Type.Optional(nullable(countField)),
    founded_year: Type.Optional(nullable(Type.Integer({ minimum: 1_000, maximum: 2_199 }))),
    headquarters: Type.Optional(
      nullable(
        closedObject({
          city: maybeText(nameCharactersMax, 'City.'),
          region: maybeText(nameCharactersMax, 'State, province or county.'),
          country: maybeText(nameCharactersMax, 'As in the source.'),
          postal_code: maybeText(64, 'As written there.'),
        }),
      ),
    ),
    website: maybeText(urlCharactersMax, 'Own website.'),
    linkedin_url: maybeText(urlCharactersMax, 'LinkedIn page.'),
  }),

  contact: record('contact', 'A person at a company, identified by the profile or else by the name.', {
    company: textField(keyCharactersMax, 'The key of a company in these files or in the database.'),
    name: textField(nameCharactersMax, 'Name of the person.'),
    title: maybeText(nameCharactersMax, 'Job title.'),
    headline: maybeText(nameCharactersMax, 'Headline of the profile; used if there is no title.'),
    email: maybeText(
      emailCharactersMax,
      'A person with neither an e-mail address nor a profile is not delivered.',
    ),
    linkedin_url: maybeText(urlCharactersMax, 'Professional profile.'),
    country: maybeText(64, 'ISO 3166-1 alpha-2 if known.'),
    source: textField(nameCharactersMax, 'Source of the data.'),
    source_url: maybeText(urlCharactersMax, 'Page of the source.'),
    collected_at: maybeInstant('Collected at. Omitted: the stored time stays; for a new contact, now.'),
    last_verified_at: maybeInstant('Last verified at.'),
    fetched_at: maybeInstant('When a source of contacts answered with the person.'),
  }),

  logo: record('logo', 'A logo subject and one of its images. Its kind and slug identify it.', {
    subject_kind: oneOf(logoKinds),
    slug: Type.String({
      minLength: 1,
      maxLength: slugCharactersMax,
      pattern: slugPattern,
      description: 'Part of the URL of its images. Replaces the slug of a subject so far known by name only.',
    }),
    name: textField(nameCharactersMax, 'Display name.'),
    domain: Type.Optional(nullable(site, { description: 'Own site. Omitted: derived from its Companies.' })),
    role: Type.Optional(
      Type.Array(oneOf(companyRoles), {
        maxItems: companyRoles.length,
        uniqueItems: true,
        description: 'Omitted or empty: derived from its Companies.',
      }),
    ),
    file: maybeText(
      urlCharactersMax,
      'A path below the folder of this file, or a stored logo. Omitted: only the subject is described.',
    ),
    source: Type.Optional(oneOf(logoSources, { description: 'Default: catalog.' })),
    variant: Type.Optional(wordField('E.g. logo, icon, wordmark. Default: logo.')),
    theme: Type.Optional(wordField('The background it is made for. Default: light.')),
    status: Type.Optional(
      oneOf(logoStatuses, {
        description: 'Omitted: current, unless the stored image is withdrawn or rejected.',
      }),
    ),
    first_seen_at: maybeInstant('Current since. Omitted: the stored time stays; for a new image, now.'),
    superseded_at: maybeInstant(
      'Current until. Omitted: the stored time stays; for one that just ended, now.',
    ),
  }),

  account: record('account', 'A customer account. Imports only add credits; they never expire.', {
    key: textField(keyCharactersMax, 'Other lines refer to it by this.'),
    name: textField(accountNameCharactersMax, 'Name of the customer.'),
    plan: oneOf(planNames),
    credits_granted: Type.Optional(
      nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), {
        description: 'All credits granted so far; null for plan internal only.',
      }),
    ),
    api_key: Type.Optional(textField(64, 'For tests. Dumps never include it.')),
  }),

  prospect_list: record(
    'prospect_list',
    'A list that staff prepare for an account. Its status never moves back.',
    {
      key: maybeText(
        keyCharactersMax,
        'Identifies the list in later imports. Omitted: made from the content of the line.',
      ),
      account: textField(keyCharactersMax, 'The key or ref of an account in these files or in the database.'),
      cadence: oneOf(cadences),
      status: oneOf(listStatuses),
      requested_at: maybeInstant('Omitted: the stored time stays; for a new list, now.'),
      ready_at: maybeInstant('Omitted: the stored time stays; for a list that becomes ready, now.'),
      result: Type.Optional(
        nullable(Type.Object({}), {
          description:
            'The object of §2.13 (docs/prospect-lists.md). Required with status ready, else not allowed.',
        }),
      ),
    },
  ),
} as const

/** Lists the kinds in the order of upserts and dumps: a kind precedes those that refer to it. */
export const recordKinds = [
  'company',
  'platform',
  'domain',
  'license',
  'blocklist_entry',
  'observation',
  'platform_reading',
  'site_check',
  'firmographics',
  'contact',
  'logo',
  'account',
  'prospect_list',
] as const
export type RecordKind = (typeof recordKinds)[number]
