/** Values that several operations share (§2.2), in the order of the specification. */

export const roles = [
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

/** `unknown` is a role only if there is no other. */
export function rolesOrUnknown(published: readonly string[]): string[] {
  const known = published.filter(role => role !== 'unknown')
  return known.length > 0 ? known : ['unknown']
}

export const subjectKinds = ['legal_entity', 'trade_name', 'platform', 'domain', 'unknown'] as const

export const relations = ['licensee', 'brand_owner'] as const

export const appStores = ['google_play', 'app_store'] as const

/** Payment rails of a site (§4.13). */
export const paymentCategories = [
  'card',
  'crypto',
  'ewallet',
  'bank_transfer',
  'open_banking',
  'local_apm',
] as const
