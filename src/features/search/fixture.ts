/** Opens a small world of Companies with similar names, for the tests of search. */
import { type Line, openTestWorld, type TestWorld } from '../../dataset/fixture.ts'
import type { ResultRow, SearchPosition, SearchQuery, SearchResult, SearchSubject } from './index.ts'
import { searchRows, verifySearchRows } from './index.ts'

const company = (key: string, company_name: string | null, fields: Line = {}): Line => ({
  kind: 'company',
  key,
  company_name,
  ...fields,
})
const site = (domain: string, owner: string, fields: Line = {}): Line => ({
  kind: 'domain',
  domain,
  company: owner,
  relation: 'licensee',
  ...fields,
})
const license = (license_number: string, holder: string, fields: Line = {}): Line => ({
  kind: 'license',
  jurisdiction: 'mga',
  license_number,
  company: holder,
  status: 'Active',
  ...fields,
})
const observed = (domain: string, section: string, fields: Line): Line => ({
  kind: 'observation',
  domain,
  section,
  last_seen_at: '2026-04-01T00:00:00Z',
  ...fields,
})

export const records: readonly Line[] = [
  company('ottermoor', 'Ottermoor Gaming', {
    legal_entity: 'Ottermoor Gaming Limited',
    role: ['operator'],
    country: 'MT',
    brands: ['Lucky Otter', 'Otter Royale'],
    aliases: ['Ottermoor'],
    geo_hints: ['GB', 'MT'],
  }),
  company('otter', 'Otter', { role: ['game_studio'] }),
  company('otterltd', 'Otter Ltd', { role: ['operator'] }),
  company('otterplc', 'Otter plc', { role: ['operator'] }),
  company('otters', 'Otterslide Media', { role: ['affiliate_media'], affiliate_program: true }),
  company('seaotter', 'Sea Otter Bets', { legal_entity: 'Sea Otter Bets AB', role: ['operator'] }),
  company('havmage', 'Havmåge Spil', { legal_entity: 'Havmåge Spil A/S', role: ['operator'] }),
  company('pike', 'Pebble & Pike', { role: ['operator'], brands: ['Pikebet'] }),
  company('kite', 'Red Kite Leisure', { brands: ['Redkite Casino'], role: ['operator'] }),
  company('thomas', 'Томас Игры', { role: ['operator'] }),
  company('nameless', null, { role: ['unknown'] }),
  company('twin1', 'Twin Star', {}),
  company('twin2', 'Twin Star', {}),
  { kind: 'platform', key: 'copperbeam', name: 'Copperbeam', aliases: ['Copper Beam'], reviewed: true },
  { kind: 'platform', key: 'backroom', name: 'Backroom', reviewed: false },
  site('luckyotter.example', 'ottermoor', { inferred_geo: 'IE' }),
  site('otterroyale.example', 'ottermoor'),
  site('ottermoor-gaming.example', 'ottermoor', { relation: 'brand_owner' }),
  site('redkite-casino.example', 'kite'),
  site('pikebet.example', 'pike', { relation: 'brand_owner' }),
  site('pikebet.example', 'seaotter'),
  site('lonely-domain.example', 'nameless'),
  license('MGA/B2C/101/2019', 'ottermoor', {
    license_type: 'B2C',
    authorized_domains: ['luckyotter.example'],
  }),
  license('099101-R-339101-004', 'ottermoor', { jurisdiction: 'ukgc', license_type: 'Remote Casino' }),
  license('099101-R-339102-001', 'pike', {
    jurisdiction: 'ukgc',
    status: 'Revoked',
    license_type: 'Remote Betting',
  }),
  license('DK-7', 'havmage', { jurisdiction: 'denmark', status: null }),
  observed('luckyotter.example', 'payment_methods', {
    normalized_name: 'Pigeon-Pay',
    category: 'open_banking',
  }),
  observed('luckyotter.example', 'payment_methods', { normalized_name: 'visa', category: 'card' }),
  observed('luckyotter.example', 'payment_methods', {
    normalized_name: 'given up',
    category: 'crypto',
    last_seen_at: '2025-04-01T00:00:00Z',
  }),
  observed('otterroyale.example', 'supplier_brands', { normalized_provider_name: 'Señor Slots' }),
  observed('redkite-casino.example', 'affiliate_programs', { program_url: 'https://partners.example/' }),
  observed('redkite-casino.example', 'geo', { languages: ['pl'], currencies: ['PLN'], geo_hints: ['PL'] }),
  {
    kind: 'platform_reading',
    domain: 'luckyotter.example',
    platform: 'copperbeam',
    seen_at: '2026-03-01T00:00:00Z',
  },
  {
    kind: 'platform_reading',
    domain: 'pikebet.example',
    platform: 'backroom',
    seen_at: '2026-03-01T00:00:00Z',
  },
]

export type ReadRow = Omit<ResultRow, 'hit'> & { hit: Record<string, unknown> }
type ReadPage = Omit<SearchResult, 'rows'> & { rows: ReadRow[] }

export type SearchWorld = TestWorld & {
  /** Returns a page of a search; by default the first fifty rows. */
  find(query: Partial<SearchQuery>, position?: SearchPosition, rows?: number): Promise<ReadPage>
  names(query: Partial<SearchQuery>): Promise<string[]>
  differences(): Promise<unknown[]>
}

const named = (subject: SearchSubject, { hit }: ReadRow): string =>
  String(subject === 'company' ? hit.company_name : hit.license_number)

export async function openSearchWorld(): Promise<SearchWorld> {
  const opened = await openTestWorld()
  const complete = (query: Partial<SearchQuery>): SearchQuery => ({
    subject: 'company',
    filters: [],
    ...query,
  })
  const find: SearchWorld['find'] = async (query, position = { offset: 0 }, rows = 50) => {
    const result = await searchRows(opened.world, complete(query), { position, rows })
    return { ...result, rows: result.rows.map(row => ({ ...row, hit: JSON.parse(row.hit) })) }
  }
  return {
    ...opened,
    find,
    async names(query) {
      const { rows } = await find(query)
      return rows.map(row => named(complete(query).subject, row))
    },
    async differences() {
      const { differences } = await opened.world.database.transaction().execute(verifySearchRows)
      return differences
    },
  }
}
