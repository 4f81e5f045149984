import { markets } from '@baize/names'
import { oneOf } from '../core/schema.ts'

// Declares values that several nouns use (§2.2), in the order of the specification.

type Options = { description?: string }

export const companyRoles = [
  'operator',
  'aggregator',
  'platform_provider',
  'payment_provider',
  'game_studio',
  'affiliate_software',
  'affiliate_media',
  'other_supplier',
  'unknown',
] as const

export const role = (options: Options = {}) => oneOf(companyRoles, { named: 'Role', ...options })

/** Returns the published roles, or `unknown` alone without any. */
export function rolesOrUnknown(published: readonly string[]): string[] {
  const known = published.filter(role => role !== 'unknown')
  return known.length > 0 ? known : ['unknown']
}

export const subjectKinds = ['legal_entity', 'trade_name', 'platform', 'domain', 'unknown'] as const
export const subjectKind = () => oneOf(subjectKinds, { named: 'SubjectKind' })

export const relations = ['licensee', 'brand_owner'] as const

export const appStores = ['google_play', 'app_store'] as const

/** The payment rails of a site (§4.13). */
export const paymentCategories = [
  'card',
  'crypto',
  'ewallet',
  'bank_transfer',
  'open_banking',
  'local_apm',
] as const
export const paymentCategory = (description: string) =>
  oneOf(paymentCategories, { named: 'PaymentCategory', description })

const marketCodes = markets.map(market => market.code)
export const market = (options: Options = {}) => oneOf(marketCodes, { named: 'Jurisdiction', ...options })
