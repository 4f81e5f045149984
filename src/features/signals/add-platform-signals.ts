import { derivedRef } from '../../core/ref.ts'
import type { Database, Transaction } from '../../database/open.ts'
import { type PlatformSiteDraft, platformEventType } from './draft.ts'
import { lockSequence, numberSignals } from './number-signals-store.ts'
import {
  correctFirstSeen,
  dropNewSites,
  gatherNewSites,
  hasReviewedReadings,
  type NewSite,
  readExpectedSites,
  readNewSites,
  type SiteSelection,
} from './platform-sites-store.ts'

type PlatformSignalCounts = { signals: number; corrected: number }

/**
 * Adds one Signal per operator site and reviewed platform (contract section 9). An earlier reading corrects
 * a Signal's date. Call this under `lockFacts`, as the last write.
 */
export async function addPlatformSignals(
  tx: Transaction,
  { now, ...selection }: SiteSelection & { now: Date },
): Promise<PlatformSignalCounts> {
  if (!(await hasReviewedReadings(tx, selection))) return { signals: 0, corrected: 0 }
  await gatherNewSites(tx, selection)
  const signals = await numberSignals(tx, draftsOf(readNewSites(tx), now))
  await lockSequence(tx)
  const corrected = await correctFirstSeen(tx, now)
  await dropNewSites(tx)
  return { signals, corrected }
}

async function* draftsOf(sites: AsyncIterable<NewSite>, now: Date): AsyncGenerator<PlatformSiteDraft, void> {
  for await (const site of sites) yield draftOf(site, now)
}

function headlineOf(site: Pick<NewSite, 'brand' | 'companyName' | 'domain' | 'platformName'>): string {
  const operator = site.brand ?? site.companyName
  const prefix = operator === null ? '' : `${operator}: `
  return `${prefix}${site.domain} first observed on ${site.platformName}`
}

function draftOf(site: NewSite, now: Date): PlatformSiteDraft {
  return {
    type: 'platform_new_site',
    signalRef: derivedRef('sig', [platformEventType, site.platformKey, site.domain]),
    eventType: platformEventType,
    platformId: site.platformId,
    domainId: site.domainId,
    companyId: site.companyId,
    headline: headlineOf(site),
    occurredAt: site.seenAt,
    detectedAt: now,
    // The API does not publish the evidence of a reading (§2.9).
    content: { brand: site.brand, source_url: null },
  }
}

type ExpectedSignals = {
  total: number
  /** The first Signals, in the order of the feed. */
  signals: { headline: string; occurred_at: Date }[]
}

/** Returns the Signals that a review of the platform would add now. */
export async function previewPlatformSignals(
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
