import { type CursorScope, openCursor, sealCursor } from '../../core/cursor.ts'
import type { SelectedPerson } from './select-people.ts'

/**
 * Which people the previous pages delivered. Titles and dates may change between two pages, and with them
 * the order by seniority, so a position in it would miss people or repeat them. A cursor lists the contacts
 * instead. When the list is full, the other people follow by id, which never changes.
 */
export type Walk = {
  delivered: ReadonlySet<number>
  /** People up to this id were delivered, too; 0: those of the list alone. */
  throughId: number
}

export const noWalk: Walk = { delivered: new Set(), throughId: 0 }

/** Of a list in a cursor; 2 to 4 characters per person. Cursors are then at most 1,900 characters long. */
const listCharactersMax = 1_200
export const peopleCursorCharactersMax = 2_048

type Page = { people: SelectedPerson[]; next: Walk | null }

/** `people`: all that match, most senior first. */
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

/** Ascending, each as the distance to the one before. */
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

/** `company_ref`: as it was when the cursor was made; the Company may have been merged since. */
export function sealWalk(
  filters: CursorScope['filters'],
  { company_ref, walk }: { company_ref: string; walk: Walk },
  secret: Buffer,
): string {
  const { delivered, throughId } = walk
  return sealCursor(scopeOf(filters), [company_ref, listed(delivered), String(throughId)], secret)
}

export function openWalk(
  filters: CursorScope['filters'],
  cursor: string,
  secret: Buffer,
): { company_ref: string; walk: Walk } {
  const [company_ref = '', delivered = '', throughId] = openCursor(scopeOf(filters), cursor, secret)
  return { company_ref, walk: { delivered: unlisted(delivered), throughId: Number(throughId) } }
}

const scopeOf = (filters: CursorScope['filters']): CursorScope => ({ feed: 'people1', filters })
