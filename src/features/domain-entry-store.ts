/** A row `domain` of domains as a DomainEntry (domain-entry.ts). */
export const domainEntryJson = `json_build_object('domain_ref', domain.domain_ref, 'domain', domain.domain, 'inferred_geo', domain.inferred_geo)`
