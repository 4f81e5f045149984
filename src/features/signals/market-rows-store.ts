import type { RegisterChangeContent } from '@baize/registers/changes'
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
import { entrySourcesOfMarket } from './sources-store.ts'

/** The sections of a market entry (§4.1). A separate operation sells each. */
export const sections = ['firmographics', 'contacts'] as const
export type Section = (typeof sections)[number]

type DomainEntry = { domain_ref: string | null; domain: string; inferred_geo: string | null }

type StoredRow = {
  number: number
  correction_of: string | null
  is_backfill: boolean
  signal_ref: string
  headline: string
  stream: string
  published_legal_name: string
  company_id: number
  company_ref: string
  license_ref: string
  occurred_at: Date
  detected_at: Date
  last_corrected_at: Date | null
  content: RegisterChangeContent
  authorized_domains: DomainEntry[] | null
  is_listed: boolean
  regulator: string | null
  regulator_country_code: string | null
  official_url: string | null
  source_identity: string | null
  cadence_hours: number | null
  last_taken_at: Date | null
  last_confirmed_at: Date | null
  last_run_at: Date | null
  is_quarantined: boolean
  hold_reasons: string[] | null
}

export type MarketRow = StoredRow & {
  availableSections: readonly Section[]
}

/** Selects a Signal with the domains published with the change, and their current refs and locations. */
const signalColumns = `
      select signal.number, signal.correction_of, signal.is_backfill, signal.signal_ref, signal.headline,
             signal.stream,
             signal.published_legal_name,
             signal.company_id, signal.occurred_at, signal.detected_at, signal.last_corrected_at,
             signal.content, source.regulator, source.regulator_country_code, source.official_url,
             source.source_identity, source.cadence_hours, source.last_taken_at, source.last_confirmed_at,
             source.last_run_at,
             source.quarantined_snapshot_id is not null as is_quarantined,
             (select hold_reasons from register_snapshots
               where id = source.quarantined_snapshot_id) as hold_reasons,
             (select company_ref from companies where companies.id = signal.company_id) as company_ref,
             (select license_ref from licenses where licenses.id = signal.license_id) as license_ref,
             exists (
               select from license_states state
                where state.license_id = signal.license_id and state.known_to is null
             ) as is_listed,
             (select json_agg(json_build_object('domain_ref', domain.domain_ref, 'domain', published.domain,
                                                'inferred_geo', domain.inferred_geo)
                              order by published.position)
                from jsonb_array_elements_text(signal.content -> 'authorized_domains')
                     with ordinality as published (domain, position)
                left join lateral (
                  select domain_ref, inferred_geo
                    from domains
                   where domains.domain = published.domain
                  offset 0
                ) domain on true
             ) as authorized_domains
        from page
       cross join lateral (select * from signals where signals.number = page.number offset 0) signal
        left join register_streams source on source.stream = signal.stream`

export async function readMarketRows(
  world: World,
  market: string,
  position: FeedPosition,
  include: readonly Section[],
): Promise<FeedPage<MarketRow>> {
  const page = await readStoredRows(world, market, position)
  const companyIds = include.length === 0 ? [] : page.rows.map(row => row.company_id)
  const sections = companyIds.length === 0 ? null : await readAvailableSections(world, companyIds)
  const rows = page.rows.map(row => ({ ...row, availableSections: sections?.get(row.company_id) ?? [] }))
  return { ...page, rows }
}

function readStoredRows(
  world: World,
  market: string,
  { after, days }: FeedPosition,
): Promise<FeedPage<StoredRow>> {
  const clauses = dayClauses(days, 2)
  const kind = (table: string) => `${table}.feed = 'market_entries' and ${table}.market = $1`
  return readFeedPage(world, {
    name: `market_entries${clauses.variant}`,
    text: pageText({
      ranges: rangesOf(kind, clauses),
      page: ownIndexPage('signals.market = $1 and signals.is_market_entry', clauses),
      signals: signalColumns,
      sources: entrySourcesOfMarket,
    }),
    values: [market, after, ...clauses.days, ...clauses.months],
  })
}

type Row = { company_id: number; firmographics: boolean; contacts: boolean }

/** Reads the available sections of Companies. A merged Company has those of its survivor. */
async function readAvailableSections(world: World, companyIds: readonly number[]) {
  const rows = await world.read<Row>({
    name: 'available_sections',
    text: `
      select named.id as company_id,
             (search.hit ->> 'firmographics_available')::boolean as firmographics,
             (search.hit ->> 'contacts_available')::boolean as contacts
        from companies named
        join company_search search on search.id = coalesce(named.merged_into, named.id)
       where named.id = any ($1::bigint[])`,
    values: [companyIds],
    genericPlan: true,
  })
  return new Map(rows.map(row => [row.company_id, sections.filter(section => row[section])]))
}
