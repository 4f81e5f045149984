import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'

const folder = join(import.meta.dirname, '../../test/identity-pairs')

/** Authors of rules read `tuning`; `frozen` measures the rules, so nobody may see its mistakes. */
export const halves = ['tuning', 'frozen'] as const
export type Half = (typeof halves)[number]

/** A holder as its register publishes it. The register, or the copy that was read, has no absent field. */
export type Holder = {
  key: string
  stream: string
  name: string
  /** The number in a company register, as published. */
  number?: string
  country?: string
  /** At most twelve registrable domains. */
  domains?: string[]
  /** The official file or folder in `../shared/data`. */
  file?: string
  /** The public copy of the official answer, of holders without a file (README.md of the pairs). */
  copy?: string
}

export const labels = ['same', 'different', 'undecidable'] as const

export type LabelledPair = {
  label: (typeof labels)[number]
  /** What the two have in common: the kind of pair, such as `same_name`. */
  kind: string
  chosen: 'rule' | 'random'
  reason: string
  a: Holder
  b: Holder
}

export type KnownOperator = { name: string; rows: string[]; siblings: string[] }

export const labelledHolders = (): Map<string, Holder> =>
  new Map(linesOf<Holder>('holders.jsonl').map(holder => [holder.key, holder]))

export function labelledPairs(half: Half): LabelledPair[] {
  const holders = labelledHolders()
  const find = (key: string): Holder => {
    const holder = holders.get(key)
    if (holder === undefined) throw new Error(`${key} is not in holders.jsonl`)
    return holder
  }
  return linesOf<LabelledPair & { a: string; b: string }>(`${half}/pairs.jsonl`).map(pair => ({
    ...pair,
    a: find(pair.a),
    b: find(pair.b),
  }))
}

export const knownOperators = () =>
  load(readFileSync(join(folder, 'operators.yaml'), 'utf8')) as Record<
    'in_pieces' | 'right_today',
    KnownOperator[]
  >

const linesOf = <Line>(name: string): Line[] =>
  readFileSync(join(folder, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Line)
