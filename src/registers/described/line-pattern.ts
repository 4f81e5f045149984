/**
 * Regular expressions over strangers' lines. Whatever the pattern, a line cannot make it run on: lines have a bound,
 * and a batch of them has a time after which the engine itself is stopped.
 */
import { createContext, Script } from 'node:vm'

/** The only column of a file whose lines are not taken apart. */
export const lineColumn = 'line'

export const patternLineCharactersMax = 4_096
export const batchLinesMax = 1_000
/** A harmless pattern takes 4 ms for a batch; one that doubles its time with every character takes for ever. */
const batchMsMax = 2_000

export type LinePattern = { expression: RegExp; names: readonly string[] }

type Bounded<Value> = { ok: true; value: Value } | { ok: false; reason: string }

// An alternative that matches everything makes the engine tell the names of the groups.
const tellNames = new Script("Object.keys(new RegExp(source + '|', 'u').exec('').groups ?? {})")
const matchAll = new Script(
  'lines.map(line => { const found = expression.exec(line); return found === null ? null : { ...found.groups } })',
)

/** A pattern is for the whole line. */
export function compilePattern(source: string): Bounded<LinePattern> {
  const names = bounded<string[]>(tellNames, { source })
  if (!names.ok) return names
  return { ok: true, value: { expression: new RegExp(`^(?:${source})$`, 'u'), names: [...names.value] } }
}

export type Groups = Record<string, string | undefined>

/** The groups of each line; null where it does not match. */
export function matchLines(pattern: LinePattern, lines: readonly string[]): Bounded<(Groups | null)[]> {
  return bounded(matchAll, { expression: pattern.expression, lines })
}

function bounded<Value>(script: Script, context: object): Bounded<Value> {
  try {
    return { ok: true, value: script.runInContext(createContext(context), { timeout: batchMsMax }) as Value }
  } catch (error) {
    // Errors of the other context are instances of its own Error.
    const { code, message } = error as { code?: unknown; message?: unknown }
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      return { ok: false, reason: `it did not end within ${batchMsMax} ms` }
    }
    return { ok: false, reason: String(message) }
  }
}
