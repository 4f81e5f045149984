import type { Database } from '../../database/open.ts'
import { headlineOf } from './add-platform-signals.ts'
import { readExpectedSites } from './platform-sites-store.ts'

type ExpectedSignals = {
  total: number
  /** The first ones, in the order of the feed. */
  signals: { headline: string; occurred_at: Date }[]
}

/** The Signals that a review of the platform would add now. */
export async function expectPlatformSignals(
  database: Database,
  platformId: number,
  limit: number,
): Promise<ExpectedSignals> {
  const sites = await readExpectedSites(database, platformId, limit)
  return {
    total: sites[0]?.total ?? 0,
    signals: sites.map(site => ({ headline: headlineOf(site), occurred_at: site.seenAt })),
  }
}
