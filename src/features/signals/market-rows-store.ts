import type { World } from '../../database/open.ts'
import { readAvailableSections, type Section } from './available-sections-store.ts'
import type { Days } from './days-store.ts'
import type { RegisterChangeContent } from './draft.ts'
import { type FeedPage, readMarketPage } from './page-store.ts'

export type DomainEntry = { domain_ref: string | null; domain: string; inferred_geo: string | null }

type StoredRow = {
  number: number
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
}

export type MarketRow = StoredRow & {
  /** The sections that are held of the Company, to be resolved by themselves. */
  held: readonly Section[]
}

/** Domains are told as they were published, with the ref and the place that are held of them today. */
const told = `
      select signal.number, signal.signal_ref, signal.headline, signal.stream, signal.published_legal_name,
             signal.company_id, signal.occurred_at, signal.detected_at, signal.last_corrected_at, signal.content,
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

/** A page of a market. Sections that nobody asks for are not looked up: `held` is then empty. */
export async function readMarketRows(
  world: World,
  market: string,
  after: number,
  days: Days | null,
  include: readonly Section[],
): Promise<FeedPage<MarketRow>> {
  const page = await readMarketPage<StoredRow>(world, market, after, days, told)
  const asked = include.length === 0 ? [] : page.rows.map(row => row.company_id)
  const heldOf = asked.length === 0 ? null : await readAvailableSections(world, asked)
  return { ...page, rows: page.rows.map(row => ({ ...row, held: heldOf?.get(row.company_id) ?? [] })) }
}
