/** Finds numbers of company registers: `company number 157700`, `(C 54321)`, `158233 numara ile kayıtlı`. */
import { readRuleFile } from '../read-rule-file.ts'
import { canBeginWith, compileShape, matchShape, numberEdge } from './number-shape.ts'
import type { Place } from './place-words.ts'

export type RegistrationNumber = Place & { number: string }

const declared =
  readRuleFile<Record<'shapes' | 'shapes_in_brackets' | 'shapes_after_name' | 'fillers', string[]>>(
    'company-numbers',
  )
const lettered = declared.shapes.map(compileShape)
const bracketed = declared.shapes_in_brackets.map(compileShape)
const named = declared.shapes_after_name.map(compileShape)

const gapCharactersMax = 60
const digitsMin = 3
const fillers = declared.fillers.join('|')
/** Matches abbreviations of registers between the words and the number: `Γ.Ε.ΜΗ.`, `KRS`, `Curaçao`. */
const names = String.raw`\p{Lu}\p{Ll}+|\p{Lu}{2,6}|(?:\p{Lu}{1,4}\.){1,4}\p{Lu}{0,4}`
/** Matches up to four groups of digits, after the letters of the company register if there are any. */
const written = String.raw`(?:[A-Z]{1,4}[\s.-]?)?\d[\dA-Z./-]*(?:\s\d{2,}[\d/-]*){0,4}`
const marks = String.raw`[\s:#.№()'’"„“（：・–-]*`
const numberAfterWords = new RegExp(
  String.raw`^${marks}(?:(?:${fillers}|${names})(?![\p{L}\p{N}])${marks}){0,6}(${written})`,
  'u',
)
const numberBeforeWords = /(?<![\p{L}\p{N}./-])(\d[\d./-]{2,20})[\s'’-]*$/u

export type RegistrationWords = { before: readonly Place[]; after: readonly Place[] }

/**
 * Finds the numbers in the order of the text. `before` are places of words that precede a number, `after` of
 * words that follow one. Numbers that overlap `taken`, such as license numbers, are left out, and so are
 * those within `names` of companies.
 */
export function findRegistrationNumbers(
  text: string,
  { before, after }: RegistrationWords,
  { taken, names }: { taken: readonly Place[]; names: readonly Place[] },
): RegistrationNumber[] {
  const found = [
    ...before.flatMap(({ end }) => numberAfter(text, end) ?? []),
    ...after.flatMap(({ start }) => numberBefore(text, start) ?? []),
    ...numbersWithLetters(text, names),
  ]
  const places = [...taken, ...names]
  const free = found.filter(each => !places.some(place => overlaps(place, each)))
  const ordered = free.toSorted((a, b) => a.start - b.start || b.end - a.end)
  return ordered.filter((each, at) => at === 0 || each.start >= (ordered[at - 1] as Place).end)
}

const overlaps = (a: Place, b: Place): boolean => a.start < b.end && a.end > b.start

const countDigits = (number: string): number => number.replaceAll(/\D/g, '').length

function numberAfter(text: string, end: number): RegistrationNumber | null {
  const found = numberAfterWords.exec(text.slice(end, end + gapCharactersMax))
  const number = found?.[1]?.replace(/[./-]+$/, '')
  if (found === null || number === undefined || countDigits(number) < digitsMin) return null
  const start = end + found[0].length - (found[1] as string).length
  return { number, start, end: start + number.length }
}

function numberBefore(text: string, end: number): RegistrationNumber | null {
  const from = Math.max(0, end - gapCharactersMax)
  const found = numberBeforeWords.exec(text.slice(from, end))
  const number = found?.[1]
  if (found === null || number === undefined || countDigits(number) < digitsMin) return null
  return { number, start: from + found.index, end: from + found.index + number.length }
}

/** A bracket this near to a name begins directly after it. */
const bracketGapMax = 3

/** Finds numbers whose letters name their register. Those that can be other words need brackets. */
function numbersWithLetters(text: string, companies: readonly Place[]): RegistrationNumber[] {
  return [...text.matchAll(numberEdge)].flatMap(({ index: start }) => {
    if (!/[A-Z0-9]/.test(text[start] as string)) return []
    const isBracketed = /[(（]\s*$/.test(text.slice(Math.max(0, start - 3), start))
    const isAfterName =
      isBracketed && companies.some(({ end }) => end < start && start - end <= bracketGapMax)
    const shapes = [...lettered, ...(isBracketed ? bracketed : []), ...(isAfterName ? named : [])].filter(
      shape => canBeginWith(shape, text[start] as string),
    )
    const match = shapes.map(shape => matchShape(shape, text, start)).find(each => each !== null)
    if (match === undefined || match === null) return []
    if (isBracketed && !/^\s*[),;/）]/u.test(text.slice(match.end, match.end + 3))) return []
    return [{ number: text.slice(start, match.end), start, end: match.end }]
  })
}
