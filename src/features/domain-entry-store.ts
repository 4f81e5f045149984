import { textOrNull } from './json-text-store.ts'

/** A row `domain` of domains as the text of a DomainEntry (domain-entry.ts). Names of domains hold nothing that JSON would escape. */
export const domainEntryText = `concat('{"domain_ref":', to_json(domain.domain_ref), ',"domain":"', domain.domain,
                         '","inferred_geo":', ${textOrNull('domain.inferred_geo')}, '}')`
