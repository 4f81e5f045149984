/** Decides what the headings and the row around a text mean for it: payments, a refusal, or news. */
import type { PageFields, PageImage, PageText } from './page-fields.ts'
import { pageWords } from './page-words.ts'
import {
  isIntroduction,
  isMethodsHeading,
  isPaymentHeading,
  isRefusedHeading,
  isStudioHeading,
  mentionsNews,
  mentionsRefusal,
  type PaymentNames,
} from './payment-page.ts'

export type TextPlace = {
  words: readonly string[]
  isPayment: boolean
  /** Is true below a heading such as "Payment methods", not "Deposit and win". */
  isMethods: boolean
  /** Is true below a heading such as "Providers". */
  isStudios: boolean
  isRefused: boolean
  /** Is true if what follows the text in its row or part is refused, too. */
  isRefusedPart: boolean
  /** Is true if the text has words of refusal anywhere. */
  mentionsRefusal: boolean
  /** Is true for a table cell after the first of its row. */
  isLaterCell: boolean
}

type Section = { level: number; depth: number; hasText: boolean } & Meaning
type Meaning = {
  isPayment: boolean
  isMethods: boolean
  isStudios: boolean
  isRefused: boolean
  isNews: boolean
}

const headingLevels: Record<string, number> = { h1: 1, h2: 2, h3: 3, h4: 4, h5: 5, h6: 6, summary: 7, dt: 7 }
const introductionLevel = 8
const sectionsMax = 12
const headingCharactersMax = 120
const rowWordsMax = 10
/** A text of more words is not a name. */
const nameWordsMax = 5
const crosses = /^[×✗✘✖❌⛔\u2717]+\ufe0f?$/u
const dashes = /^[-\u2013\u2014]$/

/** The meaning of a table with a column of deposits. */
const columnsOfPayments = {
  ...{ level: 9, hasText: false },
  ...{ isPayment: true, isMethods: true, isStudios: false, isRefused: false, isNews: false },
}

export function textPlaces(page: PageFields, names: PaymentNames): TextPlace[] {
  const allWords = page.texts.map(({ text }) => pageWords(text))
  const refusing = allWords.map(words => mentionsRefusal(words))
  const refusedRows = rowsRefused(page.texts, allWords, refusing)
  const sections: Section[] = []
  return page.texts.map((text, index) => {
    const words = allWords[index] as string[]
    leaveSections(sections, text)
    const refuses = refusing[index] as boolean
    const level = levelOf(text, words)
    const isRefusedRow = refusedRows.has(text.row)
    const isLaterCell = text.tag === 'td' && text.row > 0 && page.texts[index - 1]?.row === text.row
    if (level === null) {
      const within = {
        words,
        isLaterCell,
        mentionsRefusal: refuses,
        isPayment: sections.some(each => each.isPayment),
        isMethods: sections.some(each => each.isMethods),
        isStudios: sections.some(each => each.isStudios),
        isRefusedPart: isRefusedRow || sections.some(each => each.isRefused),
        isRefused:
          isRefusedRow ||
          sections.some(each => each.isRefused || (each.isNews && words.length > nameWordsMax)),
      }
      for (const section of sections) section.hasText = true
      if (text.tag === 'th' && sections.length < sectionsMax && isPaymentHeading(words, names))
        sections.push({ ...columnsOfPayments, depth: text.depth })
      return within
    }
    while ((sections.at(-1)?.level ?? 0) >= level) sections.pop()
    const isOfItself = /[:：]\s*\S/u.test(text.text)
    const isRefused =
      level > 1 && !isOfItself && (isRefusedHeading(words) || (level === introductionLevel && refuses))
    const meaning = {
      isPayment: level > 1 && isPaymentHeading(words, names),
      isMethods: level > 1 && isMethodsHeading(words, names),
      isStudios: level > 1 && isStudioHeading(words),
      isRefused,
      isNews: level > 1 && mentionsNews(words),
    }
    const within = {
      words,
      isLaterCell,
      mentionsRefusal: refuses,
      isPayment: meaning.isPayment || sections.some(each => each.isPayment),
      isMethods: meaning.isMethods || sections.some(each => each.isMethods),
      isStudios: meaning.isStudios || sections.some(each => each.isStudios),
      isRefusedPart: isRefused || isRefusedRow || sections.some(each => each.isRefused),
      isRefused:
        isRefused ||
        isRefusedRow ||
        sections.some(each => each.isRefused || (each.isNews && words.length > nameWordsMax)),
    }
    if (level < introductionLevel && refusesNext(page.texts[index + 1], allWords[index + 1], words))
      within.isRefused = true
    if (sections.length < sectionsMax) sections.push({ level, depth: text.depth, hasText: false, ...meaning })
    return within
  })
}

/** A heading may have elements of its own around it, which end before the pictures below. */
const elementsAroundHeadingMax = 2

/** Returns the place of a picture: that of the text before it, unless the element of that text ended since. */
export function placeOfImage(
  { after, low }: PageImage,
  { texts }: PageFields,
  places: readonly TextPlace[],
): TextPlace | null {
  const text = texts[after]
  const place = places[after]
  if (text === undefined || place === undefined) return null
  const around = levelOf(text, place.words) === null ? 0 : elementsAroundHeadingMax
  return low < text.depth - around ? null : place
}

/**
 * Ends the sections of closed headings. The element of a heading ends before the texts that it introduces.
 */
function leaveSections(sections: Section[], { low }: PageText): void {
  while (sections.length > 0) {
    const last = sections.at(-1) as Section
    if (low >= last.depth) return
    if (last.hasText || last.depth - low > 2) sections.pop()
    else last.depth = low
  }
}

/** Returns null if the text is not a heading. */
function levelOf({ tag, text }: PageText, words: readonly string[]): number | null {
  if (text.length > headingCharactersMax) return null
  return headingLevels[tag] ?? (isIntroduction(text, words) ? introductionLevel : null)
}

/** Detects a refusal below a name: `PayPal`, and then `Not available in your country`. */
function refusesNext(
  next: PageText | undefined,
  nextWords: readonly string[] = [],
  words: readonly string[],
): boolean {
  if (next === undefined || headingLevels[next.tag] !== undefined || words.length > nameWordsMax) return false
  return next.tag !== 'li' && nextWords.length <= rowWordsMax && mentionsRefusal(nextWords)
}

/** Detects rows that refuse: `PayPal | ✗ | ✗`, `Monero | suspended`. */
function rowsRefused(
  texts: readonly PageText[],
  words: readonly (readonly string[])[],
  refusing: readonly boolean[],
): ReadonlySet<number> {
  const rows = new Map<number, { others: string[]; isRefused: boolean }>()
  texts.forEach(({ row, text }, index) => {
    if (row === 0) return
    const known = rows.get(row)
    if (known === undefined) rows.set(row, { others: [], isRefused: false })
    else {
      known.others.push(text)
      known.isRefused ||= refusing[index] === true && (words[index] as string[]).length <= rowWordsMax
    }
  })
  const isNegative = (others: readonly string[]) => {
    const marks = others.filter(text => crosses.test(text) || dashes.test(text))
    return (
      marks.length > 0 &&
      marks.length === others.length &&
      (crosses.test(marks[0] as string) || marks.length > 1)
    )
  }
  const refused = [...rows].filter(([, { others, isRefused }]) => isRefused || isNegative(others))
  return new Set(refused.map(([row]) => row))
}
