import type { Observe } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'
import { findCheck, startUnpaidCheck } from '../enrichments/index.ts'
import { readFirmographicsNow, readSiteFindings, type StoredFirmographics } from './firmographics-store.ts'

export type SiteAnswer =
  /** No lines: what the check read is stored already. */
  (
    | { outcome: 'found'; lines: Record<string, unknown>[] }
    | { outcome: 'no_data' | 'temporarily_unavailable' | 'not_asked' }
  ) & {
    /** When a check answered that ended before the request; absent: the request's own time. */
    attemptedAt?: Date
  }

/** Of one request: nobody pays for these checks. The other Domains are not asked. */
const checksMax = 20
/** A younger check is the refresh, whatever age is asked for: unpaid checks of one site are bounded. */
const checkAgainAfterMs = 60 * 60_000

/** A name, a website or a profile alone are no firmographics that a customer would pay for. */
const tellingMembers = ['company_size', 'employee_count', 'founded_year', 'headquarters']

type Asked = { domains: readonly string[]; freshAfter: Date }

/** Takes, joins or starts a check of each site, and waits for all of them. */
export async function askSites(
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
  if (!tellingMembers.some(member => Object.hasOwn(members, member))) return { outcome: 'no_data' }
  const stored = (await readFirmographicsNow(world, [domain])).get(domain)
  if (wouldErase(stored, members)) return { outcome: 'no_data' }
  const fetchedAt = new Date(Math.max(...findings.map(({ seen_at }) => seen_at.getTime())))
  if (stored !== undefined && stored.fetched_at >= fetchedAt) return { outcome: 'found', lines: [] }
  const line = { kind: 'firmographics', domain, fetched_at: fetchedAt.toISOString(), ...members }
  return { outcome: 'found', lines: [line] }
}

/** A site that says less than is stored does not make the rest unknown. */
function wouldErase(stored: StoredFirmographics | undefined, members: Record<string, unknown>): boolean {
  if (stored === undefined) return false
  return Object.entries(stored.data).some(([name, value]) => value !== null && !Object.hasOwn(members, name))
}
