import { textOrNull } from './json-text-store.ts'

/** A row of `domains` as JSON text of a DomainEntry. Domain names need no escaping. */
export const domainEntryText = `concat('{"domain_ref":', to_json(domain.domain_ref), ',"domain":"', domain.domain,
                         '","inferred_geo":', ${textOrNull('domain.inferred_geo')}, '}')`

/** When the site of a row of `domains` was last observed (§2.9): a section, its platform, or a check. null: never. */
export const siteObservedAt = 'greatest(domain.last_observed_at, domain.last_read_at, domain.last_checked_at)'
