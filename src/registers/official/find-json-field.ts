import type { Resolve } from '../stream.ts'
import { matching, newestOf } from './choose.ts'
import { obstacleOf, readPage } from './page-kind.ts'
import { Unresolved } from './unresolved.ts'

type FieldChoice = Extract<Resolve, { by: 'json_field' }>
type Json = { url: string; text: string; language: string }

const valuesMax = 10_000

/** The absolute address of the current file. Throws an Unresolved. */
export function findJsonField({ url, text, language }: Json, choice: FieldChoice): string {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    const found = text.trim().slice(0, 60).replaceAll(/\s+/g, ' ')
    const obstacle = found.startsWith('<') ? obstacleOf(readPage(text)) : null
    throw new Unresolved(`${url} is ${obstacle ?? `not JSON; it begins with "${found}"`}`)
  }
  const values = choice.path
    .split('/')
    .reduce<unknown[]>(
      (found, name) => found.flatMap(each => membersOf(each, name)).slice(0, valuesMax),
      [document],
    )
  const candidates = values
    .filter(value => typeof value === 'string')
    .map(value => ({ href: value.trim(), text: '' }))
  const chosen = newestOf(matching(candidates, choice), choice.newest, language)
  const address = chosen === undefined ? null : URL.parse(chosen.href, url)
  if (address === null || !/^https?:$/.test(address.protocol)) {
    const pattern = choice.href === undefined ? '' : ` that matches /${choice.href}/`
    throw new Unresolved(
      `${url} has no address${pattern} at ${choice.path} (${candidates.length} texts there). ` +
        'The document has ' +
        'changed: look for the file in it, and give its address with "register watch --url"',
    )
  }
  return address.href
}

function membersOf(value: unknown, name: string): unknown[] {
  if (Array.isArray(value))
    return name === '*' ? value : [value[Number(name)]].filter(each => each !== undefined)
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return []
  return [(value as Record<string, unknown>)[name]]
}
