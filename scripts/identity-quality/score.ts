import { pairKey } from '@baize/names'
import type { KnownOperator, LabelledPair } from './labelled-pairs.ts'
import type { LinkedHolders } from './link-labelled.ts'

/** Goals of each half: no wrong link, and the shares of the pairs of one company that are found. */
const goals = { wrong: 0, linkedRecall: 0.85, foundRecall: 0.98 }

export type Score = {
  same: number
  linked: number
  /** Pairs of one company that are not linked, but candidates for staff. */
  candidates: number
  different: number
  wrong: LabelledPair[]
  missed: LabelledPair[]
  asked: LabelledPair[]
}

export function scorePairs(pairs: readonly LabelledPair[], { companyOf, candidates }: LinkedHolders): Score {
  const score: Score = { same: 0, linked: 0, candidates: 0, different: 0, wrong: [], missed: [], asked: [] }
  for (const pair of pairs) {
    const [one, other] = [companyOf.get(pair.a.key), companyOf.get(pair.b.key)]
    if (one === undefined || other === undefined)
      throw new Error(`${pair.a.key} or ${pair.b.key} has no Company`)
    const isLinked = one === other
    if (pair.label === 'different') {
      score.different += 1
      if (isLinked) score.wrong.push(pair)
    }
    if (pair.label !== 'same') continue
    score.same += 1
    if (isLinked) score.linked += 1
    else if (candidates.has(pairKey(one, other))) {
      score.candidates += 1
      score.asked.push(pair)
    } else score.missed.push(pair)
  }
  return score
}

export const linkedRecall = ({ same, linked }: Score) => linked / same
export const foundRecall = ({ same, linked, candidates }: Score) => (linked + candidates) / same

export function missedGoals(score: Score): string[] {
  const missed: string[] = []
  if (score.wrong.length > goals.wrong) missed.push(`${score.wrong.length} wrong links`)
  if (linkedRecall(score) < goals.linkedRecall) missed.push(`recall of links below ${goals.linkedRecall}`)
  if (foundRecall(score) < goals.foundRecall) missed.push(`recall with candidates below ${goals.foundRecall}`)
  return missed
}

/** The Companies of an operator's rows, and the siblings that wrongly share one of them. */
export function operatorResult(
  { rows, siblings }: KnownOperator,
  { companyOf, formerKeysOf }: Pick<LinkedHolders, 'companyOf' | 'formerKeysOf'>,
) {
  const companies = new Set(rows.map(row => companyOf.get(row)))
  return {
    companies: companies.size,
    before: countGroups(rows.map(row => formerKeysOf.get(row) ?? [])),
    joined: siblings.filter(sibling => companies.has(companyOf.get(sibling))),
  }
}

/** Counts the groups of rows that share a key, also through other rows. */
function countGroups(rows: readonly (readonly string[])[]): number {
  const groups: Set<string>[] = []
  for (const keys of rows) {
    const joined = new Set(keys)
    for (const group of groups.filter(each => [...each].some(key => joined.has(key)))) {
      for (const key of group) joined.add(key)
      groups.splice(groups.indexOf(group), 1)
    }
    groups.push(joined)
  }
  return groups.length
}
