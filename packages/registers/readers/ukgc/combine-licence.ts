import { splitVersion } from '@baize/names'
import { isoInstant, printedDay } from '@baize/tables'
import { compareStatuses, normaliseStatus } from '../../entries/license-status.ts'

/**
 * Combines the rows of a licence, one per activity. A number ends in a version counter: `…-342850-002` is
 * licence `…-342850`, changed once. The number without the counter identifies the licence.
 */

export type LicenceLine = {
  number: string
  status: string
  type: string
  activity: string
  start: string
  end: string
}

export type Licence = {
  licenseNumber: string
  licenseType: string | null
  status: string | null
  issuedAt: string | null
  expiresAt: string | null
  role: 'operator' | 'supplier' | null
}

export function licenceKey(number: string): string {
  return splitVersion(number)?.number ?? number
}

const counterOf = (number: string) => splitVersion(number)?.version ?? 0

/** Returns the highest version among the rows, which is the one in force. */
export const newestLine = (lines: readonly LicenceLine[]) =>
  Math.max(...lines.map(line => counterOf(line.number)))

/**
 * Combines the rows of one licence, in any order. Only the highest version is in force. Among its rows a
 * status that licenses wins, because an operator may surrender one activity and keep the rest; otherwise
 * the more serious status wins. The activities with that status are listed alphabetically: `Remote: Bingo,
 * Casino`. The issue date is the earliest start of any version.
 */
export function combineLicence(lines: readonly LicenceLine[]): Licence {
  const newest = newestLine(lines)
  const version = lines.filter(line => counterOf(line.number) === newest)
  const [status = null] = version.map(line => normaliseStatus(line.status)).sort(compareStatuses)
  const inForce = version.filter(line => normaliseStatus(line.status) === status)
  const ends = inForce.map(line => dayOf(line.end))
  return {
    licenseNumber: sorted(inForce.map(line => line.number))[0] ?? '',
    licenseType: typeOf(inForce),
    status,
    issuedAt: days(lines.map(line => dayOf(line.start)))[0] ?? null,
    // An open end (null) wins over any date.
    expiresAt: ends.includes(null) ? null : (days(ends).at(-1) ?? null),
    role: roleOfActivities(inForce.map(line => line.activity)),
  }
}

const dayOf = (text: string) => (isoInstant(text) === null ? null : printedDay(text))

const remoteTypes = new Set(['remote', 'ancillary remote'])

export function isRemote(type: string): boolean {
  return remoteTypes.has(plain(type).toLowerCase())
}

function typeOf(lines: readonly LicenceLine[]): string | null {
  const types = sorted(lines.map(line => line.type)).map(type => {
    const activities = sorted(lines.filter(line => plain(line.type) === type).map(line => line.activity))
    return activities.length === 0 ? type : `${type}: ${activities.join(', ')}`
  })
  return types.length === 0 ? null : types.join('; ')
}

const plain = (text: string) => text.trim().replaceAll(/\s+/g, ' ')

const sorted = (texts: readonly string[]) => [...new Set(texts.map(plain))].filter(text => text !== '').sort()

const days = (found: readonly (string | null)[]) => found.filter(day => day !== null).sort()

const supplies = /\bsoftware\b|\bmachine technical\b|\bhost\b/

const operations =
  /^(?:casino|bingo|pool betting|general betting|betting intermediary|society lottery|local authority lottery|gaming machine general)\b/

/**
 * Derives operator or supplier from the activities of a licence. One activity that faces players makes an
 * operator; only supplies make a supplier. An activity in neither list, such as external lottery managers,
 * leaves the role open.
 */
export function roleOfActivities(activities: readonly string[]): 'operator' | 'supplier' | null {
  const roles = activities.map(activity => {
    const text = activity.trim().replaceAll(/\s+/g, ' ').toLowerCase()
    if (supplies.test(text)) return 'supplier'
    return operations.test(text) ? 'operator' : null
  })
  if (roles.includes('operator')) return 'operator'
  return roles.length > 0 && roles.every(role => role === 'supplier') ? 'supplier' : null
}
