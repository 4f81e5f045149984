import { type CursorScope, openCursor, sealCursor } from '../../core/cursor.ts'
import type { SelectedPerson } from './select-people.ts'

/**
 * The people that previous pages delivered. Titles and dates may change between two pages, and with them
 * the order by seniority, so a position in it would miss or repeat people. A cursor lists contacts instead.
 * When the list is full, the other people follow by id, which never changes.
 */
export type Walk = {
  delivered: ReadonlySet<number>
  /** All people up to this id were delivered, too; with 0, only the listed people were. */
  throughId: number
  /**
   * People who were last verified before this time counted as stale on the first page (ms since 1970).
   * Absent on that page.
   */
  freshSince?: number
}

export const noWalk: Walk = { delivered: new Set(), throughId: 0 }

/** The longest list, with 2 to 4 characters per person. It gives cursors of at most 1,900 characters. */
const listCharactersMax = 1_200
export const peopleCursorCharactersMax = 2_048

type Page = { people: SelectedPerson[]; next: Walk | null }

/** Selects the next page from `people`, who all match and are ordered by seniority. */
export function nextPeople(
  people: readonly SelectedPerson[],
  walk: Walk,
  limit: number,
  charactersMax = listCharactersMax,
): Page {
  const left = people.filter(
    ({ ids }) => firstId(ids) > walk.throughId && !ids.some(id => walk.delivered.has(id)),
  )
  const senior = left.slice(0, limit)
  if (left.length <= limit) return { people: senior, next: null }
  if (walk.throughId === 0) {
    const delivered = new Set([...walk.delivered, ...senior.flatMap(({ ids }) => ids)])
    if (listed(delivered).length <= charactersMax)
      return { people: senior, next: { delivered, throughId: 0 } }
  }
  const first = left.toSorted((one, other) => firstId(one.ids) - firstId(other.ids)).slice(0, limit)
  const throughId = firstId(first.at(-1)?.ids ?? [])
  return { people: first, next: { delivered: walk.delivered, throughId } }
}

const firstId = (ids: readonly number[]) => Math.min(...ids)

const radix = 36

/** Writes ids in ascending order, each as its distance to the one before. */
function listed(ids: ReadonlySet<number>): string {
  const ascending = [...ids].sort((one, other) => one - other)
  return ascending.map((id, at) => (id - (ascending[at - 1] ?? 0)).toString(radix)).join('.')
}

function unlisted(text: string): Set<number> {
  const ids = new Set<number>()
  let id = 0
  for (const step of text.split('.').filter(each => each !== '')) {
    id += Number.parseInt(step, radix)
    ids.add(id)
  }
  return ids
}

/** Writes a cursor. `company_ref` is that of the time of writing; the Company may be merged later. */
export function sealWalk(
  filters: CursorScope['filters'],
  { company_ref, walk }: { company_ref: string; walk: Walk },
  secret: Buffer,
): string {
  const { delivered, throughId, freshSince } = walk
  const parts = [company_ref, listed(delivered), String(throughId), String(freshSince ?? '')]
  return sealCursor(scopeOf(filters), parts, secret)
}

export function openWalk(
  filters: CursorScope['filters'],
  cursor: string,
  secret: Buffer,
): { company_ref: string; walk: Walk } {
  const [company_ref = '', delivered = '', throughId, since = ''] = openCursor(
    scopeOf(filters),
    cursor,
    secret,
  )
  // Cursors of release 0.1.0 have no time.
  const fresh = since === '' ? {} : { freshSince: Number(since) }
  return { company_ref, walk: { delivered: unlisted(delivered), throughId: Number(throughId), ...fresh } }
}

const scopeOf = (filters: CursorScope['filters']): CursorScope => ({ feed: 'people1', filters })
