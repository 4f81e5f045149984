import type { Resolve } from '../stream.ts'
import { matching, newestChoice } from './choose.ts'
import { obstacleOf, readOfficialPage } from './page-kind.ts'
import { pagesMax, Unresolved } from './unresolved.ts'

type FieldChoice = Extract<Resolve, { by: 'json_field' }>
type Json = { url: string; text: string; language: string }

const valuesMax = 10_000

/** Returns the absolute address of the current file, or those of all pages. Throws an Unresolved. */
export function findJsonFields({ url, text, language }: Json, choice: FieldChoice): string[] {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    const found = text.trim().slice(0, 60).replaceAll(/\s+/g, ' ')
    const obstacle = found.startsWith('<') ? obstacleOf(readOfficialPage(text)) : null
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
  const found = matching(candidates, choice)
  const chosen = choice.all === true ? found : [newestChoice(found, choice.newest, language)]
  const addresses = chosen.map(each =>
    each === undefined ? null : URL.parse(addressWith(each.href, choice.address), url),
  )
  if (addresses.length > pagesMax)
    throw new Unresolved(
      `${url} has ${addresses.length} addresses at ${choice.path}; at most ${pagesMax} are read`,
    )
  if (addresses.length === 0 || !addresses.every(isWeb)) {
    const pattern = choice.href === undefined ? '' : ` that matches /${choice.href}/`
    throw new Unresolved(
      `${url} has no address${pattern} at ${choice.path} (${candidates.length} texts there). ` +
        'The document has ' +
        'changed: look for the file in it, and give its address with "register watch --url"',
    )
  }
  return [...new Set(addresses.map(address => address.href))]
}

/** Puts a value in its place in an address. Without a template the value is the address. */
const addressWith = (value: string, template: string | undefined) =>
  template === undefined ? value : template.replaceAll('{value}', () => encodeURIComponent(value))

const isWeb = (address: URL | null): address is URL => address !== null && /^https?:$/.test(address.protocol)

function membersOf(value: unknown, name: string): unknown[] {
  if (Array.isArray(value))
    return name === '*' ? value : [value[Number(name)]].filter(each => each !== undefined)
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return []
  return [(value as Record<string, unknown>)[name]]
}
