/**
 * Reads currencies beside amounts. A sign of several countries is resolved by the page's language and
 * country.
 */
import { readRuleFile } from '../read-rule-file.ts'

type ByPlace = Record<string, string>
const declared = readRuleFile<{
  codes: string[]
  words: string[]
  symbols: Record<string, string>
  shared: Record<string, ByPlace>
}>('currencies')
const { symbols, shared } = declared
const codes = new Set(declared.codes)
const words = new Set(declared.words)

const names = [...Object.keys(symbols), ...Object.keys(shared)]
  .toSorted((one, other) => other.length - one.length)
  .map(symbol => symbol.replaceAll(/[$/.]/g, '\\$&'))
  .join('|')
const before = new RegExp(`(?<![\\p{L}\\p{N}])(${names}|[A-Z]{3,4})\\s?\\d`, 'gu')
const after = new RegExp(`\\d\\s?(${names}|[A-Z]{3,4})(?![\\p{L}\\p{N}])`, 'gu')
/** Matches a sign at the beginning of a short text. */
const lone = new RegExp(`^(${names})(?![\\p{L}\\p{N}])`, 'u')
const loneTextCharactersMax = 40

export const isCurrency = (code: string): boolean => codes.has(code)

/**
 * Returns the currencies in texts. `places` are countries and languages that the page declares, the nearest
 * first.
 */
export function currenciesIn(texts: readonly string[], places: readonly string[] = []): string[] {
  const found = new Set<string>()
  for (const text of texts) {
    for (const [, name = ''] of text.matchAll(before)) if (!words.has(name)) add(found, name, places)
    for (const [, name = ''] of text.matchAll(after)) add(found, name, places)
    // A sign may be alone beside an input: `<input value="50"> € <button>`.
    const [, name] = text.length <= loneTextCharactersMax ? (lone.exec(text) ?? []) : []
    if (name !== undefined) add(found, name, places)
  }
  return [...found]
}

function add(found: Set<string>, name: string, places: readonly string[]): void {
  const ofPlace = shared[name]
  const place = ofPlace === undefined ? undefined : places.find(each => ofPlace[each] !== undefined)
  const code = place === undefined ? (symbols[name] ?? name) : ofPlace?.[place]
  if (code !== undefined && codes.has(code)) found.add(code)
}
