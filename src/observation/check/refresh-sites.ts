import type { World } from '../../database/open.ts'
import { startBackgroundCheck } from '../../features/enrichments/index.ts'
import { countRefreshes, dueDomains, tryLockRefresh } from './refresh-store.ts'

const minutesPerDay = 24 * 60

/**
 * Starts the background checks of one minute, so that a day has at most `perDay` (OBSERVE_PER_DAY), evenly
 * spread. Returns how many.
 */
export function refreshSites(world: World, perDay: number, now: Date): Promise<number> {
  return world.database.transaction().execute(async tx => {
    if (perDay === 0 || !(await tryLockRefresh(tx))) return 0
    const left = perDay - (await countRefreshes(tx, now))
    const atMost = Math.min(left, startsInMinute(perDay, now))
    if (atMost <= 0) return 0
    const domains = await dueDomains(tx, now, atMost)
    for (const domain of domains) await startBackgroundCheck(tx, { domain, askedBy: 'refresh', now })
    return domains.length
  })
}

/** Shares of a minute add up: 100 a day start one about each 14 minutes. */
function startsInMinute(perDay: number, now: Date): number {
  const minute = Math.floor(now.getTime() / 60_000) % minutesPerDay
  const startedBy = (minutes: number) => Math.floor((minutes * perDay) / minutesPerDay)
  return startedBy(minute + 1) - startedBy(minute)
}
