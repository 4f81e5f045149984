import { readRuleFile } from './read-rule-file.ts'

export type SupplierNames = {
  /** The key of its rule, such as `play-n-go`. */
  slug: string
  name: string
  /** Hosts of its launchers, content networks and sites. */
  hosts: string[]
  /** Spellings that name it where only suppliers stand, such as the corner of a tile. */
  spellings: string[]
}

type RuleOfSupplier = { value: { normalized_provider_name: string } }

/** Returns how each supplier of the rules is written, for readers of places that only suppliers fill. */
export const supplierNames = (): SupplierNames[] =>
  Object.entries(readRuleFile<Record<string, RuleOfSupplier>>('suppliers')).map(([slug, rule]) => ({
    slug,
    name: rule.value.normalized_provider_name,
    hosts: listsOf(rule, 'host'),
    spellings: [slug.replaceAll('-', ' '), rule.value.normalized_provider_name, ...listsOf(rule, 'icon')],
  }))

/** Collects the lists under a key. Those within `all` and `not` may be names of other suppliers. */
function listsOf(part: unknown, wanted: string): string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) => {
    if (key === 'not' || key === 'all') return []
    return key === wanted && Array.isArray(value) ? value.map(String) : listsOf(value, wanted)
  })
}
