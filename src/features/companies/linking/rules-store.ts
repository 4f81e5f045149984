/**
 * The evidence that links holders, the strongest first. Holders with one key of a rule are one party,
 * unless something contradicts (`joinParties`). Weaker likeness makes a pair a candidate
 * (candidates-store.ts).
 */
import type { Evidence } from '@baize/names'
import { type RawBuilder, sql } from 'kysely'

/** A short name, as many parties could have, links only with more than the market. */
const distinctiveLettersMin = 8

const isDistinctive = sql`length(split_part(holder.name_key, ' ', 1)) >= ${sql.lit(distinctiveLettersMin)}`
const hasForm = sql`holder.name_key like '% %'`

/** In these countries with several company registers, equal numbers prove nothing, but different ones do. */
const countriesOfSeveralRegisters = ['AE', 'CA', 'DE', 'US']

/** Numbers whose form or register shows the country, though the source does not state it. */
const formsOfNumbers: readonly [form: string, country: string][] = [
  ['^[a-z_]+:C[0-9]{3,6}$', 'MT'],
  ['^[a-z_]+:HE[0-9]{3,7}$', 'CY'],
  ['^[a-z_]+:HRB[0-9]+', 'DE'],
  ['^[a-z_]+:FN[0-9]+[A-Z]$', 'AT'],
  ['^[a-z_]+:CHE[0-9]{9}$', 'CH'],
  ['^czechia:[0-9]{8}$', 'CZ'],
  ['^brazil:[0-9]{14}$', 'BR'],
]

/** Legal forms of one country, whose company register has a name once. */
const formsOfCountries = {
  DK: ['aps', 'a/s'],
  EE: ['ou'],
  FI: ['oy', 'oyj'],
  LV: ['sia'],
  LT: ['uab'],
  PL: ['sp zoo'],
  HU: ['kft', 'zrt', 'nyrt'],
  BG: ['ood', 'eood', 'ead'],
  IS: ['hf', 'ehf'],
}

const countryOfForm = sql`
  case ${sql.join(
    Object.entries(formsOfCountries).map(
      ([country, forms]) => sql`
        when substring(holder.name_key from ' (.*)$') = any (${forms}::text[]) then ${country}::text`,
    ),
    sql` `,
  )} end`

/** A name that names a country is unique: the register of that country has it once. */
const countriesInNames = [
  ...['malta', 'gibraltar', 'alderney', 'guernsey', 'jersey', 'isleofman', 'cyprus', 'curacao', 'ireland'],
  ...['denmark', 'danmark', 'sweden', 'sverige', 'norway', 'finland', 'estonia', 'latvia', 'lithuania'],
  ...['poland', 'polska', 'spain', 'espana', 'portugal', 'italia', 'italy', 'france', 'belgium', 'nederland'],
  ...['deutschland', 'germany', 'austria', 'romania', 'bulgaria', 'greece', 'hellas', 'croatia', 'serbia'],
  ...['ontario', 'canada', 'brasil', 'brazil', 'colombia', 'mexico'],
]

/** `Italian Games` and `Superunited` name no country; names of countries that stand inside words are left out. */
const countryInName = `(${countriesInNames.join('|')})(?![aeins])`

const siteLettersMin = 4
/** Sites of many parties have these names. */
const commonSites = ['bets', 'bingo', 'casino', 'games', 'lotto', 'play', 'poker', 'slots', 'sport', 'sports']

/** The name of a site without hyphens and ending: `lucky-otter.co.uk` as `luckyotter`. */
const siteName = sql`replace(split_part(holder_domain.domain, '.', 1), '-', '')`

/** Selects a number with the register that its form implies: `sweden:C1095` as `MT:C1095`. */
const withImpliedRegister = (registration: RawBuilder<unknown>) => sql`
  case ${sql.join(
    formsOfNumbers.map(
      ([form, country]) =>
        sql`
          when ${registration} ~ ${form}
          then ${country}::text || ':' || split_part(${registration}, ':', 2)`,
    ),
    sql` `,
  )} else ${registration} end`

/** Selects the company number and the LEI of an identity; two different ones of a register are two parties. */
export const numbersOf = (table: string) => sql`
  array[${withImpliedRegister(sql.ref(`${table}.registration`))}, 'LEI:' || ${sql.ref(`${table}.lei`)}]`

export type LinkingRule = {
  evidence: Evidence
  /** Names prove less than numbers: two countries contradict them. */
  byName: boolean
  /** What holders share, apart from the name; null: the rule does not apply. Rows are `linking_holders`. */
  value: RawBuilder<unknown>
  applies: RawBuilder<unknown>
  /** Whether the rule compares domains: `holder_domain` has those of the holder. */
  byDomain?: boolean
}

export const linkingRules: readonly LinkingRule[] = [
  {
    evidence: 'company_number',
    byName: false,
    value: sql`holder.registration`,
    applies: sql`split_part(holder.registration, ':', 1) <> all (${countriesOfSeveralRegisters}::text[])`,
  },
  { evidence: 'lei', byName: false, value: sql`holder.lei`, applies: sql`true` },
  {
    evidence: 'name_and_country',
    byName: true,
    value: sql`holder.country`,
    applies: sql`${hasForm} or ${isDistinctive}`,
  },
  {
    evidence: 'name_and_market',
    byName: true,
    value: sql`holder.regulator`,
    applies: sql`${hasForm} and ${isDistinctive}`,
  },
  {
    evidence: 'name_and_domain',
    byName: true,
    byDomain: true,
    value: sql`holder_domain.domain`,
    applies: sql`true`,
  },
  {
    evidence: 'name_and_implied_country',
    byName: true,
    value: sql`
      coalesce(
        holder.country,
        substring(${withImpliedRegister(sql`holder.registration`)} from '^([A-Z]{2}):'),
        ${countryOfForm}
      )`,
    applies: isDistinctive,
  },
  {
    evidence: 'name_with_country',
    byName: true,
    value: sql`substring(split_part(holder.name_key, ' ', 1) from ${countryInName}::text)`,
    applies: sql`${hasForm} and ${isDistinctive}`,
  },
  {
    evidence: 'name_and_site',
    byName: true,
    byDomain: true,
    value: siteName,
    // A site with the company's own name shows nothing that the name does not.
    applies: sql`
      ${hasForm}
      and length(${siteName}) >= ${sql.lit(siteLettersMin)}
      and ${siteName} <> all (${commonSites}::text[])
      and position(${siteName} in split_part(holder.name_key, ' ', 1)) = 0`,
  },
]
