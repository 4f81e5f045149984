import { type Document, isMap, isPair, isScalar, isSeq, type LineCounter, type Node, type Pair } from 'yaml'

export type DescriptionProblem = { line: number; column: number; message: string }

export type LocatedProblem = {
  /** The keys and list indexes from the root. */
  path: readonly string[]
  at: 'key' | 'value'
  message: string
}

/** Prints a path, such as `records.license.key[0]`. */
export function pathText(path: readonly string[]): string {
  return path
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('')
}

export function locate(
  document: Document,
  lines: LineCounter,
  { path, at, message }: LocatedProblem,
): DescriptionProblem {
  const offset = offsetOf(document.contents as Node | null, path, at)
  return { ...positionOf(lines, offset), message }
}

export function positionOf(lines: LineCounter, offset: number): { line: number; column: number } {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(1, line), column: Math.max(1, col) }
}

/** Follows the path as far as it exists. A missing key is reported at its parent. */
function offsetOf(root: Node | null, path: readonly string[], at: LocatedProblem['at']): number {
  let node: Node | null = root
  let key: Node | null = null
  for (const part of path) {
    const next = childOf(node, part)
    if (next === null) break
    key = next.key ?? next.value
    node = next.value
  }
  const meant = at === 'key' || isEmpty(node) ? (key ?? node) : node
  return meant?.range?.[0] ?? 0
}

function isEmpty(node: Node | null): boolean {
  return node === null || (isScalar(node) && node.value === null && node.source === '')
}

function childOf(node: Node | null, part: string): { key: Node | null; value: Node | null } | null {
  if (isSeq(node)) {
    const value = node.items[Number(part)]
    return value === undefined ? null : { key: null, value: value as Node }
  }
  if (!isMap(node)) return null
  const pair = node.items.find(each => isPair(each) && keyOf(each) === part)
  return pair === undefined ? null : { key: pair.key as Node, value: pair.value as Node | null }
}

function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : ''
}
