import { noRecordMeaning } from '../features/domains/index.ts'
import type { Tool } from './tool.ts'

const pay = (preview: string, search: string) => ({
  argument: 'pay',
  description: 'true: deliver the rows and charge them. false: count and price them, free.',
  of: { false: preview, true: search },
  otherwise: 'false',
})

/** Text of customers and registers has its quotation marks escaped. */
const noRecordNote = (members: Buffer) => (members.includes('"verdict":"no_record"') ? noRecordMeaning : null)

/** At most 12 (contract section 16). `quote` is served beside them, in quote-call.ts. */
export const tools: readonly Tool[] = [
  {
    name: 'check_domain',
    operation: 'resolve_domain',
    parameters: ['domain'],
    prices: ['domain.verdict'],
    note: noRecordNote,
  },
  {
    name: 'check_domains',
    operation: 'resolve_domains',
    parameters: ['domains'],
    prices: ['domain.verdict'],
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
    prices: ['domain.search_row'],
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
      'payment_method',
      'supplier_brand',
      'platform',
      'page_size',
      'after',
    ],
    prices: ['company.search_row'],
  },
  {
    name: 'get_company',
    operation: 'resolve_company',
    parameters: [
      'company_ref',
      'license_number',
      'jurisdiction',
      'domain',
      'legal_entity',
      'name',
      'include[]',
    ],
    prices: ['company.profile', 'company.firmographics'],
  },
  {
    name: 'get_people',
    operation: 'list_people',
    parameters: ['company_ref', 'role', 'count_only', 'limit', 'after'],
    prices: ['company.contact'],
    rows: 'limit',
  },
  {
    name: 'get_license',
    operation: 'resolve_license',
    parameters: ['license_ref', 'license_number', 'jurisdiction'],
    prices: ['license.profile'],
  },
  {
    name: 'find_licenses',
    operation: pay('preview_licenses', 'search_licenses'),
    parameters: ['q', 'domain', 'jurisdiction', 'license_status', 'license_type', 'page_size', 'after'],
    prices: ['license.search_row'],
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
      },
    },
    parameters: [
      'jurisdiction',
      'market',
      'platform',
      'event_type',
      'occurred_from',
      'occurred_to',
      'page_size',
      'after',
    ],
    prices: ['signal.base'],
  },
  { name: 'find_logo', operation: 'search_logos', parameters: ['q', 'kind'], prices: [] },
  { name: 'account', operation: 'show_account', parameters: [], prices: [] },
]
