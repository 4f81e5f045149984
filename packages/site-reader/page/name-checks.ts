/** Checks whether words of a text are written as a name: without a border between them, and with capitals. */
import { foldedWords } from '@baize/names'
import { pageWords } from './page-words.ts'

export type WordMarks = {
  /** Has the index of each word with an end of a sentence, or any sign, before it. */
  ends: ReadonlySet<number>
  borders: ReadonlySet<number>
  /** Has the index of each word without a capital letter or a digit. */
  lower: ReadonlySet<number>
  /** Has the index of each word with a capital after its beginning, such as `iDEAL`. */
  inner: ReadonlySet<number>
  /** Has the index of each word after an opening bracket. */
  bracketed: ReadonlySet<number>
}

const endOfSentence = /[.!?;…。]["'”»)]*$/u
const endOfPart = /[,:|/)·•–—、，：]["'”»]*$/u
const startOfPart = /^[("“«|/–—·•]/u
const oneWord = /^[("]?[A-Za-z0-9]+[.,:;!?)"]?$/
const onlySigns = /^[^\p{L}\p{N}&+]+$/u
const initialCharactersMax = 2

/** Returns null if the words of the whole text are not those of its parts. */
export function wordMarks(text: string, words: readonly string[]): WordMarks | null {
  const marks = {
    ends: new Set<number>(),
    borders: new Set<number>(),
    lower: new Set<number>(),
    inner: new Set<number>(),
    bracketed: new Set<number>(),
  }
  let at = 0
  let before = ''
  for (const part of text.split(/\s+/)) {
    markBorder(marks, at, { before, part })
    const count = oneWord.test(part) ? 1 : pageWords(part).length
    if (count > 0) {
      markCapitals(marks, at, { part, count })
      before = part
    }
    at += count
  }
  return at === words.length ? marks : null
}

type Marks = { [Name in keyof WordMarks]: Set<number> }

const endsInWord = /[\p{L}\p{N}]$/u

function markBorder(marks: Marks, at: number, { before, part }: { before: string; part: string }): void {
  if (!endsInWord.test(before)) {
    const isInitial = before.length <= initialCharactersMax && before.endsWith('.')
    if (endOfSentence.test(before) && !isInitial) marks.ends.add(at)
    if (marks.ends.has(at) || endOfPart.test(before)) marks.borders.add(at)
  }
  if (startsInWord.test(part)) return
  if (part.startsWith('(')) marks.bracketed.add(at)
  if (startOfPart.test(part) || onlySigns.test(part)) marks.borders.add(at)
  if (onlySigns.test(part) && /[.!?;…。]/u.test(part)) marks.ends.add(at)
}

const startsInWord = /^[\p{L}\p{N}]/u
const leadingSigns = /^[^\p{L}\p{N}]+/u
const hasCase = (text: string) => text.toLowerCase() !== text.toUpperCase()

function markCapitals(marks: Marks, at: number, { part, count }: { part: string; count: number }): void {
  const word = hasCase(part.slice(0, 1)) ? part : part.replace(leadingSigns, '')
  const isLower = word === word.toLowerCase() && hasCase(word) && !/\d/.test(word)
  const inner = word.slice(1)
  for (let index = at; index < at + count; index += 1) {
    if (isLower) marks.lower.add(index)
    if (inner !== inner.toLowerCase()) marks.inner.add(index)
  }
}

export const hasNoBorder = (borders: ReadonlySet<number>, start: number, end: number): boolean => {
  for (let index = start + 1; index < end; index += 1) if (borders.has(index)) return false
  return true
}

/** Words that end names of companies, and are ordinary without a capital: `relax gaming`. */
const ordinaryEnds = new Set(
  foldedWords('gaming games studios studio live play interactive entertainment city tiger global technology'),
)
const wordsAroundMax = 1

/** Checks for capitals in a name of several words, unless the text has little else than the name. */
export function isCapitalised(
  { lower, ends }: WordMarks,
  words: readonly string[],
  { start, end }: { start: number; end: number },
): boolean {
  if (end - start < 2 || words.length <= end - start + wordsAroundMax) return true
  let lowerWords = 0
  for (let index = start; index < end; index += 1) if (lower.has(index)) lowerWords += 1
  if (lowerWords === end - start) return false
  const isFirst = start === 0 || ends.has(start)
  return !(isFirst && lowerWords > 0 && lower.has(end - 1) && ordinaryEnds.has(words[end - 1] as string))
}
