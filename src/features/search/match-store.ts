/** Which rows match a query, as conditions on one GIN index. */
import { CompiledQuery } from 'kysely'
import type { World } from '../../database/open.ts'
import type { SearchSubject } from './contract.ts'
import { idsOfDomain } from './dictionary-store.ts'
import { anyTier, type TextQuery } from './text/text-query.ts'
import { idsText, Values } from './values.ts'

export type Match = {
  subject: SearchSubject
  text: TextQuery | null
  ids: readonly number[]
  terms: readonly number[]
  /** Reading the few matching rows and testing their terms is faster (decision 8). */
  isRareText: boolean
  domain: string | null
  /** null: all rows. */
  only: readonly number[] | null
}

export type TextMatch = Match & { text: TextQuery }

export const version = '(select version from dataset_version)'
export const rowsOf = (subject: SearchSubject) => `${subject}_search`

/** `skipTermIndex`: terms are tested row by row. For an empty list the index would be scanned whole. */
export function conditions(
  { subject, text, ids, terms, isRareText, domain, only }: Match,
  values: Values,
  skipTermIndex = isRareText,
): string {
  const parts: string[] = []
  if (text !== null) {
    const matches = `stored.document @@ ${values.add(anyTier(text), 'tsquery')}`
    const ofIds = () => `stored.id = any (${values.add(idsText(ids), 'bigint[]')})`
    parts.push(ids.length === 0 ? matches : `(${matches} or ${ofIds()})`)
  }
  if (terms.length > 0) {
    const hasTerms = `stored.terms @> ${values.add(idsText(terms), 'int[]')}`
    // `is true` prevents the use of the index.
    parts.push(skipTermIndex ? `(${hasTerms}) is true` : hasTerms)
  }
  if (domain !== null) parts.push(`stored.id in (${idsOfDomain(subject, values.add(domain, 'text'))})`)
  if (only !== null) parts.push(`stored.id = any (${values.add(idsText(only), 'bigint[]')})`)
  return parts.length === 0 ? 'true' : parts.join(' and ')
}

export async function runPlanned<Row>(world: World, statement: string, values: Values): Promise<Row[]> {
  return (await world.searches.executeQuery<Row>(CompiledQuery.raw(statement, values.list))).rows
}

/** One plan serves every text (decision 8); filters alone are planned for their values. */
export const run = <Row>(world: World, { text }: Match, statement: string, values: Values): Promise<Row[]> =>
  text === null ? runPlanned(world, statement, values) : world.search<Row>(statement, values.list)

export async function countMatch(world: World, match: Match): Promise<{ total: number; version: number }> {
  const values = new Values()
  const statement = `
    select count(*) as total, ${version} as version
      from ${rowsOf(match.subject)} stored
     where ${conditions(match, values)}`
  const rows = await run<{ total: number; version: number }>(world, match, statement, values)
  return rows[0] as { total: number; version: number }
}

export async function isMatch(world: World, match: Match, id: number): Promise<boolean> {
  const values = new Values()
  const statement = `
    select exists (
      select from ${rowsOf(match.subject)} stored
       where stored.id = ${values.add(id, 'bigint')} and ${conditions(match, values)}
    ) as found`
  const rows = await runPlanned<{ found: boolean }>(world, statement, values)
  return rows[0]?.found ?? false
}
