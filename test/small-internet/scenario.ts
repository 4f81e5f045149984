/**
 * A scenario: one site of the small internet, and the expected result of a check. README.md explains the
 * form.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'

export type Scenario = {
  about: string
  domain: string
  /** Is true if the site has an operator context, so that a wrong `pre_launch` would be visible. */
  licensed: boolean
  /** The license of the domain, if it matters. */
  license: { number: string; holder: string } | null
  /** Is true for a background check, which obeys robots.txt. */
  background: boolean
  /** Is true for a scenario that waits for time limits. Only *.faults.test.ts run it. */
  slow: boolean
  /** The records by name. The domain and its `www` are added unless they are listed. */
  dns: Record<string, NameAnswer>
  certificate: CertificateKind
  refuses: ('https' | 'http')[]
  /** The responses by URL, or by path for every host of the domain. Other paths answer 404. */
  responses: Record<string, SiteResponse>
  /** The RDAP answer; null if the registry has no RDAP server. */
  rdap: SiteResponse | null
  expect: Expected
}

/** The records of a name. `later` replaces the addresses after the first query. */
export type NameRecords = { A?: string[]; AAAA?: string[]; NS?: string[]; MX?: string[]; later?: string[] }
export type NameAnswer = 'nxdomain' | 'servfail' | 'silent' | NameRecords

export type CertificateKind = 'valid' | 'wrong_name' | 'expired' | 'self_signed'

export type SiteResponse = {
  /** The responses to the first request, the second and so on. The last one stays. */
  turns?: SiteResponse[]
  status?: number
  headers?: Record<string, string>
  redirect?: string
  /** The name of a file in pages/, in which DOMAIN is replaced. */
  page?: string
  html?: string
  text?: string
  json?: unknown
  /** Sends these bytes. */
  base64?: string
  /** Sends a text of this many bytes as the body. */
  bytes?: number
  /** Sends a gzip that unpacks to this many bytes of text. */
  unpacks_to?: number
  /** Sends single bytes with pauses, without end. */
  drips?: boolean
  /** Waits so long before it sends the response. */
  delay_ms?: number | undefined
  /** Never sends a response. */
  hangs?: boolean
  /** Ends the connection in the middle of the body. */
  cut?: boolean
}

type Expected = {
  web_presence: 'live' | 'parked' | 'blocked' | 'offline' | 'unknown'
  launch: 'pre_launch' | 'launching' | 'live' | 'unknown'
  /** The outcome: `completed`, or the reason of the failure. */
  outcome: string
  /** Values that each section must contain. `none` means that the section has no value. */
  findings?: Record<string, string[] | 'none'>
  /** The number of requests to the site itself. */
  requests?: number
}

type Written = Partial<Omit<Scenario, 'responses' | 'dns' | 'rdap'>> &
  Pick<Scenario, 'about' | 'domain' | 'expect'> & {
    dns?: NameAnswer | Record<string, NameAnswer>
    /** The responses; a text is the name of a page. */
    responses?: Record<string, SiteResponse | string>
    rdap?: SiteResponse
  }

export const publicAddress = '93.184.215.14'
const folder = join(import.meta.dirname, 'scenarios')

/** Loads the scenarios of all files, or of one. */
export function loadScenarios(file?: string): Scenario[] {
  const files = file === undefined ? readdirSync(folder).toSorted() : [file]
  return files.flatMap(name => (load(readFileSync(join(folder, name), 'utf8')) as Written[]).map(scenarioOf))
}

/** Returns a scenario with all that it leaves out. */
export function scenarioOf(written: Written): Scenario {
  const { domain } = written
  const usual = { A: [publicAddress], NS: ['ns1.hosting.example', 'ns2.hosting.example'] }
  const answer = written.dns ?? usual
  const isByName = typeof answer === 'object' && Object.keys(answer).some(key => key.includes('.'))
  const byName = isByName ? (answer as Record<string, NameAnswer>) : { [domain]: answer as NameAnswer }
  const ofDomain = byName[domain] ?? usual
  const responses = Object.entries(written.responses ?? {}).map(([at, response]) => [
    at,
    typeof response === 'string' ? { page: response } : response,
  ])
  return {
    licensed: false,
    license: null,
    background: false,
    slow: false,
    certificate: 'valid',
    refuses: [],
    ...written,
    dns: { [domain]: ofDomain, [`www.${domain}`]: ofDomain, ...byName },
    responses: Object.fromEntries(responses),
    rdap: written.rdap ?? null,
  }
}
