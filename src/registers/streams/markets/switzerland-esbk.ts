import type { Description } from '../../described/description-schema.ts'
import { describedMarket } from '../market-facts.ts'

export const switzerlandEsbk: Description = {
  key: 'switzerland_esbk.blocklist',
  ...describedMarket('switzerland_esbk'),
  covers: ['blocklist'],
  official_url: 'https://www.esbk.admin.ch/en/unauthorised-online-games',
  resolve: { by: 'newest_link', href: 'sperrliste-\\d{4}-\\d{2}-\\d{2}-dfi\\.pdf', newest: 'latest_date' },
  language: 'de',
  sources: {
    address: 'public code that reads the list (mishmish004/RegisterWatch, 2026-10-04)',
    layout: 'the same: lines of a domain and a day',
    cadence: 'the same: about quarterly',
    rows: 'the same: more than 3,000 rows in August 2026',
  },
  cadence: { words: 'about quarterly', hours: 7 * 24 },
  publishes: { revoked: false, dates: true, domains: true, roles: false },
  identity: 'the domain as printed',
  rows_min: 300,
  rows_max: 40_000,
  source_claim: 'blocklist',
  qualification:
    'Domains of online casino games that the Board has ordered to be blocked in Switzerland, with the ' +
    'day of ' +
    'listing. A domain is removed by leaving it out.',
  source_identity: 'ESBK: Sperrliste',

  file: {
    format: 'pdf',
    pattern: '(?<site>\\S+\\.\\S+)\\s+(?<day>\\d{2}\\.\\d{2}\\.\\d{4})',
    ignore: 'www\\.esbk.*',
  },
  columns: { site: { headers: ['site'] }, day: { headers: ['day'] } },
  records: {
    blocklist_entries: { domain: { column: 'site' }, listed_at: { column: 'day', date_forms: ['d.m.yyyy'] } },
  },
}
