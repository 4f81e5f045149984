import { foldedWords } from '@baize/names'
import { type Finding, readCaptures } from '@baize/site-reader'
import type { LabelledSite, Labels } from './labelled-sites.ts'

/** Compares the findings of a section with its labels by texts. */
type Scored = {
  /** Returns the texts of a finding. */
  keys(value: Finding['value']): string[]
  /** Returns the text of a label, also of `either` and `must_not`. */
  key(label: string): string
  /** Returns the right texts if the labels are not a list of texts. `found` has the texts of the check. */
  expected?(labels: Labels, found: readonly string[]): string[]
  /** Checks whether a label of `either` or `must_not` names a value. The default compares their texts. */
  isNamed?(label: string, key: string): boolean
}

const fold = (text: string) => foldedWords(text).join(' ')
const lower = (text: string) => text.toLowerCase()
const webKey = (url: string) => url.replace(/\/$/, '').toLowerCase()

const listOf = (member: string, key: Scored['key']): Scored => ({
  keys: value => [key(String(value[member]))],
  key,
})

/** Scores a status, which may have several right values. */
const statusOf = (section: 'web_presence' | 'launch'): Scored => ({
  ...listOf('status', String),
  expected(labels, [found = '']) {
    const right = allowed(labels, section)
    return right.includes(found) ? [found] : right.slice(0, 1)
  },
})

const sections = {
  payment_methods: listOf('normalized_name', fold),
  supplier_brands: listOf('normalized_provider_name', fold),
  affiliate_programs: listOf('program_url', webKey),
  geo: {
    keys: value => [...(value.languages as string[]), ...(value.currencies as string[])],
    key: String,
    expected: ({ geo }) => [...(geo?.languages ?? []), ...(geo?.currencies ?? [])],
  },
  related_domains: listOf('related_domain_normalized', lower),
  platform: listOf('platform', fold),
  legal_claims: {
    keys: ({ claim_type, claimed_name, license_number }) => [
      claimKey(String(claim_type), String(claimed_name), license_number as string | null),
    ],
    key: fold,
    expected: ({ legal_claims }) =>
      legal_claims.map(each => claimKey(each.claim_type, each.claimed_name, each.license_number)),
    isNamed: isNamedClaim,
  },
  company_numbers: {
    keys: ({ claimed_name, company_registration_number: number }) =>
      typeof number === 'string' ? [numberKey(`${String(claimed_name)}|${number}`)] : [],
    key: numberKey,
  },
  public_contacts: listOf('value', lower),
  web_presence: statusOf('web_presence'),
  launch: statusOf('launch'),
  registration: {
    keys: ({ registrant, ...value }) => registrationKeys({ ...value, ...(registrant as object) }),
    key: fold,
    expected: ({ registration }) => registrationKeys(registration ?? {}),
  },
} satisfies Record<string, Scored>

/** The section of findings that a scored section compares, if its name is another. */
const findingSections: Partial<Record<ScoredSection, string>> = { company_numbers: 'legal_claims' }

type ScoredSection = keyof typeof sections
export const scoredSections = Object.keys(sections) as ScoredSection[]

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
  /** The number of found values that a label lists as tempting and wrong. */
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
  const launch = findings.find(each => each.section === 'launch')?.value.status
  const right = allowed(site.labels, 'launch')
  if (launch === 'pre_launch' && !right.includes('pre_launch')) score.falsePreLaunch.push(site.name)
  if (launch === 'live' && !right.includes('live')) score.falseLive.push(site.name)
}

type Scoring = { findings: readonly Finding[]; score: Score }

function scoreSection(site: LabelledSite, section: ScoredSection, { findings, score }: Scoring): void {
  const { labels, name } = site
  if (labels[section] === undefined) return
  const counts = score.sections[section]
  const scored: Scored = sections[section]
  const found = new Map(
    findings
      .filter(each => each.section === (findingSections[section] ?? section))
      .flatMap(each => scored.keys(each.value).map(key => [key, each])),
  )
  const expected = new Set(
    scored.expected?.(labels, [...found.keys()]) ??
      (labels[section] as string[]).map(label => rightKey(label, { scored, found })),
  )
  const is = (list: readonly string[] | undefined, key: string) =>
    list?.some(each => scored.isNamed?.(each, key) ?? scored.key(each) === key)
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

/** Returns the found one of the names that a label separates by ` | `, or else the first. */
function rightKey(label: string, { scored, found }: { scored: Scored; found: Map<string, unknown> }): string {
  const keys = label.split(' | ').map(scored.key)
  return keys.find(key => found.has(key)) ?? keys[0] ?? ''
}

/** Returns the text of `name|number`, which has only the digits, because prefixes may be left out. */
function numberKey(label: string): string {
  const at = label.lastIndexOf('|')
  return `${fold(label.slice(0, at))}|${label.slice(at + 1).replaceAll(/\D/g, '')}`
}

const registrationFields = [
  'registrar',
  'registered_at',
  'updated_at',
  'expires_at',
  'disclosure_status',
  'organization',
  'country_code',
]

/** Returns the fields of a registration as texts. Dates have their day only. */
function registrationKeys(values: Record<string, unknown>): string[] {
  return registrationFields.flatMap(field => {
    const value = values[field]
    if (typeof value !== 'string') return []
    return [`${field} ${field.endsWith('_at') ? value.slice(0, 10) : fold(value)}`]
  })
}

/**
 * Returns the text of a claim. Only a licensee's has the number, because an operator's claim may name it or
 * not.
 */
const claimKey = (type: string, name: string, number: string | null) =>
  `${type}|${fold(name)}|${type === 'licensee' ? fold(number ?? '').replaceAll(' ', '') : ''}`

function allowed(labels: Labels, section: 'web_presence' | 'launch'): string[] {
  return [labels[section].status].flat()
}

/** Compares a claim with a label: `operator|Otter Ltd|MGA/1`, `operator|Otter Ltd` or `Otter Ltd`. */
function isNamedClaim(label: string, key: string): boolean {
  const parts = label.split('|')
  if (parts.length === 1) return key.split('|')[1] === fold(label)
  const [type = '', name = '', number] = parts
  return number === undefined
    ? key.startsWith(`${type}|${fold(name)}|`)
    : key === claimKey(type, name, number === '' ? null : number)
}
