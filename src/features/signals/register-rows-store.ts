import type { RecordKind } from '@baize/registers'
import type { RegisterChangeContent, RegisterEventType } from '@baize/registers/changes'
import type { World } from '../../database/open.ts'
import {
  type DayClauses,
  dayClauses,
  type FeedPage,
  type FeedPosition,
  pageText,
  rangesOf,
  readFeedPage,
  rowsMax,
} from './page-store.ts'
import { streamsOfMarket } from './sources-store.ts'

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

/** Selects a Signal with the ref that its Company had then, before any merge (contract section 7). */
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

export type RegisterFilters = {
  market: string
  stream: string | null
  eventTypes: readonly string[] | null
  publishedLegalName: string | null
}

export function readRegisterRows(
  world: World,
  filters: RegisterFilters,
  { after, days }: FeedPosition,
): Promise<FeedPage<RegisterRow>> {
  const { market, stream, eventTypes, publishedLegalName: name } = filters
  const values = [market, stream, eventTypes, after]
  if (name !== null) {
    const clauses = dayClauses(days, values.length + 1)
    return readFeedPage(world, {
      name: `register_changes_of_name${clauses.variant}`,
      text: pageText({
        ranges: namedSignals(clauses),
        page: namedPage,
        signals: signalColumns,
        sources: streamsOfMarket,
      }),
      values: [...values, name, ...clauses.days],
    })
  }
  const clauses = dayClauses(days, values.length)
  const kind = (table: string) =>
    `${table}.feed = 'register_changes' and ${table}.market = $1
         and ($2::text is null or ${table}.stream = $2)
         and ($3::text[] is null or ${table}.event_type = any ($3))`
  const page = `
      select matching.number
        from ranges
       cross join lateral (
         select signals.number
           from signals
          where signals.stream = ranges.stream
            and signals.event_type = ranges.event_type
            and signals.number > greatest($4::bigint, ranges.first_number - 1)
            and signals.number <= ranges.last_number
            ${clauses.ofSignal}
          order by signals.number
          limit ${rowsMax}
       ) matching
       order by matching.number
       limit ${rowsMax}`
  return readFeedPage(world, {
    name: `register_changes${clauses.variant}`,
    text: pageText({
      ranges: rangesOf(kind, clauses),
      page,
      signals: signalColumns,
      sources: streamsOfMarket,
    }),
    values: [...values, ...clauses.days, ...clauses.months],
  })
}

/** Selects the Signals of a name. They are few, so there are no stored counts. */
function namedSignals(clauses: DayClauses): string {
  return `
      select signals.number, 1 as signals
        from signals
       where signals.market = $1
         and (signals.published_legal_name = $5 or signals.former_legal_name = $5)
         and ($2::text is null or signals.stream = $2)
         and ($3::text[] is null or signals.event_type = any ($3))
         ${clauses.ofSignal}`
}

const namedPage = `
      select number from ranges where number > $4::bigint order by number limit ${rowsMax}`
