/** Parts of an RDAP answer (RFC 9083), which a stranger wrote: whatever is not of its type is left out. */

const listMax = 50
const textCharactersMax = 300

export type Members = Record<string, unknown>

export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, listMax) : [])

/** null: no text. */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = value.replace(/\s+/g, ' ').trim().slice(0, textCharactersMax).trim().toWellFormed()
  return text === '' ? null : text.replaceAll('\0', '')
}

export function parseRdap(body: Uint8Array): Members {
  try {
    return membersOf(JSON.parse(new TextDecoder().decode(body)))
  } catch {
    return {}
  }
}

export function entityOf(answer: Members, role: string): Members | null {
  const found = listOf(answer.entities)
    .map(membersOf)
    .find(({ roles }) => listOf(roles).includes(role))
  return found ?? null
}

/** A jCard (RFC 7095): the first value of each property. null: the entity has none. */
export type Card = {
  kind: string | null
  name: string | null
  organization: string | null
  country: string | null
}

export function cardOf(entity: Members | null): Card | null {
  const [type, properties] = listOf(entity?.vcardArray)
  if (type !== 'vcard' || !Array.isArray(properties)) return null
  const rows = listOf(properties).map(listOf)
  const first = (name: string) => rows.find(([property]) => property === name)
  const address = first('adr')
  const [organization] = [first('org')?.[3]].flat()
  return {
    kind: textOf(first('kind')?.[3])?.toLowerCase() ?? null,
    name: textOf(first('fn')?.[3]),
    organization: textOf(organization),
    country: countryOf(membersOf(address?.[1]).cc ?? listOf(address?.[3]).at(6)),
  }
}

/** ISO 3166 alpha-2. A country's name is not mapped. */
function countryOf(value: unknown): string | null {
  const code = textOf(value)?.toUpperCase() ?? ''
  return /^[A-Z]{2}$/.test(code) ? code : null
}

/** null: no such event, or not a date. */
export function eventAt(answer: Members, action: string): string | null {
  const event = listOf(answer.events)
    .map(membersOf)
    .find(({ eventAction }) => eventAction === action)
  const at = new Date(textOf(event?.eventDate) ?? Number.NaN)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}
