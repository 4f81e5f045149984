/** Asks the operator's source for firmographics, then the sites themselves (§4.6). */
import type { Observe } from '../../core/operation.ts'
import type { SourceAnswer } from '../../core/sources.ts'
import type { World } from '../../database/open.ts'
import { askSites, type SiteAnswer } from './ask-sites.ts'
import { readFirmographicsNow, type StoredFirmographics } from './firmographics-store.ts'
import type { FirmographicsReason } from './schemas.ts'
import type { RefreshOutcome } from './serve-firmographics.ts'

type Answer = SourceAnswer | SiteAnswer
type Refreshed = { outcomes: Map<string, RefreshOutcome>; stored: Map<string, StoredFirmographics> }

const askedAtOnceMax = 8

export type DueDomains = {
  /** Of which the refresh is due. */
  domains: readonly string[]
  /** A check of a site that was completed since then is young enough. */
  freshAfter: Date
}

export const hasSource = ({ sources, checksSites }: Observe): boolean =>
  checksSites || sources.firmographics !== null

/**
 * Stores what the sources answer, at most until the time of the request is up. `stored` has the due Domains
 * as they are stored then. The caller has entered.
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

/** After a failure that will pass, the latest success is the better answer. */
const asksSite = (answer: Answer | undefined): boolean =>
  answer === undefined || answer.outcome === 'no_data' || answer.outcome === 'unavailable'

/** Where the site has nothing, what the source has said counts. */
function joined(ofSource: Answer | undefined, ofSite: SiteAnswer): Answer {
  if (ofSource === undefined || ofSite.outcome === 'found') return ofSite
  return ofSite.outcome === 'no_data' ? ofSource : { outcome: 'temporarily_unavailable' }
}

const attemptOf = (answer: Answer | undefined): Date | undefined =>
  answer !== undefined && 'attemptedAt' in answer ? answer.attemptedAt : undefined

function reasonOf(answer: Answer | undefined, isStored: boolean): FirmographicsReason {
  return answer?.outcome === 'found' && !isStored ? 'source_temporarily_unavailable' : sourceReason(answer)
}

/** Why an answer did not refresh anything; undefined: no source was asked. */
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
