/**
 * Legal forms as searches read them: also in front of a name (`SIA Otter`) and in other alphabets (`ООО`).
 * The key of a legal name ignores both, because stored keys link Companies.
 */
import forms from './data/search-forms.json' with { type: 'json' }
import { foldedWords } from './fold-text.ts'
import { formWordsAt, splitLegalForm } from './legal-name.ts'

const tokens = (spellings: Readonly<Record<string, readonly string[]>>): Map<string, string> =>
  new Map(
    Object.entries(spellings).flatMap(([token, list]) =>
      list.map(spelling => [foldedWords(spelling).join(' '), token] as const),
    ),
  )

const otherAlphabets = tokens(forms.otherAlphabets)
const eitherEnd = new Map([...otherAlphabets, ...tokens(forms.inLatinLetters)])
const inFront = new Map([...eitherEnd, ...tokens(forms.inFront)])
const inFrontWithForm: ReadonlySet<string> = new Set(forms.inFrontWithForm)

/** Most names end here: their first and last words are in no form. */
const lastWords = new Set([...eitherEnd.keys()].map(spelling => spelling.split(' ').at(-1)))
const firstWords = new Set([...inFront.keys(), ...inFrontWithForm].map(spelling => spelling.split(' ')[0]))

/** Folded words as written, and in Latin letters. */
export type SpeltWords = { written: readonly string[]; latin: readonly string[] }

export type SplitName = { stem: readonly string[]; form: string | null }

/** Splits the legal form off the end of a name. The stem is in Latin letters. */
export function splitFormBehind({ written, latin }: SpeltWords): SplitName {
  const split = splitLegalForm(latin)
  if (split.form !== null || !(lastWords.has(written.at(-1)) || lastWords.has(latin.at(-1)))) return split
  for (let start = 1; start < latin.length; start += 1) {
    const form =
      otherAlphabets.get(written.slice(start).join(' ')) ?? eitherEnd.get(latin.slice(start).join(' '))
    if (form !== undefined) return { stem: latin.slice(0, start), form }
  }
  return split
}

export type FrontSplit = {
  stem: readonly string[]
  form: string
  /** False for a form of one word that may be a word of the name, such as `AS`. */
  isSure: boolean
}

/**
 * Splits the legal form off the beginning of a name, the longest one. A stored name has a usual form there;
 * a typed one may have any (`Ltd Otter`).
 */
export function splitFormInFront({ written, latin }: SpeltWords, isTyped: boolean): FrontSplit | null {
  if (!isTyped && !(firstWords.has(written[0]) || firstWords.has(latin[0]))) return null
  for (let count = latin.length - 1; count > 0; count -= 1) {
    const [spelt, letters] = [written, latin].map(words => words.slice(0, count).join(' ')) as [
      string,
      string,
    ]
    const sure = inFront.get(spelt) ?? inFront.get(letters)
    const stem = latin.slice(count)
    if (sure !== undefined) return { stem, form: sure, isSure: true }
    const isForm = inFrontWithForm.has(letters) || (isTyped && formWordsAt(latin, 0) === count)
    if (isForm)
      return { stem, form: splitLegalForm(['', ...latin.slice(0, count)]).form ?? letters, isSure: count > 1 }
  }
  return null
}

/** Returns true for a form that is written before the name, such as `aktiebolaget`. */
export const isFormInFront = (word: string): boolean => inFront.has(word)
