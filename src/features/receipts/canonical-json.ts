import { hash } from 'node:crypto'

/** Writes JSON in the one form of RFC 8785: sorted members, no blanks, numbers as JavaScript writes them. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  let members = ''
  for (const name of Object.keys(value).sort())
    members += `${members && ','}${JSON.stringify(name)}:${canonicalJson((value as Members)[name])}`
  return `{${members}}`
}

type Members = Record<string, unknown>

export const canonicalSha256 = (value: unknown): string => hash('sha256', canonicalJson(value), 'hex')
