import { createHash } from 'node:crypto'

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Writes RFC 8785 for the tests alone. JavaScript sorts texts by UTF-16 code units, as the RFC asks. */
export function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const isList = Array.isArray(value)
  let text = ''
  for (const name of isList ? [...value.keys()] : Object.keys(value).toSorted()) {
    const each = canonical((value as Record<string | number, unknown>)[name])
    text += `${text === '' ? '' : ','}${isList ? '' : `${JSON.stringify(name)}:`}${each}`
  }
  return isList ? `[${text}]` : `{${text}}`
}

export const hashOf = (value: unknown) => sha256(canonical(value))
