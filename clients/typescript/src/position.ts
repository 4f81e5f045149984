import { BaizeError } from './api-error.ts'

/**
 * A position between two rows: the request of a page, and the number of its rows already taken. The request
 * has its key from the start, so that repeated requests pay for the page once.
 */
export type Position = {
  /** The `after` of the request; null for the first page. */
  after: string | null
  key: string
  /** The `max_credits` of the request, which must be the same for a replay; null if there is none. */
  ceiling: number | null
  taken: number
}

const prefix = 'p1.'

export function encodePosition({ after, key, ceiling, taken }: Position): string {
  const text = btoa(JSON.stringify([after, key, ceiling, taken]))
  return prefix + text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Reads a cursor of this client, or a `next_cursor` of the API. */
export function decodePosition(cursor: string, fresh: Position): Position {
  if (!cursor.startsWith(prefix)) return { ...fresh, after: cursor }
  try {
    const text = atob(cursor.slice(prefix.length).replaceAll('-', '+').replaceAll('_', '/'))
    const [after, key, ceiling, taken] = JSON.parse(text)
    const isText = (after === null || typeof after === 'string') && typeof key === 'string'
    const isNumbers = (ceiling === null || Number.isInteger(ceiling)) && Number.isInteger(taken)
    if (isText && isNumbers) return { after, key, ceiling, taken }
  } catch {
    // The cursor is altered or cut off.
  }
  throw new BaizeError('"cursor" is cut off or altered; it must be the "cursor" of an iteration.')
}
