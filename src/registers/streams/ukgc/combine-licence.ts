/**
 * Combines the rows of a licence, one per activity. The last segment of a number counts versions:
 * `…-342850-002` is licence `…-342850`, changed once. The number without the counter is the identity.
 */
import { splitVersion } from '../../../core/license-number.ts'
import { compareStatuses, normaliseStatus } from '../../../core/license-status.ts'
import { isoInstant, printedDay } from '../../source/register-dates.ts'
import { roleOfActivities } from './role-of-licence.ts'

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

/** The highest version among the rows, which is the one in force. */
export const newestOf = (lines: readonly LicenceLine[]) =>
  Math.max(...lines.map(line => counterOf(line.number)))

/**
 * Combines the rows of one licence, in any order. The highest version is in force. In it a status that
 * licenses wins, as an operator may surrender one activity and keep the rest; then the more serious one.
 * Activities of rows with that status are listed alphabetically: `Remote: Bingo, Casino`. The earliest
 * start of any version is the issue date.
 */
export function combineLicence(lines: readonly LicenceLine[]): Licence {
  const newest = newestOf(lines)
  const version = lines.filter(line => counterOf(line.number) === newest)
  const [status = null] = version.map(line => normaliseStatus(line.status)).sort(compareStatuses)
  const inForce = version.filter(line => normaliseStatus(line.status) === status)
  const ends = inForce.map(line => dayOf(line.end))
  return {
    licenseNumber: sorted(inForce.map(line => line.number))[0] ?? '',
    licenseType: typeOf(inForce),
    status,
    issuedAt: days(lines.map(line => dayOf(line.start)))[0] ?? null,
    // null, an open end, wins.
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
