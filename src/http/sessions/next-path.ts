import type { FastifyRequest } from 'fastify'

const charactersMax = 2_000
const nowhere = 'http://baize.invalid'

/** A page of the dashboard, as a browser would resolve it; null: anything else, such as another site. */
function nextPath(text: unknown): string | null {
  if (typeof text !== 'string' || !text.startsWith('/') || text.length > charactersMax) return null
  if (!URL.canParse(text, nowhere)) return null
  const { origin, pathname, search } = new URL(text, nowhere)
  const isOurs = origin === nowhere && (pathname === '/dashboard' || pathname.startsWith('/dashboard/'))
  return isOurs ? pathname + search : null
}

/** As a field of the form, or in the query. */
export function nextOf({ body, query }: FastifyRequest): string | null {
  const sent = (body as { next?: unknown } | undefined)?.next
  return nextPath(sent ?? (query as { next?: unknown }).next)
}

export const withNext = (path: string, next: string | null) =>
  next === null ? path : `${path}?next=${encodeURIComponent(next)}`
