import type { World } from '../../database/open.ts'
import type { FacetRow } from './list-facets.ts'
import { conditions, type Match, MatchValues, rowsOf, runMatch, version } from './match-store.ts'

export const countOfTerms = (rows: string) => `
  select term as id, count(*) as count
    from ${rows} counted
   cross join unnest(counted.facets) as term
   group by term`

export const facetsOf = (fields: readonly string[], counts: string, values: MatchValues) => `
  select coalesce(
           json_agg(json_build_object('field', term.field, 'value', term.value,
                                      'count', counted.count)), '[]')
    from (${counts}) counted
    join search_terms term using (id)
   where term.field = any (${values.add([...fields], 'text[]')})`

/** Counts rows by value. A search without conditions has its counts in the dictionary. */
export async function readFacets(
  world: World,
  match: Match,
  fields: readonly string[],
): Promise<{ facets: FacetRow[]; version: number }> {
  const { subject, text, terms, domain, only } = match
  const values = new MatchValues()
  const isAll = text === null && terms.length === 0 && domain === null && only === null
  const counts = isAll
    ? `select id, rows as count from search_terms where subject = ${values.add(subject, 'text')} and rows > 0`
    : countOfTerms(`(select stored.facets from ${rowsOf(subject)} stored where ${conditions(match, values)})`)
  const statement = `select (${facetsOf(fields, counts, values)}) as facets, ${version} as version`
  const rows = await runMatch<{ facets: FacetRow[]; version: number }>(world, match, statement, values)
  return rows[0] as { facets: FacetRow[]; version: number }
}
