import { rolesOrUnknown } from '../../core/value-sets.ts'

/** What a source says of a Company; an identity of a Company is one source's. */
export type Saying = {
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
export function combineIdentities(sayings: readonly [Saying, Saying, ...Saying[]]): Saying {
  const company_name = firstOf(sayings.map(said => said.company_name))
  const legal_entity = firstOf(sayings.map(said => said.legal_entity))
  const names = sayings.flatMap(said => [said.company_name, said.legal_entity])
  const aliases = joined([...sayings.map(said => said.aliases), names.filter(name => name !== null)])
  return {
    company_name,
    legal_entity,
    subject_kind: sayings.find(said => said.subject_kind !== 'unknown')?.subject_kind ?? 'unknown',
    role: rolesOrUnknown(joined(sayings.map(said => said.role))),
    country: firstOf(sayings.map(said => said.country)),
    brands: joined(sayings.map(said => said.brands)),
    aliases: aliases.filter(alias => alias !== company_name && alias !== legal_entity),
    apps: [...new Map(sayings.flatMap(said => said.apps).map(app => [JSON.stringify(app), app])).values()],
    affiliate_program: sayings.some(said => said.affiliate_program),
    geo_hints: joined(sayings.map(said => said.geo_hints)),
    evidence_routes: joined(sayings.map(said => said.evidence_routes)),
  }
}

function firstOf(values: readonly (string | null)[]): string | null {
  return values.find(value => value !== null) ?? null
}

/** In the order in which they are first said. */
function joined(lists: readonly string[][]): string[] {
  return [...new Set(lists.flat())]
}
