import { foldedWords } from '../../src/core/fold-text.ts'
import type { Finding } from '../../src/observation/finding.ts'
import { readCaptures } from '../../src/observation/read/read-captures.ts'
import type { LabelledSite } from './labelled-sites.ts'

export const scoredSections = [
  'payment_methods',
  'supplier_brands',
  'affiliate_programs',
  'geo',
  'related_domains',
  'platform',
  'legal_claims',
  'public_contacts',
  'web_presence',
  'launch',
] as const
type ScoredSection = (typeof scoredSections)[number]

export type Mistake = {
  site: string
  section: ScoredSection
  kind: 'wrong' | 'missed' | 'tempted'
  value: string
  rule: string | null
  snippet: string | null
}

export type SectionScore = { right: number; wrong: number; missed: number }

export type Score = {
  sites: number
  pages: number
  sections: Record<ScoredSection, SectionScore>
  /** Values that a label names as tempting and wrong. */
  tempted: number
  falsePreLaunch: string[]
  falseLive: string[]
  mistakes: Mistake[]
}

export async function scoreSites(sites: readonly LabelledSite[]): Promise<Score> {
  const score: Score = {
    sites: sites.length,
    pages: sites.reduce((pages, { responses }) => pages + responses.length, 0),
    sections: Object.fromEntries(
      scoredSections.map(section => [section, { right: 0, wrong: 0, missed: 0 }]),
    ) as Score['sections'],
    tempted: 0,
    falsePreLaunch: [],
    falseLive: [],
    mistakes: [],
  }
  for (const site of sites) await scoreSite(site, score)
  return score
}

export const precisionOf = ({ right, wrong }: SectionScore) =>
  right + wrong === 0 ? 1 : right / (right + wrong)
export const recallOf = ({ right, missed }: SectionScore) =>
  right + missed === 0 ? 1 : right / (right + missed)

async function scoreSite(site: LabelledSite, score: Score): Promise<void> {
  const { domain, captures, licensed = false } = site
  const { findings } = await readCaptures(captures, { domain, licensed, earlierLive: false })
  for (const section of scoredSections) scoreSection(site, section, { findings, score })
  const launch = statusOf(findings, 'launch')
  if (launch === 'pre_launch' && !allowed(site, 'launch').includes('pre_launch'))
    score.falsePreLaunch.push(site.name)
  if (launch === 'live' && !allowed(site, 'launch').includes('live')) score.falseLive.push(site.name)
}

type Scoring = { findings: readonly Finding[]; score: Score }

function scoreSection(site: LabelledSite, section: ScoredSection, { findings, score }: Scoring): void {
  const { labels, name } = site
  const counts = score.sections[section]
  const found = new Map(
    findings.filter(each => each.section === section).flatMap(each => keysOf(each).map(key => [key, each])),
  )
  const expected = expectedOf(site, section, [...found.keys()])
  const is = (list: readonly string[] | undefined, key: string) =>
    list?.some(each => isNamed(section, each, key))
  const note = (kind: Mistake['kind'], value: string, finding?: Finding) =>
    score.mistakes.push({
      site: name,
      section,
      kind,
      value,
      rule: finding?.rule ?? null,
      snippet: finding?.snippet ?? null,
    })
  for (const [key, finding] of found) {
    if (expected.has(key)) {
      counts.right += 1
      continue
    }
    if (is(labels.either?.[section], key) === true) continue
    counts.wrong += 1
    note('wrong', key, finding)
    if (is(labels.must_not?.[section], key) !== true) continue
    score.tempted += 1
    note('tempted', key, finding)
  }
  for (const key of expected) {
    if (found.has(key) || is(labels.either?.[section], key) === true) continue
    counts.missed += 1
    note('missed', key)
  }
}

const fold = (text: string) => foldedWords(text).join(' ')
/** The number belongs to the licensee: an operator's claim may name it too. */
const claimKey = (type: string, name: string, number: string | null) =>
  `${type}|${fold(name)}|${type === 'licensee' ? fold(number ?? '').replaceAll(' ', '') : ''}`

function keysOf({ section, value }: Finding): string[] {
  switch (section) {
    case 'payment_methods':
      return [fold(String(value.normalized_name))]
    case 'supplier_brands':
      return [fold(String(value.normalized_provider_name))]
    case 'affiliate_programs':
      return [webKey(String(value.program_url))]
    case 'geo':
      return [...(value.languages as string[]), ...(value.currencies as string[])]
    case 'related_domains':
      return [String(value.related_domain_normalized).toLowerCase()]
    case 'platform':
      return [fold(String(value.platform))]
    case 'legal_claims':
      return [
        claimKey(String(value.claim_type), String(value.claimed_name), value.license_number as string | null),
      ]
    case 'public_contacts':
      return [String(value.value).toLowerCase()]
    default:
      return [String(value.status)]
  }
}

const webKey = (url: string) => url.replace(/\/$/, '').toLowerCase()

/** Of a status several may be right. */
function expectedOf(site: LabelledSite, section: ScoredSection, found: readonly string[]): Set<string> {
  const { labels } = site
  switch (section) {
    case 'web_presence':
    case 'launch': {
      const right = allowed(site, section)
      return new Set(right.includes(found[0] ?? '') ? [found[0] as string] : right.slice(0, 1))
    }
    case 'geo':
      return new Set([...labels.geo.languages, ...labels.geo.currencies])
    case 'legal_claims':
      return new Set(
        labels.legal_claims.map(each => claimKey(each.claim_type, each.claimed_name, each.license_number)),
      )
    case 'affiliate_programs':
      return new Set(labels.affiliate_programs.map(webKey))
    case 'related_domains':
    case 'public_contacts':
      return new Set(labels[section].map(text => text.toLowerCase()))
    default:
      return new Set(labels[section].map(fold))
  }
}

function allowed({ labels }: LabelledSite, section: 'web_presence' | 'launch'): string[] {
  return [labels[section].status].flat()
}

const statusOf = (findings: readonly Finding[], section: string) =>
  String(findings.find(each => each.section === section)?.value.status ?? '')

/** `operator|Otter Ltd|MGA/1`, `operator|Otter Ltd` or `Otter Ltd` of a claim; else the value itself. */
function isNamed(section: ScoredSection, listed: string, key: string): boolean {
  if (section === 'affiliate_programs') return webKey(listed) === key
  if (section === 'geo') return listed === key
  if (section === 'related_domains' || section === 'public_contacts') return listed.toLowerCase() === key
  if (section !== 'legal_claims') return fold(listed) === key
  const parts = listed.split('|')
  if (parts.length === 1) return key.split('|')[1] === fold(listed)
  const [type = '', name = '', number] = parts
  return number === undefined
    ? key.startsWith(`${type}|${fold(name)}|`)
    : key === claimKey(type, name, number === '' ? null : number)
}
