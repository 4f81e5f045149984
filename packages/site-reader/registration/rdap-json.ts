/**
 * Reads parts of an RDAP answer (RFC 9083). The answer may be hostile, so a value of a wrong type is left
 * out.
 */

const listMax = 50
const textCharactersMax = 300

export type Members = Record<string, unknown>

export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}

export const rdapList = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, listMax) : [])

/** Returns null if the value is not a text. */
export function rdapText(value: unknown): string | null {
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

export const entitiesOf = (answer: Members): Members[] => rdapList(answer.entities).map(membersOf)

export const hasRole = ({ roles }: Members, role: string): boolean => rdapList(roles).includes(role)

export function entityOf(answer: Members, role: string): Members | null {
  return entitiesOf(answer).find(entity => hasRole(entity, role)) ?? null
}

/** A jCard (RFC 7095) with the first value of each property; null if the entity has none. */
export type Card = {
  kind: string | null
  name: string | null
  organization: string | null
  country: string | null
}

export function cardOf(entity: Members | null): Card | null {
  const [type, properties] = rdapList(entity?.vcardArray)
  if (type !== 'vcard' || !Array.isArray(properties)) return null
  const rows = rdapList(properties).map(rdapList)
  const first = (name: string) => rows.find(([property]) => property === name)
  const address = first('adr')
  const [organization] = [first('org')?.[3]].flat()
  return {
    kind: rdapText(first('kind')?.[3])?.toLowerCase() ?? null,
    name: rdapText(first('fn')?.[3]),
    organization: rdapText(organization),
    country: countryOf(membersOf(address?.[1]).cc ?? rdapList(address?.[3]).at(6)),
  }
}

/** Returns the ISO 3166 alpha-2 code. The name of a country is not mapped. */
function countryOf(value: unknown): string | null {
  const code = rdapText(value)?.toUpperCase() ?? ''
  return /^[A-Z]{2}$/.test(code) ? code : null
}

/** No domain is older: the first were registered in 1985. Servers write `0001-01-01` for an unknown date. */
const yearMin = 1985

/** Returns null if there is no such event, or if its date is invalid. */
export function eventAt(answer: Members, action: string): string | null {
  const event = rdapList(answer.events)
    .map(membersOf)
    .find(({ eventAction }) => eventAction === action)
  const at = new Date(rdapText(event?.eventDate) ?? Number.NaN)
  return at.getUTCFullYear() >= yearMin ? at.toISOString() : null
}
