/** Decides to which page of the dashboard a sign-in leads. */

const charactersMax = 2_000
const nowhere = 'http://baize.invalid'

/** Returns a path of the dashboard, resolved as by a browser; null for anything else. */
export function nextPath(text: unknown): string | null {
  if (typeof text !== 'string' || !text.startsWith('/') || text.length > charactersMax) return null
  if (!URL.canParse(text, nowhere)) return null
  const { origin, pathname, search } = new URL(text, nowhere)
  const isOurs = origin === nowhere && (pathname === '/dashboard' || pathname.startsWith('/dashboard/'))
  return isOurs ? pathname + search : null
}

export const withNext = (path: string, next: string | null) =>
  next === null ? path : `${path}?next=${encodeURIComponent(next)}`
