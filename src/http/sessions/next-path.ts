import type { FastifyRequest } from 'fastify'
import { nextPath } from '../../features/sessions/index.ts'

/** As a field of the form, or in the query. */
export function nextOf({ body, query }: FastifyRequest): string | null {
  const sent = (body as { next?: unknown } | undefined)?.next
  return nextPath(sent ?? (query as { next?: unknown }).next)
}
