import type { World } from '../../database/open.ts'
import type { Days } from './days-store.ts'
import type { RegisterChangeContent } from './draft.ts'
import { type FeedPage, readMarketPage } from './page-store.ts'

export type DomainEntry = { domain_ref: string | null; domain: string; inferred_geo: string | null }

export type MarketRow = {
  number: number
  signal_ref: string
  headline: string
  stream: string
  published_legal_name: string
  company_ref: string
  license_ref: string
  occurred_at: Date
  detected_at: Date
  last_corrected_at: Date | null
  content: RegisterChangeContent
  authorized_domains: DomainEntry[] | null
  /** Whether the register still has the license. */
  is_listed: boolean
  regulator: string | null
  regulator_country_code: string | null
  official_url: string | null
  source_identity: string | null
  cadence_hours: number | null
  last_taken_at: Date | null
  last_confirmed_at: Date | null
  last_run_at: Date | null
  is_held: boolean
  hold_reasons: string[] | null
  /** Read only where it is asked for. */
  sections?: HeldSections
}

/** What is held of a Company, to be resolved by itself. */
export type HeldSections = { firmographics: boolean; contacts: boolean }

/** Domains are told as they were published, with the ref and the place that are held of them today. */
const told = `
      select signal.number, signal.signal_ref, signal.headline, signal.stream, signal.published_legal_name,
             signal.occurred_at, signal.detected_at, signal.last_corrected_at, signal.content,
             source.regulator, source.regulator_country_code, source.official_url, source.source_identity,
             source.cadence_hours, source.last_taken_at, source.last_confirmed_at, source.last_run_at,
             source.held_snapshot_id is not null as is_held,
             (select hold_reasons from register_snapshots where id = source.held_snapshot_id) as hold_reasons,
             (select company_ref from companies where companies.id = signal.company_id) as company_ref,
             (select license_ref from licenses where licenses.id = signal.license_id) as license_ref,
             exists (
               select from license_states state
                where state.license_id = signal.license_id and state.known_to is null
             ) as is_listed,
             (select json_agg(json_build_object('domain_ref', domain.domain_ref, 'domain', published.domain,
                                                'inferred_geo', domain.inferred_geo) order by published.position)
                from jsonb_array_elements_text(signal.content -> 'authorized_domains')
                     with ordinality as published (domain, position)
                left join lateral (
                  select domain_ref, inferred_geo from domains where domains.domain = published.domain offset 0
                ) domain on true
             ) as authorized_domains
        from page
       cross join lateral (select * from signals where signals.number = page.number offset 0) signal
        left join register_streams source on source.stream = signal.stream`

export async function readMarketRows(
  world: World,
  market: string,
  after: number,
  days: Days | null,
  { withSections }: { withSections: boolean },
): Promise<FeedPage<MarketRow>> {
  const page = await readMarketPage<MarketRow>(world, market, after, days, told)
  if (!withSections) return page
  const held = await readHeldSections(
    world,
    page.rows.map(row => row.company_ref),
  )
  return { ...page, rows: page.rows.map(row => ({ ...row, ...held.get(row.company_ref) })) }
}

/** As Company search tells it of the Companies that answer for these refs today. */
async function readHeldSections(
  world: World,
  companyRefs: readonly string[],
): Promise<Map<string, { sections: HeldSections }>> {
  const rows = await world.read<HeldSections & { company_ref: string }>({
    name: 'held_sections',
    text: `
      select named.company_ref,
             (kept.hit ->> 'firmographics_available')::boolean as firmographics,
             (kept.hit ->> 'contacts_available')::boolean as contacts
        from companies named
        join company_search kept on kept.id = coalesce(named.merged_into, named.id)
       where named.company_ref = any ($1::text[])`,
    values: [companyRefs],
    anyValue: true,
  })
  return new Map(rows.map(({ company_ref, ...sections }) => [company_ref, { sections }]))
}
