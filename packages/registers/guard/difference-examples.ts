import type { RecordKind } from '../stream.ts'

/** A record that a snapshot would add, remove or change. */
export type Difference = {
  kind: RecordKind
  change: 'added' | 'removed' | 'changed'
  /** The name by which people know the record. */
  name: string
  /** The members of a changed record that differ. */
  fields: { name: string; before: string | null; after: string | null }[]
}

type Facts = Readonly<Record<string, unknown>>
type Described = { recordKey: string; before: Facts | null; after: Facts | null }

const textCharactersMax = 200
const valuesShownMax = 5
const separator = ', '

/** Returns the whole record before and after. */
export function describeDifference(kind: RecordKind, { recordKey, before, after }: Described): Difference {
  const name = nameOf(after ?? before ?? {}) || recordKey
  if (kind === 'blocklist_entry') {
    const [was, is] = [before?.listed === true, after?.listed === true]
    if (was !== is) return { kind, change: is ? 'added' : 'removed', name, fields: [] }
  }
  if (before === null || after === null)
    return { kind, change: before === null ? 'added' : 'removed', name, fields: [] }
  const members = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const fields = members
    .map(member => ({ name: member, before: textOf(before[member]), after: textOf(after[member]) }))
    .filter(field => field.before !== field.after)
  return { kind, change: 'changed', name, fields }
}

function nameOf({ license_number, legal_entity, domain, published, authorized_domains }: Facts): string {
  const words = [license_number, legal_entity, domain ?? published, textOf(authorized_domains)]
  const known = [...new Set(words.filter(word => typeof word === 'string' && word !== ''))]
  return known.join(separator)
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (!Array.isArray(value)) return String(value)
  return value.length === 0 ? null : value.join(separator)
}

/** Shortens a difference to what a person needs to judge it. */
export const shortenDifference = ({ name, fields, ...difference }: Difference): Difference => ({
  ...difference,
  name: clipped(name),
  fields: fields.map(each => ({ ...each, before: short(each.before), after: short(each.after) })),
})

function short(text: string | null): string | null {
  const values = text?.split(separator) ?? []
  const rest = values.length - valuesShownMax
  if (text === null || rest <= 0) return text === null ? null : clipped(text)
  return `${clipped(values.slice(0, valuesShownMax).join(separator))} and ${rest} more`
}

const clipped = (text: string) =>
  text.length > textCharactersMax ? `${text.slice(0, textCharactersMax)}…` : text
