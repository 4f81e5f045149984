/** Words that many operations share (§2.2), in the order of the specification. */

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

/** Roles as they are told: `unknown` where there is no other, and only there. */
export function rolesOrUnknown(said: readonly string[]): string[] {
  const known = said.filter(role => role !== 'unknown')
  return known.length > 0 ? known : ['unknown']
}

export const subjectKinds = ['legal_entity', 'trade_name', 'platform', 'domain', 'unknown'] as const

/** What a Company can be to a domain. */
export const relations = ['licensee', 'brand_owner'] as const

/** Where an app of a Company can stand. */
export const appStores = ['google_play', 'app_store'] as const

/** Rails that a site may take (§4.13). */
export const paymentCategories = [
  'card',
  'crypto',
  'ewallet',
  'bank_transfer',
  'open_banking',
  'local_apm',
] as const
