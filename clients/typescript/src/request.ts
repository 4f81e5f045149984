import type { Operation } from './api.ts'
import { BaizeError } from './api-error.ts'

type Values = Record<string, unknown>

/** Returns the path with its parameters and query, and the body of a request that writes. */
export function requestOf(
  { method, path }: Operation,
  params: object,
): { path: string; body: string | null } {
  const rest: Values = { ...params }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = segmentOf(name, rest[name])
    delete rest[name]
    return value
  })
  if (method !== 'GET' && method !== 'DELETE') return { path: filled, body: JSON.stringify(rest) }
  const query = queryOf(rest)
  return { path: query === '' ? filled : `${filled}?${query}`, body: null }
}

/** Encodes a path parameter. It refuses dots, because URLs resolve them to another operation. */
function segmentOf(name: string, value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value)
  if (text === '' || text === '.' || text === '..')
    throw new BaizeError(`"${name}" must be the value of a path; it is ${JSON.stringify(value)}.`)
  return encodeURIComponent(text)
}

/** Encodes a query. Lists repeat their name with brackets. */
function queryOf(values: Values): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue
    if (Array.isArray(value)) for (const each of value) query.append(`${name}[]`, String(each))
    else query.append(name, String(value))
  }
  return query.toString()
}
