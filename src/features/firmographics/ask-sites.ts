import type { Observe } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'
import { findCheck, startUnpaidCheck } from '../enrichments/index.ts'
import { readFirmographicsNow, readSiteFindings } from './firmographics-store.ts'

export type SiteAnswer =
  | { outcome: 'found'; lines: Record<string, unknown>[] }
  | { outcome: 'no_data' | 'temporarily_unavailable' | 'not_asked' }

/** Of one request: nobody pays for these checks. The other Domains are not asked. */
const checksMax = 20

/** A name, a website or a profile alone are no firmographics that a customer would pay for. */
const tellingMembers = ['company_size', 'employee_count', 'founded_year', 'headquarters']

type Asked = { domains: readonly string[]; freshAfter: Date }

/** Starts or joins a check of each site, and waits for all of them. */
export async function askSites(
  world: World,
  observe: Observe,
  { domains, freshAfter }: Asked,
): Promise<Map<string, SiteAnswer>> {
  const answers = new Map<string, SiteAnswer>()
  for (const domain of domains.slice(checksMax)) answers.set(domain, { outcome: 'not_asked' })
  const checks: { domain: string; checkId: number }[] = []
  for (const domain of domains.slice(0, checksMax)) {
    const asked = { domain, freshAfter, now: observe.now() }
    checks.push({ domain, checkId: (await startUnpaidCheck(world.database, asked)).checkId })
  }
  const answered = checks.map(async ({ domain, checkId }) => {
    await observe.wait(checkId)
    answers.set(domain, await answerOf(world, domain, checkId))
  })
  await Promise.all(answered)
  return answers
}

async function answerOf(world: World, domain: string, checkId: number): Promise<SiteAnswer> {
  const { database } = world
  const check = await findCheck(database, checkId)
  if (check?.state !== 'completed') return { outcome: 'temporarily_unavailable' }
  const findings = await readSiteFindings(database, checkId)
  const members: Record<string, unknown> = Object.assign({}, ...findings.map(({ value }) => value))
  if (!tellingMembers.some(member => Object.hasOwn(members, member))) return { outcome: 'no_data' }
  if (await wouldErase(world, domain, members)) return { outcome: 'no_data' }
  const fetchedAt = new Date(Math.max(...findings.map(({ seen_at }) => seen_at.getTime())))
  const line = { kind: 'firmographics', domain, fetched_at: fetchedAt.toISOString(), ...members }
  return { outcome: 'found', lines: [line] }
}

/** A site that says less than is stored does not make the rest unknown. */
async function wouldErase(world: World, domain: string, members: Record<string, unknown>): Promise<boolean> {
  const stored = (await readFirmographicsNow(world, [domain])).get(domain)
  if (stored === undefined) return false
  return Object.entries(stored.data).some(([name, value]) => value !== null && !Object.hasOwn(members, name))
}
