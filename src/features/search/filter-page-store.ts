import type { World } from '../../database/open.ts'
import type { SearchPosition } from './contract.ts'
import { conditions, type Match, MatchValues, rowsOf, runPlanned, version } from './match-store.ts'
import { linesOf, type TextRow } from './text-page-store.ts'

export type FilterRow = Pick<TextRow, 'id' | 'missing' | 'ref' | 'hit'> & { sortName: string }

type FilterPageRequest = {
  position: SearchPosition
  limit: number
  /** Scans the rows in their order if true, or else finds them by term and sorts them. */
  isScan: boolean
}

/** Reads a page without a text: the most complete rows first, then by name and ref. */
export async function readFilterPage(
  world: World,
  match: Match,
  { position, limit, isScan }: FilterPageRequest,
): Promise<{ rows: FilterRow[]; version: number }> {
  const values = new MatchValues()
  const matches = conditions(match, values, isScan)
  const statement = `
    with page as materialized (
      select stored.id, stored.ref, stored.missing, stored.sort_name, stored.hit
        from ${rowsOf(match.subject)} stored
       where ${matches}
         ${'after' in position ? `and ${isAfter(position.after, values)}` : ''}
       order by stored.missing, stored.sort_name, stored.ref
       limit ${values.add(limit, 'bigint')}
      offset ${values.add('offset' in position ? position.offset : 0, 'bigint')}
    )
    select json_agg(json_build_array(id, missing, sort_name, ref) order by missing, sort_name, ref) as rows,
           string_agg(hit::text, e'\\n' order by missing, sort_name, ref) as hits,
           ${version} as version
      from page`
  const [page] = isScan
    ? await world.search<FilterPageRow>(statement, values.list)
    : await runPlanned<FilterPageRow>(world, statement, values)
  const { rows, hits, version: readAt } = page as FilterPageRow
  const lines = linesOf(hits)
  return {
    rows: (rows ?? []).map(([id, missing, sortName, ref], index) => {
      return { id, missing, sortName, ref, hit: lines[index] as string }
    }),
    version: readAt,
  }
}

type RowColumns = [id: number, missing: number, sortName: string, ref: string]
type FilterPageRow = { rows: RowColumns[] | null; hits: string | null; version: number }

function isAfter([missing, sortName, ref]: readonly string[], values: MatchValues): string {
  return `(stored.missing, stored.sort_name, stored.ref)
                > (${values.add(Number(missing), 'int')}, ${values.add(sortName, 'text')} collate "C",
                   ${values.add(ref, 'text')} collate "C")`
}
