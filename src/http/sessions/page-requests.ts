import type { FastifyRequest } from 'fastify'
import type { AnySessionOperation } from '../../core/session-operation.ts'
import type { World } from '../../database/open.ts'
import { type Shown, type TableAddress, tableAddress, tableParameters } from '../../pages/index.ts'
import { routeOf } from '../answer/mount.ts'
import type { Input, RawQuery } from '../read/read-parameters.ts'
import { splitFormat, type TableFormat, tableFormats } from '../send/send-table.ts'

/** A session operation with its page. */
export type Mounted = {
  operation: AnySessionOperation<World>
  read(raw: { query: RawQuery; params: Record<string, string> }): Input
  shown: Shown | undefined
}

/** Returns the routes of a page and of the files of its tables. Files of other operations come first. */
export function routesOf({ operation, shown }: Mounted, all: ReadonlyMap<string, Mounted>): string[] {
  const { path } = operation
  // The last parameter of a path includes the ending.
  if (tablesOf(shown).length === 0 || path.endsWith('}')) return [routeOf(path)]
  const taken = new Set([...all.values()].map(each => each.operation.path as string))
  const files = tableFormats.map(format => `${path}.${format}`).filter(file => !taken.has(file))
  return [path, ...files].map(routeOf)
}

export const tablesOf = (shown: Shown | undefined) =>
  shown === undefined || 'next' in shown ? [] : (shown.tables ?? [])

export type SentRequest = {
  query: RawQuery
  params: Record<string, string>
  address: TableAddress
  /** The format of a file of a table; null: a page. */
  format: TableFormat | null
}

/** Reads a request. What concerns the tables of a page is no parameter of its operation. */
export function sentTo({ operation, shown }: Mounted, request: FastifyRequest): SentRequest {
  const params = { ...(request.params as Record<string, string>) }
  const [url = '', search = ''] = request.url.split('?', 2)
  const tables = tablesOf(shown)
  const { path, format } = tables.length > 0 ? splitFormat(url) : { path: url, format: null }
  const last = operation.path.endsWith('}') ? Object.keys(params).at(-1) : undefined
  if (last !== undefined && format !== null) params[last] = splitFormat(params[last] ?? '').path
  const address = tableAddress(path, new URLSearchParams(search), tables[0]?.id ?? null)
  const hidden = tables.length > 0 ? tableParameters : []
  return { query: sentTexts(request, hidden), params, address, format }
}

/** Leaves out the empty fields, which a search form sends too. */
function sentTexts({ method, query, body }: FastifyRequest, hidden: readonly string[]): RawQuery {
  if (method === 'POST') return (body ?? {}) as RawQuery
  const sent = Object.entries(query as RawQuery)
  return Object.fromEntries(sent.filter(([name, text]) => text !== '' && !hidden.includes(name)))
}
