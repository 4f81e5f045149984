/** Writes the conditions of a query on one GIN index. */
import { CompiledQuery } from 'kysely'
import type { World } from '../../database/open.ts'
import { reviewedBrandStream } from '../../journal/index.ts'
import type { SearchSubject } from './contract.ts'
import { anyTier, type TextQuery } from './text/text-query.ts'

export type Match = {
  subject: SearchSubject
  text: TextQuery | null
  ids: readonly number[]
  terms: readonly number[]
  /** Is true if it is faster to read the few rows with the text, and test their terms (decision 8). */
  isRareText: boolean
  domain: string | null
  /** The only ids that may match; null for all. */
  only: readonly number[] | null
  /** The most matches that are counted; null for all. */
  countMax: number | null
}

export type TextMatch = Match & { text: TextQuery }

export const version = '(select version from dataset_version)'
export const rowsOf = (subject: SearchSubject) => `${subject}_search`

/**
 * Writes the conditions of a query. With `skipTermIndex` terms are tested row by row. Without terms the
 * index would be scanned whole.
 */
export function conditions(
  { subject, text, ids, terms, isRareText, domain, only }: Match,
  values: MatchValues,
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
    // `is true` prevents PostgreSQL from using the index.
    parts.push(skipTermIndex ? `(${hasTerms}) is true` : hasTerms)
  }
  if (domain !== null) parts.push(`stored.id in (${idsOfDomain(subject, values.add(domain, 'text'))})`)
  if (only !== null) parts.push(`stored.id = any (${values.add(idsText(only), 'bigint[]')})`)
  return parts.length === 0 ? 'true' : parts.join(' and ')
}

export async function runPlanned<Row>(world: World, statement: string, values: MatchValues): Promise<Row[]> {
  return (await world.searches.executeQuery<Row>(CompiledQuery.raw(statement, values.list))).rows
}

/** Runs a search. One plan serves every text (decision 8). Filters alone are planned for their values. */
export const runMatch = <Row>(
  world: World,
  { text }: Match,
  statement: string,
  values: MatchValues,
): Promise<Row[]> =>
  text === null ? runPlanned(world, statement, values) : world.search<Row>(statement, values.list)

export async function countMatch(world: World, match: Match): Promise<{ total: number; version: number }> {
  const values = new MatchValues()
  const statement = `
    select count(*) as total, ${version} as version
      from ${rowsOf(match.subject)} stored
     where ${conditions(match, values)}`
  const rows = await runMatch<{ total: number; version: number }>(world, match, statement, values)
  return rows[0] as { total: number; version: number }
}

export async function isMatch(world: World, match: Match, id: number): Promise<boolean> {
  const values = new MatchValues()
  const statement = `
    select exists (
      select from ${rowsOf(match.subject)} stored
       where stored.id = ${values.add(id, 'bigint')} and ${conditions(match, values)}
    ) as found`
  const rows = await runPlanned<{ found: boolean }>(world, statement, values)
  return rows[0]?.found ?? false
}

/** Collects the values of a statement. Customer input is never written into SQL. */
export class MatchValues {
  readonly list: unknown[] = []

  add(value: unknown, type: string): string {
    this.list.push(value)
    return `$${this.list.length}::${type}`
  }
}

export const idsText = (ids: readonly number[]) => `{${ids.join(',')}}`

/** Selects the rows of a domain: Companies by their relations, licenses by the domains they authorise. */
export function idsOfDomain(subject: SearchSubject, domain: string): string {
  return subject === 'company'
    ? `
      select owner.company_id as id
        from domains named
       cross join lateral companies_of_domain(named.id) owner
       where named.domain = ${domain}`
    : `
      select authorisation.license_id as id
        from domains named
        join authorisations authorisation
          on authorisation.domain_id = named.id and authorisation.known_to is null and authorisation.counts
         and authorisation.stream <> '${reviewedBrandStream}'
       where named.domain = ${domain} and authorisation.license_id is not null`
}
