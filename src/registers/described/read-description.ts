/** Reads a description into a stream, or reports all its problems with line and column. */
import {
  type Document,
  isMap,
  isScalar,
  LineCounter,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml'
import { shown } from '../../core/shown-value.ts'
import type { Stream } from '../stream.ts'
import { checkMeaning } from './check-meaning.ts'
import { checkShape } from './check-shape.ts'
import { describedStream } from './described-stream.ts'
import type { Description } from './description-schema.ts'
import { locate, positionOf } from './locate.ts'
import type { Problem } from './problems.ts'

const descriptionCharactersMax = 262_144
const yamlProblemsMax = 5
const problemsMax = 50
const findingsMax = 500
/** In YAML nodes; the deepest key of a description is at 13. */
const depthMax = 20

export type DescriptionReading = { ok: true; stream: Stream } | { ok: false; problems: Problem[] }

/** `knownMarkets` are market codes (§2.2, plus `ukraine`). Never throws; unreadable text is a problem. */
export function readDescription(text: string, knownMarkets: readonly string[]): DescriptionReading {
  if (text.length > descriptionCharactersMax) {
    return refuse([at(1, 1, `a description can have at most ${descriptionCharactersMax} characters`)])
  }
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    uniqueKeys: false,
  })
  const unreadable = yamlProblems(document, lines)
  if (unreadable.length > 0) return refuse(unreadable.slice(0, yamlProblemsMax))
  const unsupported = unsupportedNodes(document, lines)
  if (unsupported.length > 0) return refuse(unsupported)
  if (!isMap(document.contents))
    return refuse([at(1, 1, 'a description must be keys with values, such as "key: jersey.sites"')])

  const value: unknown = document.toJS()
  const shape = checkShape(value)
  const findings = shape.length > 0 ? shape : checkMeaning(value as Description, knownMarkets)
  if (findings.length > 0)
    return refuse(findings.slice(0, findingsMax).map(each => locate(document, lines, each)))
  return { ok: true, stream: describedStream(value as Description) }
}

function refuse(problems: Problem[]): DescriptionReading {
  const inOrder = problems.toSorted((one, other) => one.line - other.line || one.column - other.column)
  return { ok: false, problems: inOrder.slice(0, problemsMax) }
}

function at(line: number, column: number, message: string): Problem {
  return { line, column, message }
}

function yamlProblems(document: Document, lines: LineCounter): Problem[] {
  return [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    ...positionOf(lines, pos[0]),
    message: `not readable as YAML: ${message}`,
  }))
}

/** Aliases can expand a small file without limit. */
function unsupportedNodes(document: Document, lines: LineCounter): Problem[] {
  const found: Problem[] = []
  const report = (node: { range?: readonly number[] | null | undefined }, message: string) => {
    found.push({ ...positionOf(lines, node.range?.[0] ?? 0), message })
  }
  visit(document, {
    Alias: (_key, node) => report(node, 'aliases are not supported'),
    Node(_key, node, path) {
      if (isMap(node))
        for (const twice of repeatedKeys(node)) report(twice, `the key ${shown(twice.value)} is repeated`)
      if ('anchor' in node && node.anchor !== undefined) report(node, 'anchors are not supported')
      if (path.length <= depthMax) return undefined
      report(node, 'nested too deep')
      return visit.BREAK
    },
  })
  return found
}

/** Linear; the library compares each key with every other one. */
function repeatedKeys(map: YAMLMap): Scalar[] {
  const seen = new Set<unknown>()
  return map.items
    .map(pair => pair.key)
    .filter(key => isScalar(key))
    .filter(key => {
      const before = seen.size
      return seen.add(key.value).size === before
    })
}
