/**
 * Matches the form of a license number (`MGA/{B2C|B2B}/{digits 1-5}/{year}`). The matcher never backtracks,
 * so its time is linear in the text. rules/license-numbers.yaml explains the syntax.
 */

type Token =
  | { kind: 'literal'; letter: string }
  | { kind: 'digits' | 'letters'; min: number; max: number }
  | { kind: 'year' }
  | { kind: 'choice'; words: readonly string[] }
  | { kind: 'optional'; tokens: readonly Token[]; isShown: boolean }

export type NumberShape = readonly Token[]

/**
 * A match. `number` has one spelling: capitals as declared, without optional words. `end` is the position
 * after it.
 */
export type ShapeMatch = { number: string; end: number }

const blanksMax = 3

export function compileShape(declared: string): NumberShape {
  const tokens: Token[] = []
  for (let at = 0; at < declared.length; ) {
    const letter = declared[at] as string
    const closing = { '{': '}', '[': ']', '<': '>' }[letter]
    if (closing === undefined) {
      tokens.push({ kind: 'literal', letter })
      at += 1
      continue
    }
    const end = declared.indexOf(closing, at)
    if (end < 0) throw new Error(`${declared}: "${letter}" is not closed`)
    const inner = declared.slice(at + 1, end)
    tokens.push(
      letter === '{'
        ? readToken(inner)
        : { kind: 'optional', tokens: compileShape(inner), isShown: letter === '[' },
    )
    at = end + 1
  }
  return tokens
}

function readToken(inner: string): Token {
  if (inner === 'year') return { kind: 'year' }
  const [, kind, min, max] = /^(digits|letters) (\d+)(?:-(\d+))?$/.exec(inner) ?? []
  if (kind === undefined) {
    const words = inner.split('|').sort((a, b) => b.length - a.length)
    return { kind: 'choice', words }
  }
  return { kind: kind as 'digits' | 'letters', min: Number(min), max: Number(max ?? min) }
}

/** Scripts without blanks, in which a number follows its words at once: `ライセンス番号ALSI-2024を取得`. */
const unspaced = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai']
  .map(script => String.raw`\p{Script=${script}}`)
  .concat('\u30fc')
  .join('')

/** Matches positions where a number can begin: at the edge of a word. */
export const numberEdge = new RegExp(String.raw`(?<![[\p{L}\p{N}]--[${unspaced}]])[A-Za-z0-9]`, 'gv')

/** Checks whether a number of this form can begin with the letter, as a cheap test before `matchShape`. */
export function canBeginWith(shape: NumberShape, letter: string): boolean {
  const [token, ...rest] = shape
  switch (token?.kind) {
    case 'literal':
      return token.letter === ' ' || sameLetters(letter, token.letter)
    case 'digits':
      return token.min === 0 || /[0-9]/.test(letter)
    case 'letters':
      return token.min === 0 || /[A-Za-z]/.test(letter)
    case 'year':
      return /[12]/.test(letter)
    case 'choice':
      return token.words.some(word => sameLetters(letter, word[0] ?? letter))
    case 'optional':
      return canBeginWith(token.tokens, letter) || canBeginWith(rest, letter)
    default:
      return true
  }
}

/** Returns the number that begins at this position, if one can begin there. */
export function matchShape(shape: NumberShape, text: string, at: number): ShapeMatch | null {
  const match = matchTokens(shape, text, at)
  return match === null || continuesAt(text, match.end) ? null : match
}

const wordLetter = new RegExp(String.raw`[[\p{L}\p{N}]--[${unspaced}]]`, 'v')
const isWordLetter = (letter: string | undefined): boolean => letter !== undefined && wordLetter.test(letter)

/** Keeps the `1` of `1.231` from being read as a number. */
const continuesAt = (text: string, end: number): boolean =>
  isWordLetter(text[end]) || (text[end] === '.' && /[0-9]/.test(text[end + 1] ?? ''))

function matchTokens(tokens: readonly Token[], text: string, start: number): ShapeMatch | null {
  let end = start
  let number = ''
  for (const token of tokens) {
    const part = matchToken(token, text, end)
    if (part === null) return null
    end = part.end
    number += part.number
  }
  return { number, end }
}

function matchToken(token: Token, text: string, at: number): ShapeMatch | null {
  switch (token.kind) {
    case 'literal':
      return matchLiteral(token.letter, text, at)
    case 'digits':
      return matchRun(/[0-9]/, token, text, at)
    case 'letters':
      return matchRun(/[A-Za-z]/, token, text, at)
    case 'year': {
      const year = text.slice(at, at + 4)
      return /^(?:19|20)\d\d$/.test(year) ? { number: year, end: at + 4 } : null
    }
    case 'choice': {
      const word = token.words.find(each => sameLetters(text.slice(at, at + each.length), each))
      return word === undefined ? null : { number: word, end: at + word.length }
    }
    case 'optional': {
      const match = matchTokens(token.tokens, text, at)
      if (match === null) return { number: '', end: at }
      return token.isShown ? match : { number: '', end: match.end }
    }
  }
}

/**
 * Matches a literal character. A blank matches none to three blanks, `-` any dash, and `/` also blanks
 * around it.
 */
function matchLiteral(letter: string, text: string, at: number): ShapeMatch | null {
  if (letter === ' ') return { number: ' ', end: afterBlanks(text, at) }
  const start = letter === '/' ? afterBlanks(text, at) : at
  const found = text[start]
  if (found === undefined) return null
  const isSame = letter === '-' ? /\p{Pd}/u.test(found) : sameLetters(found, letter)
  if (!isSame) return null
  return { number: letter, end: letter === '/' ? afterBlanks(text, start + 1) : start + 1 }
}

function afterBlanks(text: string, at: number): number {
  let end = at
  while (end < at + blanksMax && /\s/u.test(text[end] ?? 'x')) end += 1
  return end
}

function matchRun(
  letters: RegExp,
  { min, max }: { min: number; max: number },
  text: string,
  at: number,
): ShapeMatch | null {
  let end = at
  while (end < at + max && end < text.length && letters.test(text[end] as string)) end += 1
  return end - at < min ? null : { number: text.slice(at, end).toUpperCase(), end }
}

const sameLetters = (found: string, declared: string): boolean =>
  found.toLowerCase() === declared.toLowerCase()
