import { askSource } from '@baize/outbound'
import { userAgentOf } from '../config/program.ts'
import type { Settings } from '../config/settings.ts'
import type { AskSource, SourceAnswer, Sources } from '../core/observe.ts'
import type { World } from '../database/open.ts'

const firmographicsBytesMax = 256 * 1024
const contactsBytesMax = 1024 * 1024

export type SourceSettings = Pick<Settings, 'baseUrl' | 'network'> & {
  observation: Pick<Settings['observation'], 'firmographicsUrl' | 'contactsUrl'>
}

/** The import's 400 modules are loaded at the first answer. */
const loadImport = () => import('../dataset/index.ts')

/** Opens the adapters of FIRMOGRAPHICS_URL and CONTACTS_URL. Their answers are validated and imported. */
export function openSources(settings: SourceSettings, world: World, now: () => Date): Sources {
  const { baseUrl, network, observation } = settings
  const userAgent = userAgentOf(baseUrl)
  const asking =
    (url: string, bytesMax: number, read: ReadAnswer): AskSource =>
    async (domain, signal): Promise<SourceAnswer> => {
      const response = await askSource({ url, domain, bytesMax, userAgent, network, signal })
      if (response.outcome !== 'answered') return response
      const asked = { domain, host: URL.parse(url)?.hostname ?? url, now: now() }
      const { recordProblem } = await loadImport()
      const lines = read(response.body, asked, recordProblem)
      if (lines === null) return { outcome: 'unavailable' }
      return lines.length === 0 ? { outcome: 'no_data' } : { outcome: 'found', lines }
    }
  const { firmographicsUrl, contactsUrl } = observation
  return {
    firmographics:
      firmographicsUrl === null ? null : asking(firmographicsUrl, firmographicsBytesMax, firmographicsLines),
    contacts: contactsUrl === null ? null : asking(contactsUrl, contactsBytesMax, contactLines),
    store: async lines => {
      const { importRecords } = await loadImport()
      return (await importRecords(world, lines, now())) !== null
    },
  }
}

type Line = Record<string, unknown>
type Asked = { domain: string; host: string; now: Date }

/** Returns lines of the interchange format, or null if the adapter's answer has another form. */
type ReadAnswer = (body: unknown, asked: Asked, problemOf: RecordProblem) => Line[] | null
type RecordProblem = (line: Line) => string | null

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

/** Reads the object `data` of §2.5. Unknown members are ignored. */
const firmographicsLines: ReadAnswer = (body, { domain, now }, problemOf) => {
  if (!isObject(body)) return null
  const data = membersOf(body, firmographicsMembers)
  if (Object.keys(data).length === 0) return []
  const line = { kind: 'firmographics', domain, fetched_at: now.toISOString(), ...data }
  return hasWebUrls(data, ['website', 'linkedin_url']) && problemOf(line) === null ? [line] : null
}

/** Reads `{contacts: […]}`. One bad contact makes the answer bad. Dates in the future count as now. */
const contactLines: ReadAnswer = (body, asked, problemOf) => {
  if (!isObject(body) || !Array.isArray(body.contacts) || body.contacts.length > contactsMax) return null
  const lines = body.contacts.map(contact =>
    isObject(contact) ? contactLine(contact, asked, problemOf) : null,
  )
  return lines.every(line => line !== null) ? lines : null
}

function contactLine(contact: Line, { host, now }: Asked, problemOf: RecordProblem): Line | null {
  const data = membersOf(contact, contactMembers)
  const line = {
    kind: 'contact',
    source: host,
    ...data,
    collected_at: pastOf(data.collected_at ?? now.toISOString(), now),
    last_verified_at: pastOf(data.last_verified_at ?? null, now),
    fetched_at: now.toISOString(),
  }
  const isGood =
    hasWebUrls(data, ['source_url', 'linkedin_url']) && problemOf({ ...line, company: 'any' }) === null
  return isGood ? line : null
}

const isObject = (value: unknown): value is Line =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Leaves out members that are missing or null. */
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

/** Replaces a future date by now. The validation judges anything else. */
function pastOf(moment: unknown, now: Date): unknown {
  return typeof moment === 'string' && Date.parse(moment) > now.getTime() ? now.toISOString() : moment
}
