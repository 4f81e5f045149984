/**
 * The evidence that links holders, the strongest first. Holders with one key of a rule are one party,
 * unless something contradicts (join-parties.ts). Weaker likeness makes a pair a candidate (candidates.ts).
 */
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

/** Selects a number with the register that its form implies: `sweden:C1095` as `MT:C1095`. */
export const withImpliedRegister = (registration: RawBuilder<unknown>) => sql`
  case ${sql.join(
    formsOfNumbers.map(
      ([form, country]) =>
        sql`
          when ${registration} ~ ${form}
          then ${country}::text || ':' || split_part(${registration}, ':', 2)`,
    ),
    sql` `,
  )} else ${registration} end`

export const evidences = [
  'company_number',
  'lei',
  'name_and_country',
  'name_and_market',
  'name_and_domain',
  'name_and_implied_country',
] as const
export type Evidence = (typeof evidences)[number]

export type LinkingRule = {
  evidence: Evidence
  /** Names prove less than numbers: two countries contradict them. */
  byName: boolean
  /** What holders share, apart from the name; null: the rule does not apply. Rows are `linking_holders`. */
  value: RawBuilder<unknown>
  applies: RawBuilder<unknown>
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
  { evidence: 'name_and_domain', byName: true, value: sql`holder_domain.domain`, applies: sql`true` },
  {
    evidence: 'name_and_implied_country',
    byName: true,
    value: sql`
      coalesce(
        holder.country,
        substring(${withImpliedRegister(sql`holder.registration`)} from '^([A-Z]{2}):')
      )`,
    applies: isDistinctive,
  },
]
