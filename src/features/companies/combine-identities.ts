import { rolesOrUnknown } from '../value-sets.ts'

export type IdentityFacts = {
  company_name: string | null
  legal_entity: string | null
  subject_kind: string
  role: string[]
  country: string | null
  brands: string[]
  aliases: string[]
  apps: unknown[]
  affiliate_program: boolean
  geo_hints: string[]
  evidence_routes: string[]
}

/**
 * Combines the identities of a Company. Each scalar comes from the first identity that has one; other names
 * become aliases. Only a legal entity has a filed name (§2.2). Without a name, the first legal name is
 * used.
 */
export function combineIdentities(
  identities: readonly [IdentityFacts, IdentityFacts, ...IdentityFacts[]],
): IdentityFacts {
  const company_name =
    firstOf(identities.map(identity => identity.company_name)) ??
    firstOf(identities.map(identity => identity.legal_entity))
  const legal_entity = firstOf(
    identities.map(identity => (identity.subject_kind === 'legal_entity' ? identity.legal_entity : null)),
  )
  const names = identities.flatMap(identity => [identity.company_name, identity.legal_entity])
  const aliases = joined([
    ...identities.map(identity => identity.aliases),
    names.filter(name => name !== null),
  ])
  return {
    company_name,
    legal_entity,
    subject_kind: identities.find(identity => identity.subject_kind !== 'unknown')?.subject_kind ?? 'unknown',
    role: rolesOrUnknown(joined(identities.map(identity => identity.role))),
    country: firstOf(identities.map(identity => identity.country)),
    brands: joined(identities.map(identity => identity.brands)),
    aliases: aliases.filter(alias => alias !== company_name && alias !== legal_entity),
    apps: [
      ...new Map(
        identities.flatMap(identity => identity.apps).map(app => [JSON.stringify(app), app]),
      ).values(),
    ],
    affiliate_program: identities.some(identity => identity.affiliate_program),
    geo_hints: joined(identities.map(identity => identity.geo_hints)),
    evidence_routes: joined(identities.map(identity => identity.evidence_routes)),
  }
}

function firstOf(values: readonly (string | null)[]): string | null {
  return values.find(value => value !== null) ?? null
}

function joined(lists: readonly string[][]): string[] {
  return [...new Set(lists.flat())]
}
