/** Finds the sentences of a page that offer something, and those that name accepted payment methods. */
import { type WordMarks, wordMarks } from './name-checks.ts'
import type { PageFields } from './page-fields.ts'
import { pageWords } from './page-words.ts'
import {
  hasAmount,
  isPaymentPage,
  mentionsPayment,
  mentionsRefusal,
  type PaymentNames,
  sentencesOfPage,
} from './payment-page.ts'
import type { TextPlace } from './text-places.ts'

/** A sentence with its words. How they are written is only read where a name is found. */
export class Sentence {
  readonly text: string
  private knownWords: readonly string[] | undefined
  private knownMarks: WordMarks | null | undefined

  constructor(text: string, words?: readonly string[]) {
    this.text = text
    this.knownWords = words
  }

  get words(): readonly string[] {
    this.knownWords ??= pageWords(this.text)
    return this.knownWords
  }

  get marks(): WordMarks | null {
    if (this.knownMarks === undefined) this.knownMarks = wordMarks(this.text, this.words)
    return this.knownMarks
  }
}

/**
 * The sentences of a text. `offering` are those that neither refuse nor announce. `payments` name accepted
 * methods: on a payment page all offering ones do.
 */
export type TextSentences = { offering: readonly Sentence[]; payments: readonly Sentence[] }

const none: TextSentences = { offering: [], payments: [] }

export function readSentences(
  page: PageFields,
  places: readonly TextPlace[],
  names: PaymentNames,
): TextSentences[] {
  const isOfPayments = isPaymentPage(page, names)
  return page.texts.map(({ text }, index) => {
    const place = places[index] as TextPlace
    if (place.isRefused) return none
    const whole = new Sentence(text, place.words)
    const offering = place.mentionsRefusal
      ? sentencesOf(text).filter(each => !mentionsRefusal(each.words))
      : [whole]
    const payments = isOfPayments || place.isPayment ? offering : sentencesAboutPayments(whole)
    return { offering, payments }
  })
}

function sentencesAboutPayments({ text, words }: Sentence): Sentence[] {
  if (!mentionsPayment(words) && !hasAmount(text)) return []
  return sentencesOf(text).filter(each => isAboutPayments(each) && !mentionsRefusal(each.words))
}

export const isAboutPayments = (sentence: Sentence): boolean =>
  (sentence.text.length <= amountCharactersMax && hasAmount(sentence.text)) || mentionsPayment(sentence.words)

const sentencesOf = (text: string): Sentence[] => sentencesOfPage(text).map(each => new Sentence(each))

/** A short sentence with an amount of money names methods: "Visa, from €10". */
const amountCharactersMax = 90
