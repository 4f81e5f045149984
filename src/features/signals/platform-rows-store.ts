import type { World } from '../../database/open.ts'
import { type FeedPage, type PagePosition, readPlatformPage } from './page-store.ts'

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
  position: PagePosition,
): Promise<FeedPage<PlatformSiteRow>> {
  return readPlatformPage(world, platformId, position, signalColumns)
}
