/** Line length and batch time are bounded, so that no pattern of an operator blocks the process. */
import { createContext, Script } from 'node:vm'

export const lineColumn = 'line'

export const patternLineCharactersMax = 4_096
export const batchLinesMax = 1_000
/** A harmless pattern needs 4 ms for a batch. */
const batchMsMax = 2_000

export type LinePattern = { expression: RegExp; names: readonly string[] }

type Bounded<Value> = { ok: true; value: Value } | { ok: false; reason: string }

// The empty alternative always matches, and so returns the names of all groups.
const listNames = new Script("Object.keys(new RegExp(source + '|', 'u').exec('').groups ?? {})")
const matchAll = new Script(
  'lines.map(line => expression.exec(line)).map(match => (match === null ? null : { ...match.groups }))',
)

const findAll = new Script(
  'texts.map(text => Array.from(text.matchAll(expression), match => match.groups?.value ?? match[0]))',
)

export function compilePattern(source: string): Bounded<LinePattern> {
  const names = bounded<string[]>(listNames, { source })
  if (!names.ok) return names
  return { ok: true, value: { expression: new RegExp(`^(?:${source})$`, 'u'), names: [...names.value] } }
}

/** Matches anywhere in a text, in any case. */
export function compileSearch(source: string): Bounded<LinePattern> {
  const names = bounded<string[]>(listNames, { source })
  if (!names.ok) return names
  return { ok: true, value: { expression: new RegExp(source, 'iu'), names: [...names.value] } }
}

export type Groups = Record<string, string | undefined>

export function matchLines(pattern: LinePattern, lines: readonly string[]): Bounded<(Groups | null)[]> {
  return bounded(matchAll, { expression: pattern.expression, lines })
}

/** Matches anywhere in a text, in any case; `^` and `$` are the ends of a line. */
export function compileParts(source: string): Bounded<RegExp> {
  const names = bounded<string[]>(listNames, { source })
  return names.ok ? { ok: true, value: new RegExp(source, 'gimu') } : names
}

/** All matches in each text, or their group `value`. */
export function findParts(expression: RegExp, texts: readonly string[]): Bounded<string[][]> {
  return bounded(findAll, { expression, texts })
}

function bounded<Value>(script: Script, context: object): Bounded<Value> {
  try {
    return { ok: true, value: script.runInContext(createContext(context), { timeout: batchMsMax }) as Value }
  } catch (error) {
    // Errors of another context are not instances of this Error.
    const { code, message } = error as { code?: unknown; message?: unknown }
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      return { ok: false, reason: `it took longer than ${batchMsMax} ms` }
    }
    return { ok: false, reason: String(message) }
  }
}
