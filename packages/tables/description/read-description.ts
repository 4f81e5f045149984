/** Reads YAML or JSON into a checked description, or reports all its problems with line and column. */
import { shown } from '@baize/names'
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
import { checkColumns } from './check-columns.ts'
import { checkRowFields } from './check-fields.ts'
import { shapeChecker } from './check-shape.ts'
import { type DescriptionProblem, type LocatedProblem, locate, positionOf } from './locate.ts'
import { type TableDescription, tableSchema } from './table-schema.ts'

const descriptionCharactersMax = 262_144
const yamlProblemsMax = 5
const problemsMax = 50
const findingsMax = 500
/** Limits the depth in YAML nodes. The deepest key of a description is at 13. */
const depthMax = 20

export type DescriptionReading<Value> =
  | { ok: true; value: Value }
  | { ok: false; problems: DescriptionProblem[] }

const checkShape = shapeChecker(tableSchema)

export function readTableDescription(text: string): DescriptionReading<TableDescription> {
  return readYaml<TableDescription>(text, value => {
    const shape = checkShape(value)
    return shape.length > 0 ? shape : checkTable(value as TableDescription)
  })
}

/** Checks rules that a schema cannot express. The description has the shape of its schema. */
export function checkTable(description: TableDescription): LocatedProblem[] {
  return [...checkColumns(description), ...checkRowFields(description)]
}

/**
 * Reads YAML and returns what `check` finds wrong with the value. It never throws; unreadable text is a
 * problem.
 */
export function readYaml<Value>(
  text: string,
  check: (value: unknown) => LocatedProblem[],
): DescriptionReading<Value> {
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
  const findings = check(value)
  if (findings.length > 0)
    return refuse(findings.slice(0, findingsMax).map(each => locate(document, lines, each)))
  return { ok: true, value: value as Value }
}

function refuse(problems: DescriptionProblem[]): { ok: false; problems: DescriptionProblem[] } {
  const inOrder = problems.toSorted((one, other) => one.line - other.line || one.column - other.column)
  return { ok: false, problems: inOrder.slice(0, problemsMax) }
}

function at(line: number, column: number, message: string): DescriptionProblem {
  return { line, column, message }
}

function yamlProblems(document: Document, lines: LineCounter): DescriptionProblem[] {
  return [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    ...positionOf(lines, pos[0]),
    message: `not readable as YAML: ${message}`,
  }))
}

/** Rejects aliases, because they can expand a small file without limit. */
function unsupportedNodes(document: Document, lines: LineCounter): DescriptionProblem[] {
  const found: DescriptionProblem[] = []
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

/** Finds repeated keys in linear time. The library compares each key with every other one. */
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
