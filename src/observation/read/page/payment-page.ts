/** Which texts are about payments: those of a page about them, and sentences that say so themselves. */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { PageFields, PageImage } from './page-fields.ts'
import { pageWords } from './page-words.ts'
import { PhraseIndex } from './phrase-index.ts'

type PaymentWords = { pages: string[]; sentences: string[][]; refusals: string[] }

const words = parse(
  readFileSync(new URL('../../rules/payment-words.yaml', import.meta.url), 'utf8'),
) as PaymentWords

export const paymentNames = words.pages
const inSentences = PhraseIndex.of(words.sentences.flat())
const refusals = PhraseIndex.of(words.refusals)

const headingsMax = 50
const charactersMax = 300
const sentencesMax = 200
/** A folder of pictures of payment methods or game studios. */
const picturesFolder =
  /\/(?:payments?|payment[-_]?(?:methods?|icons?|logos?)|pay|psp|cashier|deposits?|banking|wallets?|providers?|vendors?|studios?|suppliers?)(?:\/|[-_])/i

export function isPaymentPage(page: PageFields, phrases: PhraseIndex<unknown>): boolean {
  const headings = page.texts.filter(({ tag }) => tag === 'h1' || tag === 'h2').slice(0, headingsMax)
  const texts = [decodedPath(page.url), page.title ?? '', ...headings.map(({ text }) => text)]
  return texts.some(text => phrases.has(pageWords(text.slice(0, charactersMax))))
}

/** Words of a text's sentences that name accepted methods. Of a page about payments, of all but the refusing ones. */
export function paymentSentences(
  text: string,
  textWords: readonly string[],
  isOfPaymentPage: boolean,
): readonly (readonly string[])[] {
  if (!isOfPaymentPage && !inSentences.has(textWords)) return []
  const sentences = text.split(/(?<=[.!?;。])\s*(?=\P{Ll})|\n/u).slice(0, sentencesMax)
  return (sentences.length === 1 ? [textWords] : sentences.map(pageWords)).filter(
    each => (isOfPaymentPage || inSentences.has(each)) && !refusals.has(each),
  )
}

/** "Not available", "coming soon". */
export const mentionsRefusal = (ofText: readonly string[]): boolean => refusals.has(ofText)

export const isBrandPicture = ({ url }: PageImage): boolean => picturesFolder.test(url)

function decodedPath(url: string): string {
  const path = URL.parse(url)?.pathname ?? ''
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
