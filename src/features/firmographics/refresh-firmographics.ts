/** Asks the operator's source for firmographics, then the sites themselves (§4.6). */
import type { Observe, SourceAnswer } from '../../core/observe.ts'
import type { World } from '../../database/open.ts'
import { findCheck, startUnpaidCheck } from '../enrichments/index.ts'
import { readFirmographicsNow, readSiteFindings, type StoredFirmographics } from './firmographics-store.ts'
import type { FirmographicsReason } from './schemas.ts'
import type { RefreshOutcome } from './serve-firmographics.ts'

type Answer = SourceAnswer | SiteAnswer
type Refreshed = { outcomes: Map<string, RefreshOutcome>; stored: Map<string, StoredFirmographics> }

const askedAtOnceMax = 8

export type DueDomains = {
  /** The Domains whose refresh is due. */
  domains: readonly string[]
  /** A check of a site that was completed after this time is recent enough. */
  freshAfter: Date
}

export const hasFirmographicsSource = ({ sources, checksSites }: Observe): boolean =>
  checksSites || sources.firmographics !== null

/**
 * Stores the answers of the sources that arrive before the request's deadline. `stored` has the resulting
 * data of the due Domains. The caller must have called `observe.enter`.
 */
export async function refreshFirmographics(
  world: World,
  observe: Observe,
  { domains, freshAfter }: DueDomains,
): Promise<Refreshed> {
  const startedAt = observe.now()
  const answers: Map<string, Answer> = await askSource(observe, domains)
  const ofSites = domains.filter(domain => asksSite(answers.get(domain)))
  if (observe.checksSites && ofSites.length > 0)
    for (const [domain, answer] of await askSites(world, observe, { domains: ofSites, freshAfter }))
      answers.set(domain, joined(answers.get(domain), answer))
  const lines = [...answers.values()].flatMap(answer => (answer.outcome === 'found' ? answer.lines : []))
  const isStored = lines.length === 0 || (await observe.sources.store(lines))
  const stored = await readFirmographicsNow(world, domains)
  const outcomes = domains.map((domain): [string, RefreshOutcome] => {
    const answer = answers.get(domain)
    const attemptedAt = attemptOf(answer) ?? startedAt
    const isKept = isStored && stored.has(domain)
    if (answer?.outcome === 'found' && isKept)
      return [domain, { status: 'completed', attemptedAt, wasStored: answer.lines.length === 0 }]
    const reason = reasonOf(answer, isStored)
    if (answer?.outcome === 'not_asked')
      return [domain, { status: 'not_attempted', attemptedAt: null, reason }]
    return [domain, { status: 'failed', attemptedAt, reason }]
  })
  return { outcomes: new Map(outcomes), stored }
}

async function askSource(observe: Observe, domains: readonly string[]): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>()
  const { firmographics: ask } = observe.sources
  if (ask === null) return answers
  const pending = domains.values()
  const askInTurn = async () => {
    for (const domain of pending) answers.set(domain, await ask(domain, observe.limit()))
  }
  await Promise.all(Array.from({ length: askedAtOnceMax }, askInTurn))
  return answers
}

/**
 * Returns true if the site should be checked. After a temporary failure of the source it is not, because
 * stored data from the source is better.
 */
const asksSite = (answer: Answer | undefined): boolean =>
  answer === undefined || answer.outcome === 'no_data' || answer.outcome === 'unavailable'

/** Combines both answers. The source's answer counts if the site has no data. */
function joined(ofSource: Answer | undefined, ofSite: SiteAnswer): Answer {
  if (ofSource === undefined || ofSite.outcome === 'found') return ofSite
  return ofSite.outcome === 'no_data' ? ofSource : { outcome: 'temporarily_unavailable' }
}

const attemptOf = (answer: Answer | undefined): Date | undefined =>
  answer !== undefined && 'attemptedAt' in answer ? answer.attemptedAt : undefined

function reasonOf(answer: Answer | undefined, isStored: boolean): FirmographicsReason {
  return answer?.outcome === 'found' && !isStored ? 'source_temporarily_unavailable' : sourceReason(answer)
}

/** Explains why an answer refreshed nothing. It is undefined if no source was asked. */
export function sourceReason(answer: Pick<Answer, 'outcome'> | undefined): FirmographicsReason {
  switch (answer?.outcome) {
    case 'no_data':
      return 'not_resolved'
    case 'too_large':
      return 'response_too_large'
    case 'temporarily_unavailable':
    case 'not_asked':
      return 'source_temporarily_unavailable'
    default:
      return 'source_unavailable'
  }
}

type SiteAnswer =
  /** The answer has no lines, because the findings of a check are stored already. */
  (
    | { outcome: 'found'; lines: Record<string, unknown>[] }
    | { outcome: 'no_data' | 'temporarily_unavailable' | 'not_asked' }
  ) & {
    /** The end of a check that ended before the request; absent for the request's own time. */
    attemptedAt?: Date
  }

/** The most checks of one request, because no account pays for them. Further sites are not checked. */
const checksMax = 20
/** A younger check counts as the refresh, whatever the requested age, to limit a site's unpaid checks. */
const checkAgainAfterMs = 60 * 60_000

/** At least one of these members is required: a name, website or profile alone is not worth the price. */
const valuableMembers = ['company_size', 'employee_count', 'founded_year', 'headquarters']

type Asked = { domains: readonly string[]; freshAfter: Date }

/** Starts, joins or reuses a check of each site, and waits for all of them. */
async function askSites(
  world: World,
  observe: Observe,
  { domains, freshAfter }: Asked,
): Promise<Map<string, SiteAnswer>> {
  const now = observe.now()
  const asked = {
    freshAfter: new Date(Math.min(freshAfter.getTime(), now.getTime() - checkAgainAfterMs)),
    now,
  }
  const answers = new Map<string, SiteAnswer>()
  for (const domain of domains.slice(checksMax)) answers.set(domain, { outcome: 'not_asked' })
  const checks: { domain: string; checkId: number }[] = []
  for (const domain of domains.slice(0, checksMax))
    checks.push({
      domain,
      checkId: (await startUnpaidCheck(world.database, { ...asked, domain })).checkId,
    })
  const answered = checks.map(async ({ domain, checkId }) => {
    await observe.wait(checkId)
    const check = await findCheck(world.database, checkId)
    const endedAt = check?.finished_at ?? now
    const answer = await answerOf(world, domain, check)
    answers.set(domain, endedAt < now ? { ...answer, attemptedAt: endedAt } : answer)
  })
  await Promise.all(answered)
  return answers
}

type Check = Awaited<ReturnType<typeof findCheck>>

async function answerOf(world: World, domain: string, check: Check): Promise<SiteAnswer> {
  if (check?.state !== 'completed') return { outcome: 'temporarily_unavailable' }
  const findings = await readSiteFindings(world.database, check.id)
  const members: Record<string, unknown> = Object.assign({}, ...findings.map(({ value }) => value))
  if (!valuableMembers.some(member => Object.hasOwn(members, member))) return { outcome: 'no_data' }
  const stored = (await readFirmographicsNow(world, [domain])).get(domain)
  if (wouldErase(stored, members)) return { outcome: 'no_data' }
  const fetchedAt = new Date(Math.max(...findings.map(({ seen_at }) => seen_at.getTime())))
  if (stored !== undefined && stored.fetched_at >= fetchedAt) return { outcome: 'found', lines: [] }
  const line = { kind: 'firmographics', domain, fetched_at: fetchedAt.toISOString(), ...members }
  return { outcome: 'found', lines: [line] }
}

/** Returns true if a site states less than is stored, in which case the stored data stays. */
function wouldErase(stored: StoredFirmographics | undefined, members: Record<string, unknown>): boolean {
  if (stored === undefined) return false
  return Object.entries(stored.data).some(([name, value]) => value !== null && !Object.hasOwn(members, name))
}
