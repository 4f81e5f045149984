import { rolesOrUnknown } from '../../core/value-sets.ts'

/** What a source says of a Company; an identity of a Company is one source's. */
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
 * What a Company is by all that its sources say, the leading one first: its name, kind and country are the leader's,
 * and where it tells none, the next one's; lists are joined. By the names of the others it is known too.
 */
export function combineIdentities(
  identities: readonly [IdentityFacts, IdentityFacts, ...IdentityFacts[]],
): IdentityFacts {
  const company_name = firstOf(identities.map(said => said.company_name))
  const legal_entity = firstOf(identities.map(said => said.legal_entity))
  const names = identities.flatMap(said => [said.company_name, said.legal_entity])
  const aliases = joined([...identities.map(said => said.aliases), names.filter(name => name !== null)])
  return {
    company_name,
    legal_entity,
    subject_kind: identities.find(said => said.subject_kind !== 'unknown')?.subject_kind ?? 'unknown',
    role: rolesOrUnknown(joined(identities.map(said => said.role))),
    country: firstOf(identities.map(said => said.country)),
    brands: joined(identities.map(said => said.brands)),
    aliases: aliases.filter(alias => alias !== company_name && alias !== legal_entity),
    apps: [...new Map(identities.flatMap(said => said.apps).map(app => [JSON.stringify(app), app])).values()],
    affiliate_program: identities.some(said => said.affiliate_program),
    geo_hints: joined(identities.map(said => said.geo_hints)),
    evidence_routes: joined(identities.map(said => said.evidence_routes)),
  }
}

function firstOf(values: readonly (string | null)[]): string | null {
  return values.find(value => value !== null) ?? null
}

/** In the order in which they are first said. */
function joined(lists: readonly string[][]): string[] {
  return [...new Set(lists.flat())]
}
