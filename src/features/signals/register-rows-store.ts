import type { World } from '../../database/open.ts'
import type { RecordKind, RegisterChangeContent, RegisterEventType } from './draft.ts'
import { type FeedPage, type PagePosition, type RegisterFilters, readRegisterPage } from './page-store.ts'

export type RegisterRow = {
  number: number
  signal_ref: string
  headline: string
  stream: string
  market: string
  event_type: RegisterEventType
  record_kind: RecordKind
  published_legal_name: string | null
  company_ref: string | null
  source_claim: string | null
  qualification: string | null
  source_identity: string | null
  occurred_at: Date
  detected_at: Date
  last_corrected_at: Date | null
  content: RegisterChangeContent
  correction_of: string | null
  is_backfill: boolean
}

/** With the ref that the Company had, even if it was merged since (contract section 7). */
const signalColumns = `
      select signal.number, signal.signal_ref, signal.headline, signal.stream, signal.market,
             signal.event_type,
             signal.record_kind, signal.published_legal_name, signal.occurred_at, signal.detected_at,
             signal.last_corrected_at, signal.content, signal.correction_of, signal.is_backfill,
             source.source_claim, source.qualification, source.source_identity,
             (select company_ref from companies where companies.id = signal.company_id) as company_ref
        from page
       cross join lateral (select * from signals where signals.number = page.number offset 0) signal
        left join register_streams source on source.stream = signal.stream`

export function readRegisterRows(
  world: World,
  filters: RegisterFilters,
  position: PagePosition,
): Promise<FeedPage<RegisterRow>> {
  return readRegisterPage(world, filters, position, signalColumns)
}
