/** A scenario: one site of the small internet, and what a check must say of it. README.md explains the form. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

export type Scenario = {
  about: string
  domain: string
  /** It has an operator context, so that a wrong `pre_launch` would be said. */
  licensed: boolean
  /** Of the license, if it matters. */
  license: { number: string; holder: string } | null
  /** Asked by the background refresh, which obeys robots.txt. */
  background: boolean
  /** Slow scenarios wait for time limits; only *.faults.test.ts run them. */
  slow: boolean
  /** By name; the domain and its `www` are added unless they are here. */
  dns: Record<string, NameAnswer>
  certificate: CertificateKind
  refuses: ('https' | 'http')[]
  /** By URL, or by path for every host of the domain. Other paths are 404. */
  responses: Record<string, SiteResponse>
  /** null: the registry has no RDAP server. */
  rdap: SiteResponse | null
  expect: Expected
}

/** `later` replaces the addresses after the first query. */
export type NameRecords = { A?: string[]; AAAA?: string[]; NS?: string[]; MX?: string[]; later?: string[] }
export type NameAnswer = 'nxdomain' | 'servfail' | 'silent' | NameRecords

export type CertificateKind = 'valid' | 'wrong_name' | 'expired' | 'self_signed'

export type SiteResponse = {
  status?: number
  headers?: Record<string, string>
  redirect?: string
  /** A file of pages/, in which DOMAIN is replaced. */
  page?: string
  html?: string
  text?: string
  json?: unknown
  /** So many bytes of text. */
  bytes?: number
  /** gzip of so many bytes of text. */
  unpacks_to?: number
  /** A byte now and then, without end. */
  drips?: boolean
  /** No response. */
  hangs?: boolean
  /** The connection ends in the middle of the body. */
  cut?: boolean
}

type Expected = {
  web_presence: 'live' | 'parked' | 'blocked' | 'offline' | 'unknown'
  launch: 'pre_launch' | 'launching' | 'live' | 'unknown'
  /** `completed`, or why it failed. */
  outcome: string
  /** By section, at least these values; none: no value at all. */
  findings?: Record<string, string[] | 'none'>
  /** Requests to the site itself. */
  requests?: number
}

type Written = Partial<Omit<Scenario, 'responses' | 'dns' | 'rdap'>> &
  Pick<Scenario, 'about' | 'domain' | 'expect'> & {
    dns?: NameAnswer | Record<string, NameAnswer>
    /** A text is the name of a page. */
    responses?: Record<string, SiteResponse | string>
    rdap?: SiteResponse
  }

export const publicAddress = '93.184.215.14'
const folder = join(import.meta.dirname, 'scenarios')

/** The scenarios of all files, or of one. */
export function loadScenarios(file?: string): Scenario[] {
  const files = file === undefined ? readdirSync(folder).toSorted() : [file]
  return files.flatMap(name => (parse(readFileSync(join(folder, name), 'utf8')) as Written[]).map(asScenario))
}

function asScenario(written: Written): Scenario {
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
