/**
 * A licence is printed as a row per activity, and the last segment of its number counts versions:
 * `…-342850-002` is the licence `…-342850`, as changed once. The number without the counter is the licence's
 * identity.
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

/** The counter of the newest version among the rows: what it says holds. */
export const newestOf = (lines: readonly LicenceLine[]) =>
  Math.max(...lines.map(line => counterOf(line.number)))

/**
 * The rows of one licence as one: the highest version holds, and in it a status that licenses wins over one
 * that does not (an operator may surrender one activity and keep the rest), then the more serious one, whatever
 * the order of the rows. Activities are those of the rows that hold, in alphabetical order: `Remote: Bingo,
 * Casino`. The earliest start of any version is when the licence was issued.
 */
export function combineLicence(lines: readonly LicenceLine[]): Licence {
  const newest = newestOf(lines)
  const version = lines.filter(line => counterOf(line.number) === newest)
  const [status = null] = version.map(line => normaliseStatus(line.status)).sort(compareStatuses)
  const holding = version.filter(line => normaliseStatus(line.status) === status)
  const ends = holding.map(line => dayOf(line.end))
  return {
    licenseNumber: sorted(holding.map(line => line.number))[0] ?? '',
    licenseType: typeOf(holding),
    status,
    issuedAt: days(lines.map(line => dayOf(line.start)))[0] ?? null,
    // Open as long as one activity is.
    expiresAt: ends.includes(null) ? null : (days(ends).at(-1) ?? null),
    role: roleOfActivities(holding.map(line => line.activity)),
  }
}

const dayOf = (text: string) => (isoInstant(text) === null ? null : printedDay(text))

const remoteTypes = new Set(['remote', 'ancillary remote'])

/** Whether a licence of this type can cover a website. */
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
