import type { World } from '../../database/open.ts'
import { Values } from './statement.ts'
import {
  conditions,
  linesOf,
  type Match,
  type PageStart,
  planned,
  rowsOf,
  type TextRow,
  version,
} from './text-page-store.ts'

export type FilterRow = Pick<TextRow, 'id' | 'missing' | 'ref' | 'hit'> & { sortName: string }

/**
 * A page without a text: what is best known first, then by name. `isScan`: many rows match, so walking them in their order
 * comes to a page soon, and there is no other way to read the statement, whose plan is kept; otherwise they are found by their
 * terms, and sorted.
 */
export async function readFilterPage(
  world: World,
  match: Match,
  start: PageStart,
  limit: number,
  isScan: boolean,
): Promise<{ rows: FilterRow[]; version: number }> {
  const values = new Values()
  const [missing, sortName, ref] = 'after' in start ? start.after : []
  const matching = conditions(match, values, isScan)
  const behind =
    'after' in start
      ? `and (held.missing, held.sort_name, held.ref)
                > (${values.add(Number(missing), 'int')}, ${values.add(sortName, 'text')} collate "C",
                   ${values.add(ref, 'text')} collate "C")`
      : ''
  const statement = `
    with page as materialized (
      select held.id, held.ref, held.missing, held.sort_name, held.hit
        from ${rowsOf(match.subject)} held
       where ${matching}
         ${behind}
       order by held.missing, held.sort_name, held.ref
       limit ${values.add(limit, 'bigint')} offset ${values.add('offset' in start ? start.offset : 0, 'bigint')}
    )
    select json_agg(json_build_array(id, missing, sort_name, ref) order by missing, sort_name, ref) as rows,
           string_agg(hit::text, e'\\n' order by missing, sort_name, ref) as hits,
           ${version} as version
      from page`
  type Told = [id: number, missing: number, sortName: string, ref: string]
  type Page = { rows: Told[] | null; hits: string | null; version: number }
  const [found] = isScan
    ? await world.search<Page>(statement, values.held)
    : await planned<Page>(world, statement, values)
  const { rows, hits, version: told } = found as Page
  const lines = linesOf(hits)
  return {
    rows: (rows ?? []).map(([id, missing, sortName, ref], index) => {
      return { id, missing, sortName, ref, hit: lines[index] as string }
    }),
    version: told,
  }
}
