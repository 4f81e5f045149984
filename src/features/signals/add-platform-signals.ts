import { derivedRef } from '../../core/ref.ts'
import type { Transaction } from '../../database/open.ts'
import { type PlatformSiteDraft, platformEventType } from './draft.ts'
import { lockSequence, numberSignals } from './number-signals-store.ts'
import {
  correctFirstSeen,
  dropPlatformSites,
  gatherPlatformSites,
  type NewSite,
  readNewSites,
  type SiteSelection,
} from './platform-sites-store.ts'

export type PlatformSignalCounts = { signals: number; corrected: number }

/**
 * Tells the first reading of each operator's site on a reviewed platform (contract section 9), once for ever: a pair that has
 * its Signal gets no second one, and is corrected where an earlier reading came to light. The caller holds `lockFacts`, and
 * this is the last thing that it writes.
 */
export async function addPlatformSignals(
  tx: Transaction,
  { now, ...asked }: SiteSelection & { now: Date },
): Promise<PlatformSignalCounts> {
  await gatherPlatformSites(tx, asked)
  const signals = await numberSignals(tx, draftsOf(readNewSites(tx), now))
  await lockSequence(tx)
  const corrected = await correctFirstSeen(tx, now)
  await dropPlatformSites(tx)
  return { signals, corrected }
}

async function* draftsOf(sites: AsyncIterable<NewSite>, now: Date): AsyncGenerator<PlatformSiteDraft, void> {
  for await (const site of sites) yield draftOf(site, now)
}

function draftOf(site: NewSite, now: Date): PlatformSiteDraft {
  const who = site.brand ?? site.companyName
  return {
    type: 'platform_new_site',
    signalRef: derivedRef('sig', [platformEventType, site.platformKey, site.domain]),
    eventType: platformEventType,
    platformId: site.platformId,
    domainId: site.domainId,
    companyId: site.companyId,
    headline: `${who === null ? '' : `${who}: `}${site.domain} first observed on ${site.platformName}`,
    occurredAt: site.seenAt,
    detectedAt: now,
    // Readings hold no address of their evidence, and the interface would withhold it (§2.9).
    content: { brand: site.brand, source_url: null },
  }
}
