/**
 * Matches lines by an operator's pattern. Line length and batch time are limited, so that no pattern blocks
 * the process.
 */
import { type Context, createContext, Script } from 'node:vm'

export const lineColumn = 'line'

export const patternLineCharactersMax = 4_096
export const batchLinesMax = 1_000
/** Limits the time of a batch. A harmless pattern needs 4 ms. */
const batchMsMax = 2_000

export type LinePattern = { expression: RegExp; names: readonly string[] }

type Bounded<Value> = { ok: true; value: Value } | { ok: false; reason: string }

// The added empty alternative always matches, so the match has the names of all groups.
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

/** Compiles a pattern that matches anywhere in a text, in any case. */
export function compileSearch(source: string): Bounded<LinePattern> {
  const names = bounded<string[]>(listNames, { source })
  if (!names.ok) return names
  return { ok: true, value: { expression: new RegExp(source, 'iu'), names: [...names.value] } }
}

export type Groups = Record<string, string | undefined>

export function matchLines(pattern: LinePattern, lines: readonly string[]): Bounded<(Groups | null)[]> {
  return bounded(matchAll, { expression: pattern.expression, lines })
}

/** Compiles a pattern that matches anywhere in a text, in any case. `^` and `$` match the ends of a line. */
export function compileParts(source: string): Bounded<RegExp> {
  const names = bounded<string[]>(listNames, { source })
  return names.ok ? { ok: true, value: new RegExp(source, 'gimu') } : names
}

/** Returns all matches in each text, or the group `value` of each match. */
export function findParts(expression: RegExp, texts: readonly string[]): Bounded<string[][]> {
  return bounded(findAll, { expression, texts })
}

/** All patterns share this context, because a new one takes milliseconds. It keeps no texts between calls. */
let context: Context | undefined

function bounded<Value>(script: Script, values: object): Bounded<Value> {
  context ??= createContext({})
  Object.assign(context, values)
  try {
    return { ok: true, value: script.runInContext(context, { timeout: batchMsMax }) as Value }
  } catch (error) {
    // The error comes from another context, so `instanceof Error` is false for it.
    const { code, message } = error as { code?: unknown; message?: unknown }
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      return { ok: false, reason: `it took longer than ${batchMsMax} ms` }
    }
    return { ok: false, reason: String(message) }
  } finally {
    for (const name of Object.keys(values)) delete context[name]
  }
}
