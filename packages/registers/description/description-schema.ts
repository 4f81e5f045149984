/**
 * The schema of a register description: facts, how the file is read, and the records of a row. Errors show
 * `accepts`. docs/describing-a-register.md explains each key; a test compares the two.
 */

import {
  choice,
  columnNames,
  condition,
  dateField,
  type Format,
  flag,
  formlessKeys,
  integerSchema,
  list,
  listField,
  object,
  type TableDescription,
  tableKeys,
  textField,
  textSchema,
  wordField,
} from '@baize/tables'
import { type Static, Type } from 'typebox'
import { licenseStatuses } from '../entries/license-status.ts'
import type { Publishes } from '../stream.ts'
import { resolveSchema, urlCharactersMax } from './resolve-schema.ts'
import type { SecondFile } from './second-file.ts'

/** The list is closed, so that a typing error cannot license a domain. */
export const statuses = licenseStatuses
export const listings = ['listed', 'delisted'] as const
export const roles = ['operator', 'supplier'] as const

/** The longest cadence is a year (366 days). */
const hoursMax = 8_784
const rowsBoundMax = 10_000_000

const records = object({
  licensee: Type.Optional(
    object({
      key: columnNames(),
      legal_name: textField(),
      trading_names: Type.Optional(listField()),
      country: Type.Optional(
        wordField(
          Type.String({ pattern: '^[A-Z]{2}$', accepts: 'an ISO 3166-1 code of two letters, such as MT' }),
        ),
      ),
      registration_number: Type.Optional(textField()),
    }),
  ),
  license: Type.Optional(
    object({
      key: columnNames(),
      license_number: Type.Optional(listField()),
      license_type: Type.Optional(textField()),
      status: Type.Optional(wordField(choice(statuses))),
      issued_at: Type.Optional(dateField()),
      expires_at: Type.Optional(dateField()),
      source_url: Type.Optional(textField()),
      role: Type.Optional(wordField(choice(roles))),
      when: Type.Optional(condition()),
    }),
  ),
  authorised_domains: Type.Optional(
    object({
      domain: listField(),
      status: Type.Optional(wordField(choice(statuses))),
      when: Type.Optional(condition()),
      key_also: Type.Optional(columnNames()),
      key_without_holder: Type.Optional(flag()),
    }),
  ),
  blocklist_entries: Type.Optional(
    object({
      domain: listField(),
      status: Type.Optional(wordField(choice(listings))),
      listed_at: Type.Optional(dateField()),
      delisted_at: Type.Optional(dateField()),
      when: Type.Optional(condition()),
      key_also: Type.Optional(columnNames()),
      key_with_listed_at: Type.Optional(flag()),
    }),
  ),
})

const bodyCharactersMax = 4_096
const request = object({
  method: choice(['POST']),
  type: choice(['application/json', 'application/x-www-form-urlencoded']),
  body: Type.String({ minLength: 1, maxLength: bodyCharactersMax, accepts: 'the text of the body' }),
})
const extraCaCharactersMax = 20_000
const sourceOf = (fact: string) => Type.Optional(textSchema(`where ${fact} comes from, in words`))

const facts = {
  key: Type.String({
    pattern: '^[a-z][a-z_]*\\.[a-z]+$',
    maxLength: 100,
    accepts: '<market>.<what> in lower case, such as jersey.operators',
  }),
  market: textSchema('the code of a market, such as jersey'),
  covers: list(choice(['register', 'blocklist']), 'a list of register, blocklist'),
  regulator: textSchema('the name of the regulator'),
  regulator_country_code: Type.String({
    pattern: '^[A-Z]{2}$',
    accepts: 'an ISO 3166-1 code of two letters, such as MT',
  }),
  official_url: textSchema('the address of the register, beginning with https://', {
    maxLength: urlCharactersMax,
  }),
  file_urls: Type.Optional(
    list(
      textSchema('the address of a file, beginning with https://', { maxLength: urlCharactersMax }),
      'a list of addresses',
    ),
  ),
  resolve: Type.Optional(resolveSchema),
  request: Type.Optional(request),
  extra_ca: Type.Optional(
    Type.String({
      maxLength: extraCaCharactersMax,
      accepts: 'certificates of authorities in PEM, each with its BEGIN CERTIFICATE',
    }),
  ),
  language: Type.Optional(
    Type.String({
      pattern: '^[a-z]{2,3}(?:-[A-Z][A-Za-z]+)?$',
      accepts: 'a language tag, such as sv or pt-BR',
    }),
  ),
  layout: Type.Optional(
    object({
      recorded_at: Type.Optional(
        Type.String({
          pattern: '^\\d{4}-\\d{2}-\\d{2}$',
          accepts: 'the day of a file of the regulator, such as 2026-10-01',
        }),
      ),
      columns: Type.Optional(
        list(textSchema('a header as printed; put a number in quotes'), 'a list of all headers'),
      ),
    }),
  ),
  terms: Type.Optional(textSchema('the license of the data as the regulator states it')),
  people_public_by: Type.Optional(
    textSchema('the law that makes the names of natural persons public, in words'),
  ),
  sources: Type.Optional(
    object({
      address: sourceOf('the address'),
      layout: sourceOf('the layout'),
      compared: Type.Optional(textSchema('the official file that its reading was compared with, in words')),
      cadence: sourceOf('the cadence'),
      rows: sourceOf('the number of rows'),
      terms: sourceOf('the license of the data'),
    }),
  ),
  cadence: object({
    words: textSchema('how often it is published, in words'),
    hours: integerSchema(1, hoursMax),
  }),
  publishes: object({ revoked: flag(), dates: flag(), domains: flag(), roles: flag() }),
  format: Type.Optional(textSchema('the form of the file, in words')),
  identity: textSchema('what makes two rows the same record, in words'),
  rows_min: integerSchema(0, rowsBoundMax),
  rows_max: Type.Optional(integerSchema(1, rowsBoundMax)),
  ends_with_line_break: Type.Optional(flag()),
  source_claim: choice(['license', 'authorised_domain', 'blocklist', 'license_and_blocklist']),
  qualification: textSchema('what a listing means and does not mean, in words'),
  source_identity: textSchema('the name of the source'),
} as const

/** Is checked by a schema of its own, because its format is its own, too. */
const secondFile = Type.Optional(
  Type.Unsafe<SecondFile>({
    type: 'object',
    accepts: 'an object with the keys official_url, file, columns, licensee, domain',
  }),
)

/** With `mirror: hosts`, a list of hosts that a mirror publishes is read too. */
const mirror = Type.Optional(choice(['hosts']))

const parts = { second_file: secondFile, mirror, records } as const

/**
 * Returns the schema for a format. Without one it accepts descriptions whose format is missing or unknown.
 */
export const descriptionSchema = (format: Format | undefined) =>
  object({ ...facts, ...(format === undefined ? formlessKeys : tableKeys(format)), ...parts })

const factsSchema = object(facts)
const partsSchema = object(parts)
/** The publisher of a register, its address, and the known facts of its files. */
export type RegisterFacts = Static<typeof factsSchema>
export type Description = RegisterFacts & TableDescription & Static<typeof partsSchema>
export type Records = Description['records']

/** The facts of a register whose files no description can read. */
export type CodedRegister = Omit<RegisterFacts, 'publishes' | 'format'> & {
  publishes: Publishes
  format: string
  /** `version` is increased whenever the code reads the same file differently. */
  reader: { version: number; makes_market_entries?: true; infers_holders?: true }
}
