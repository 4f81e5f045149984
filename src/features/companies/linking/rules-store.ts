/**
 * The evidence that links holders, the strongest first. Holders with one key of a rule are one party,
 * unless something contradicts (`joinParties`). Weaker likeness makes a pair a candidate
 * (candidates-store.ts).
 */
import {
  commonSites,
  countriesOfSeveralRegisters,
  countryInName,
  type Evidence,
  formsOfCountries,
  formsOfNumbers,
  siteLettersMin,
} from '@baize/names'
import { type RawBuilder, sql } from 'kysely'

/** A short name, as many parties could have, links only with more than the market. */
const distinctiveLettersMin = 8

const isDistinctive = sql`length(split_part(holder.name_key, ' ', 1)) >= ${sql.lit(distinctiveLettersMin)}`
const hasForm = sql`holder.name_key like '% %'`

const countryOfForm = sql`
  case ${sql.join(
    Object.entries(formsOfCountries).map(
      ([country, forms]) => sql`
        when substring(holder.name_key from ' (.*)$') = any (${forms}::text[]) then ${country}::text`,
    ),
    sql` `,
  )} end`

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
