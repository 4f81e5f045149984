import { type Html, html } from '../html.ts'
import { memberName } from './words.ts'

/** The operations and prices of the API, in words for people who do not program. */
const names: Readonly<Record<string, string>> = {
  resolve_domain: 'Verdict of a site',
  resolve_domains: 'Verdicts of many sites',
  search_domains: 'Search of sites',
  create_enrichment: 'Check of a site',
  show_enrichment: 'State of a check',
  resolve_company: 'Company profile',
  search_companies: 'Search of Companies',
  preview_companies: 'Preview of Companies',
  list_people: 'People of a Company',
  list_roles: 'List of roles',
  resolve_license: 'License profile',
  search_licenses: 'Search of licenses',
  preview_licenses: 'Preview of licenses',
  list_register_changes: 'Register changes',
  list_market_entries: 'Market entries',
  list_platform_sites: 'New sites on a platform',
  search_logos: 'Search of logos',
  get_coverage: 'Coverage',
  list_regimes: 'Regimes of markets',
  create_export: 'Order of an export',
  show_export: 'State of an export',
  download_export: 'Download of an export',
  list_prospect_lists: 'Prospect lists',
  show_prospect_list: 'Prospect list',
  download_prospect_list: 'Download of a prospect list',
  put_portfolio: 'Writing of a portfolio',
  change_portfolio: 'Sites added to or taken from a portfolio',
  list_portfolios: 'List of portfolios',
  get_portfolio: 'State of a portfolio',
  delete_portfolio: 'Deletion of a portfolio',
  list_portfolio_members: 'Sites of a portfolio',
  list_portfolio_changes: 'Changes of a portfolio',
  list_verdict_changes: 'Changes of a verdict',
  'lobby.run': 'Run of a lobby',
  create_lobby_run: 'Order of a run of a lobby',
  show_lobby_run: 'State of a run of a lobby',
  list_lobby_runs: 'Runs of lobbies',
  list_lobby_changes: 'Changes of lobbies',
  show_account: 'Plan and balance',
  'domain.verdict': 'Verdict of a site',
  'domain.operator_launch_profile': 'Launch profile of a site',
  'domain.refresh': 'Check of a site',
  'domain.search_row': 'Site in a search',
  'signal.base': 'Signal',
  'company.search_row': 'Company in a search',
  'company.profile': 'Company profile',
  'company.firmographics': 'Firmographics of a Domain',
  'company.contact': 'Contact',
  'license.search_row': 'License in a search',
  'license.profile': 'License profile',
  'export.row': 'Row of an export',
  'export.operator_launch_profile': 'Launch profile in an export',
}

/** Returns words for the identifier of an operation or a price. */
export const identifierName = (identifier: string): string =>
  Object.hasOwn(names, identifier) ? (names[identifier] as string) : memberName(identifier)

/** Shows an identifier in words, with the identifier itself on hover. */
export const identifierWords = (identifier: string): Html =>
  html`<span title="${identifier}">${identifierName(identifier)}</span>`
