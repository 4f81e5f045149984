import { recordProblem } from '../dataset/index.ts'

type Line = Record<string, unknown>
type Asked = { domain: string; host: string; now: Date }

/** Lines of the interchange format; null: the answer is not what the adapter must answer. */
export type ReadAnswer = (body: unknown, asked: Asked) => Line[] | null

const firmographicsMembers = [
  'name',
  'description',
  'industry',
  'company_size',
  'employee_count',
  'founded_year',
  'headquarters',
  'website',
  'linkedin_url',
]
const contactMembers = [
  'name',
  'title',
  'headline',
  'email',
  'linkedin_url',
  'country',
  'source',
  'source_url',
  'collected_at',
  'last_verified_at',
]
const contactsMax = 500

/** The object `data` of §2.5. Unknown members are ignored. */
export const firmographicsLines: ReadAnswer = (body, { domain, now }) => {
  if (!isObject(body)) return null
  const data = membersOf(body, firmographicsMembers)
  if (Object.keys(data).length === 0) return []
  const line = { kind: 'firmographics', domain, fetched_at: now.toISOString(), ...data }
  return hasWebUrls(data, ['website', 'linkedin_url']) && recordProblem(line) === null ? [line] : null
}

/** `{contacts: […]}`. One bad contact makes the answer bad. Dates in the future count as now. */
export const contactLines: ReadAnswer = (body, { host, now }) => {
  if (!isObject(body) || !Array.isArray(body.contacts) || body.contacts.length > contactsMax) return null
  const lines = body.contacts.map(contact => (isObject(contact) ? contactLine(contact, host, now) : null))
  return lines.every(line => line !== null) ? lines : null
}

function contactLine(contact: Line, host: string, now: Date): Line | null {
  const data = membersOf(contact, contactMembers)
  const line = {
    kind: 'contact',
    source: host,
    ...data,
    collected_at: pastOf(data.collected_at ?? now.toISOString(), now),
    last_verified_at: pastOf(data.last_verified_at ?? null, now),
  }
  const isGood =
    hasWebUrls(data, ['source_url', 'linkedin_url']) && recordProblem({ ...line, company: 'any' }) === null
  return isGood ? line : null
}

const isObject = (value: unknown): value is Line =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Without those that are missing or null. */
function membersOf(value: Line, names: readonly string[]): Line {
  const known = names.map(name => [name, Object.hasOwn(value, name) ? value[name] : null] as const)
  return Object.fromEntries(known.filter(([, member]) => member !== null && member !== undefined))
}

function hasWebUrls(data: Line, names: readonly string[]): boolean {
  return names.every(name => {
    const url = data[name]
    if (url === undefined) return true
    const parsed = typeof url === 'string' ? URL.parse(url) : null
    return parsed !== null && (parsed.protocol === 'https:' || parsed.protocol === 'http:')
  })
}

/** Anything but a date stays for the validation. */
function pastOf(moment: unknown, now: Date): unknown {
  return typeof moment === 'string' && Date.parse(moment) > now.getTime() ? now.toISOString() : moment
}
