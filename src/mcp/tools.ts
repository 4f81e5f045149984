import { noRecordMeaning } from '../features/domains/index.ts'
import type { Tool } from './tool.ts'

const pay = (preview: string, search: string) => ({
  argument: 'pay',
  description: 'true: deliver the rows and charge them. false: count and price them, free.',
  of: { false: preview, true: search },
  otherwise: 'false',
})

/** The search is exact, because text of customers and registers has escaped quotation marks. */
const noRecordNote = (members: Buffer) => (members.includes('"verdict":"no_record"') ? noRecordMeaning : null)

/** Lists the tools, at most 12 (contract section 16). `quote` is in quote-tool.ts. */
export const tools: readonly Tool[] = [
  {
    name: 'check_domain',
    operation: 'resolve_domain',
    parameters: ['domain', 'as_of', 'known_at'],
    prices: ['domain.verdict'],
    note: noRecordNote,
  },
  {
    name: 'check_domains',
    operation: 'resolve_domains',
    parameters: ['domains', 'as_of', 'known_at'],
    note: noRecordNote,
  },
  {
    name: 'find_domains',
    operation: 'search_domains',
    parameters: [
      'verdict',
      'geo',
      'since',
      'until',
      'dropped_before',
      'payment_category',
      'platform',
      'per_page',
      'after',
    ],
    rows: 'per_page',
  },
  {
    name: 'find_companies',
    operation: pay('preview_companies', 'search_companies'),
    parameters: [
      'q',
      'domain',
      'role',
      'jurisdiction',
      'license_status',
      'payment_category',
      'has_platform',
      'affiliate_program',
      'geo',
      'group',
      'payment_method',
      'supplier_brand',
      'platform',
      'page_size',
      'after',
    ],
    rows: 'page_size',
  },
  {
    name: 'get_company',
    operation: 'resolve_company',
    finder: 'find_companies',
    parameters: [
      'company_ref',
      'license_number',
      'jurisdiction',
      'domain',
      'legal_entity',
      'name',
      'include[]',
    ],
  },
  {
    name: 'get_people',
    operation: 'list_people',
    parameters: ['company_ref', 'role', 'count_only', 'limit', 'after'],
    rows: 'limit',
  },
  {
    name: 'get_license',
    operation: 'resolve_license',
    finder: 'find_licenses',
    parameters: ['license_ref', 'license_number', 'jurisdiction'],
  },
  {
    name: 'find_licenses',
    operation: pay('preview_licenses', 'search_licenses'),
    parameters: ['q', 'domain', 'jurisdiction', 'license_status', 'license_type', 'page_size', 'after'],
    rows: 'page_size',
  },
  {
    name: 'watch_changes',
    title: 'Follow changes',
    operation: {
      argument: 'feed',
      description: 'What to follow.',
      of: {
        register_changes: 'list_register_changes',
        market_entries: 'list_market_entries',
        platform_sites: 'list_platform_sites',
        portfolio: 'list_portfolio_changes',
      },
    },
    parameters: [
      'jurisdiction',
      'market',
      'platform',
      'name',
      'event_type',
      'occurred_from',
      'occurred_to',
      'page_size',
      'after',
    ],
    rows: 'page_size',
  },
  { name: 'find_logo', operation: 'search_logos', parameters: ['q', 'kind'] },
  { name: 'account', operation: 'show_account', parameters: [] },
]
