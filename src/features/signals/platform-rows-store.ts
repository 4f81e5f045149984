import type { World } from '../../database/open.ts'
import {
  dayClauses,
  type FeedPage,
  type FeedPosition,
  ownIndexPage,
  pageText,
  rangesOf,
  readFeedPage,
} from './page-store.ts'
import { capturesOfPlatform } from './sources-store.ts'

export type PlatformSiteRow = {
  number: number
  correction_of: string | null
  signal_ref: string
  headline: string
  platform_key: string
  platform_name: string
  domain: string
  company_ref: string
  brand: string | null
  source_url: string | null
  occurred_at: Date
  detected_at: Date
  last_corrected_at: Date | null
}

const signalColumns = `
      select signal.number, signal.correction_of, signal.signal_ref, signal.headline, platform.platform_key,
             platform.name as platform_name,
             (select domain from domains where domains.id = signal.domain_id) as domain,
             (select company_ref from companies where companies.id = signal.company_id) as company_ref,
             signal.content ->> 'brand' as brand, signal.content ->> 'source_url' as source_url,
             signal.occurred_at, signal.detected_at, signal.last_corrected_at
        from page
       cross join lateral (select * from signals where signals.number = page.number offset 0) signal
        join platforms platform on platform.id = signal.platform_id`

export function readPlatformSiteRows(
  world: World,
  platformId: number,
  { after, days }: FeedPosition,
): Promise<FeedPage<PlatformSiteRow>> {
  const clauses = dayClauses(days, 2)
  const kind = (table: string) => `${table}.feed = 'platform_sites' and ${table}.platform_id = $1::bigint`
  return readFeedPage(world, {
    name: `platform_sites${clauses.variant}`,
    text: pageText({
      ranges: rangesOf(kind, clauses),
      page: ownIndexPage('signals.platform_id = $1::bigint', clauses),
      signals: signalColumns,
      sources: capturesOfPlatform,
    }),
    values: [platformId, after, ...clauses.days, ...clauses.months],
  })
}
