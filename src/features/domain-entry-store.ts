import { textOrNull } from './json-text-store.ts'

/** Writes a row of `domains` as JSON text of a DomainEntry. Domain names need no escaping. */
export const domainEntryText = `concat('{"domain_ref":', to_json(domain.domain_ref), ',"domain":"', domain.domain,
                         '","inferred_geo":', ${textOrNull('domain.inferred_geo')}, '}')`

/**
 * The last observation of the site of a row of `domains` (§2.9): a section, its platform, or a check. Is
 * null if the site was never observed.
 */
export const siteObservedAt = 'greatest(domain.last_observed_at, domain.last_read_at, domain.last_checked_at)'

/**
 * A value lapses when the latest observation of its site's sections is this many days newer than its own. A
 * check may miss a page, so values do not lapse at once. Sites without new checks keep all values.
 */
export const observationLapseDays = 30
