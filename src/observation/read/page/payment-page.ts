/** Which texts are about payments: those of a page about them, and sentences that say so themselves. */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { PageFields, PageImage } from './page-fields.ts'
import { pageWords } from './page-words.ts'
import { PhraseIndex } from './phrase-index.ts'

type PaymentWords = {
  pages: string[]
  sentences: string[][]
  refusals: string[]
  announcements: string[]
  refused_headings: string[]
  news: string[]
}

export type PaymentNames = PhraseIndex<unknown>

const words = parse(
  readFileSync(new URL('../../rules/payment-words.yaml', import.meta.url), 'utf8'),
) as PaymentWords

export const paymentNames = words.pages
const inSentences = PhraseIndex.of(words.sentences.flat())
const refusals = PhraseIndex.of([...words.refusals, ...words.announcements])
const refusedHeadings = PhraseIndex.of([...words.refused_headings, ...words.announcements])
const news = new Set(words.news.map(each => pageWords(each).join(' ')))

const headingsMax = 50
const charactersMax = 300
const sentencesMax = 200
/** A folder of pictures of payment methods or game studios. */
const methodsFolder =
  /\/(?:payments?|payment[-_]?(?:methods?|icons?|logos?|systems?|providers?)|pays?|paymethods?|psps?|cashier|deposits?|banking|banks?|wallets?|pagamenti|pagos|pagamentos?|paiements?|betaal(?:methoden)?|zahlung(?:en|sarten)?|betalning(?:ar)?|platby|oplata)(?:\/|[-_])/i
const studiosFolder =
  /\/(?:providers?|provs?|vendors?|studios?|suppliers?|game[-_]?(?:providers?|studios?|vendors?)|developers?)(?:\/|[-_])/i

export function isPaymentPage(page: PageFields, phrases: PhraseIndex<unknown>): boolean {
  const headings = page.texts.filter(({ tag }) => tag === 'h1' || tag === 'h2').slice(0, headingsMax)
  const texts = [decodedPath(page.url), page.title ?? '', ...headings.map(({ text }) => text)]
  return texts.some(text => phrases.has(pageWords(text.slice(0, charactersMax))))
}

/** Words of a text's sentences that name accepted methods. Of a page about payments, of all but the refusing ones. */
export function paymentSentences(
  text: string,
  offering: readonly (readonly string[])[],
  textWords: readonly string[],
  isOfPaymentPage: boolean,
): readonly (readonly string[])[] {
  if (!isOfPaymentPage && !inSentences.has(textWords)) return []
  if (isOfPaymentPage) return offering
  return sentencesOf(text)
    .map(pageWords)
    .filter(each => inSentences.has(each) && !refusals.has(each))
}

/** Words of a text's sentences without those that refuse or announce. */
export function offeringSentences(
  text: string,
  textWords: readonly string[],
  mentionsRefusal: boolean,
): readonly (readonly string[])[] {
  if (!mentionsRefusal) return [textWords]
  return sentencesOf(text)
    .map(pageWords)
    .filter(each => !refusals.has(each))
}

const inBrackets = /[^,;·|()]{0,40}\(([^()]{0,60})\)/gu

/** Without names that brackets refuse: `PayPal (coming soon)`. */
export function sentencesOf(text: string): string[] {
  const kept = text.includes('(')
    ? text.replaceAll(inBrackets, (all, within: string) => (refusals.has(pageWords(within)) ? ' ' : all))
    : text
  return kept.split(/(?<=[.!?;。])(?:\s+|(?<=。))(?=\P{Ll})|\n/u).slice(0, sentencesMax)
}

const headingWordsMax = 12
const introductionWordsMax = 10

export const isPaymentHeading = (ofHeading: readonly string[], names: PaymentNames): boolean =>
  ofHeading.length <= headingWordsMax && (names.has(ofHeading) || inSentences.has(ofHeading))

/** `Coming soon:`, a paragraph before a list. */
export const isIntroduction = (text: string, ofText: readonly string[]): boolean =>
  ofText.length <= introductionWordsMax && /[:：]$/u.test(text)

/** `Coming soon` above a list. */
export const isRefusedHeading = (ofHeading: readonly string[]): boolean => refusedHeadings.has(ofHeading)

/** `Latest news`. */
export const mentionsNews = (ofHeading: readonly string[]): boolean => news.has(ofHeading.join(' '))

/** "Not available", "coming soon". */
export const mentionsRefusal = (ofText: readonly string[]): boolean => refusals.has(ofText)

export const isMethodPicture = ({ url }: PageImage): boolean => methodsFolder.test(url)
export const isStudioPicture = ({ url }: PageImage): boolean => studiosFolder.test(url)

function decodedPath(url: string): string {
  const path = URL.parse(url)?.pathname ?? ''
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
