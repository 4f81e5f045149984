/** Joins holders that share a key of a rule into parties. Pure, and independent of the order of its input. */

/** What shows that two holders are one party, the strongest first. */
export const evidences = [
  'company_number',
  'lei',
  'name_and_country',
  'name_and_market',
  'name_and_domain',
  'name_and_implied_country',
  'name_with_country',
  'name_and_site',
] as const
export type Evidence = (typeof evidences)[number]

/** A Company, or a holder that has none yet. */
export type Holder = {
  node: string
  /** The id of its Company; null: none yet. */
  companyId: number | null
  /** Is true if this change of facts created it, so that nobody knows it as a Company of its own. */
  isNew: boolean
  /** Whether only files name it. Staff chose its keys, so a name never joins two of them. */
  isImported: boolean
  /** Whether a register gave one of its identities another name before. */
  isRenamed: boolean
  /** Numbers of company registers, as `register:number`. */
  numbers: readonly string[]
  countries: readonly string[]
  nameKeys: readonly string[]
  /** Its identities that were compared, as `stream:key`. */
  identities: readonly string[]
}

/** A holder's identity that has a key of a rule. */
export type KeyRow = {
  evidence: Evidence
  byName: boolean
  key: string
  value: string
  node: string
  stream: string
  identity_key: string
}

export type Link = Pick<KeyRow, 'evidence' | 'value' | 'stream' | 'identity_key'> & {
  with_stream: string
  with_key: string
}

export type Refusal = { reason: RefusalReason; evidence: Evidence; nodes: string[] }
type RefusalReason = 'numbers' | 'countries' | 'distinct' | 'several'

export type JoinedParties = {
  /** The holders of each party with at least two, the leading one first. */
  parties: Holder[][]
  links: Link[]
  refusals: Refusal[]
}

export function joinParties(
  holders: readonly Holder[],
  rows: readonly KeyRow[],
  distinct: ReadonlySet<string>,
): JoinedParties {
  const byNode = new Map(holders.map(holder => [holder.node, holder]))
  const place = new Map([...holders].sort(byAge).map(({ node }, index) => [node, index]))
  const older = (one: string, other: string) => (place.get(one) as number) - (place.get(other) as number)
  const parties = new Sets(
    holders.map(({ node }) => node),
    older,
  )
  const links: Link[] = []
  const linked = new Set<string>()
  const refusals: Refusal[] = []
  const byRule = Map.groupBy(rows, row => row.evidence)
  for (const evidence of evidences) {
    const keys = [...Map.groupBy(byRule.get(evidence) ?? [], row => row.key).values()]
    const wanted = new Sets(new Set(keys.flat().map(({ node }) => parties.find(node))), older)
    for (const sharing of keys)
      for (const { node } of sharing)
        wanted.join(parties.find((sharing[0] as KeyRow).node), parties.find(node))
    const members = new Map(wanted.all().map(group => [wanted.find(group[0] as string), group]))
    const inParty = Map.groupBy(holders, ({ node }) => parties.find(node))
    const refused = new Set<string>()
    for (const [root, group] of members) {
      if (group.length < 2) continue
      const joined = group.flatMap(party => inParty.get(party) as Holder[])
      const reason = contradiction(joined, keys[0]?.[0]?.byName === true, distinct)
      if (reason === null) continue
      refused.add(root)
      refusals.push({ reason, evidence, nodes: joined.map(({ node }) => node).sort(older) })
    }
    for (const sharing of keys) {
      const [first, ...others] = sharing.sort(
        (one, other) => older(one.node, other.node) || byText(identityOf(one), identityOf(other)),
      ) as [KeyRow, ...KeyRow[]]
      if (refused.has(wanted.find(parties.find(first.node)))) continue
      for (const row of others) {
        if (parties.find(row.node) === parties.find(first.node) || linked.has(identityOf(row))) continue
        linked.add(identityOf(row))
        const { value, stream, identity_key } = row
        links.push({
          evidence,
          value,
          stream,
          identity_key,
          with_stream: first.stream,
          with_key: first.identity_key,
        })
      }
    }
    for (const [root, group] of members)
      if (!refused.has(root)) for (const party of group) parties.join(group[0] as string, party)
  }
  const joined = parties
    .all()
    .filter(nodes => nodes.length > 1)
    .map(nodes => nodes.sort(older).map(node => byNode.get(node) as Holder))
  return { parties: joined, links, refusals }
}

export const pairKey = (one: number, other: number) => `${Math.min(one, other)}:${Math.max(one, other)}`

/** Returns why these holders cannot be one party; null if nothing contradicts. */
function contradiction(
  holders: readonly Holder[],
  byName: boolean,
  distinct: ReadonlySet<string>,
): RefusalReason | null {
  const numberOf = new Map<string, string>()
  for (const number of holders.flatMap(holder => holder.numbers)) {
    const register = number.split(':', 1)[0] as string
    if ((numberOf.get(register) ?? number) !== number) return 'numbers'
    numberOf.set(register, number)
  }
  if (byName && new Set(holders.flatMap(holder => holder.countries)).size > 1) return 'countries'
  const known = holders.filter(({ companyId }) => companyId !== null)
  if (distinct.size > 0)
    for (const [index, one] of known.entries())
      for (const other of known.slice(index + 1))
        if (distinct.has(pairKey(one.companyId as number, other.companyId as number))) return 'distinct'
  return isOneName(
    known.filter(({ isNew }) => !isNew),
    byName,
  )
    ? null
    : 'several'
}

/**
 * Companies that are known are joined only if each has one name, and it is the same: names of parties that
 * were renamed may have changed hands. By name, two Companies of files are never joined.
 */
function isOneName(known: readonly Holder[], byName: boolean): boolean {
  if (known.length < 2) return true
  if (byName && known.filter(({ isImported }) => isImported).length > 1) return false
  if (known.some(({ isRenamed }) => isRenamed)) return false
  return new Set(known.flatMap(({ nameKeys }) => nameKeys)).size === 1
}

const identityOf = ({ stream, identity_key }: KeyRow) => `${stream}:${identity_key}`

/** The oldest Company leads; among holders without one, the first by key. */
function byAge(one: Holder, other: Holder): number {
  if (one.isNew !== other.isNew) return one.isNew ? 1 : -1
  const [id, otherId] = [one, other].map(({ companyId }) => companyId ?? Number.MAX_SAFE_INTEGER) as [
    number,
    number,
  ]
  return id - otherId || byText(one.node, other.node)
}

const byText = (one: string, other: string) => (one < other ? -1 : Number(one > other))

/** Disjoint sets; the oldest member names its set. */
class Sets {
  readonly #parent = new Map<string, string>()
  readonly #compare: (one: string, other: string) => number

  constructor(nodes: Iterable<string>, compare: (one: string, other: string) => number) {
    for (const node of nodes) this.#parent.set(node, node)
    this.#compare = compare
  }

  find(node: string): string {
    let root = node
    for (let next = this.#parent.get(root) as string; next !== root; next = this.#parent.get(root) as string)
      root = next
    this.#parent.set(node, root)
    return root
  }

  join(one: string, other: string): void {
    const [leading, following] = [this.find(one), this.find(other)].sort(this.#compare) as [string, string]
    this.#parent.set(following, leading)
  }

  all(): string[][] {
    return [...Map.groupBy(this.#parent.keys(), node => this.find(node)).values()]
  }
}
