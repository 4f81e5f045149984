/** Decides which texts are about payments: texts of a payment page, and sentences with payment words. */
import { readRuleFile } from '../read-rule-file.ts'
import type { PageFields } from './page-fields.ts'
import { pageWords } from './page-words.ts'
import { PhraseIndex } from './phrase-index.ts'

type PaymentWords = {
  pages: string[]
  sentences: string[][]
  refusals: string[]
  announcements: string[]
  refused_headings: string[]
  house_rules: string[]
  currencies: string[]
  news: string[]
}

export type PaymentNames = PhraseIndex<unknown>

const words = readRuleFile<PaymentWords>('payment-words')

export const paymentNames = words.pages
const inSentences = PhraseIndex.of(words.sentences.flat())
const refusals = PhraseIndex.of([...words.refusals, ...words.announcements, ...words.house_rules])
const refusedHeadings = PhraseIndex.of([...words.refused_headings, ...words.announcements])
const { headings } = readRuleFile<{ headings: string[] }>('studio-words')
const studioHeadings = new Set(headings.map(each => pageWords(each).join(' ')))
const inStudioHeadings = PhraseIndex.of(headings)
const ourWords = new Set([
  'our',
  'all',
  'the',
  'top',
  'best',
  'unsere',
  'nos',
  'nuestros',
  'nossos',
  'nostri',
  'onze',
  'nasi',
  'nase',
])
const news = new Set(words.news.map(each => pageWords(each).join(' ')))

const headingsMax = 50
const charactersMax = 300
const sentencesMax = 200
export function isPaymentPage(page: PageFields, phrases: PhraseIndex<unknown>): boolean {
  const headings = page.texts.filter(({ tag }) => tag === 'h1' || tag === 'h2').slice(0, headingsMax)
  const texts = [decodedPath(page.url), page.title ?? '', ...headings.map(({ text }) => text)]
  return texts.some(text => phrases.has(pageWords(text.slice(0, charactersMax))))
}

const currency = `[€$£¥₺₽฿₹₩₴₦₸₼₾₫₱]|(?<!\\p{L})(?:${words.currencies.join('|')})(?!\\p{L})|[円元원บ]`
const amount = new RegExp(`\\d\\s?(?:${currency})|(?:${currency})\\s?\\d`, 'iu')
export const hasAmount = (text: string): boolean => /\d/.test(text) && amount.test(text)

/** Detects words such as "deposit" and "we accept". */
export const mentionsPayment = (ofText: readonly string[]): boolean => inSentences.has(ofText)

const inBrackets = /\(([^()]{0,60})\)/gu
const nameBeforeBracket = /[^,;·|()]{0,40}$/u
const nameCharactersMax = 40

/** Splits a text into sentences, without names that brackets refuse: `PayPal (coming soon)`. */
export function sentencesOfPage(text: string): string[] {
  const kept = text.includes('(') ? withoutRefused(text) : text
  return kept.split(/(?<=[.!?;。])(?:\s+|(?<=。))(?=\P{Ll})|\n/u).slice(0, sentencesMax)
}

function withoutRefused(text: string): string {
  const kept: string[] = []
  let end = 0
  for (const found of text.matchAll(inBrackets)) {
    if (!refusals.has(pageWords(found[1] as string))) continue
    const before = text.slice(end, found.index)
    const name = nameBeforeBracket.exec(before.slice(-nameCharactersMax))?.[0] ?? ''
    kept.push(before.slice(0, before.length - name.length), ' ')
    end = found.index + found[0].length
  }
  return end === 0 ? text : kept.join('') + text.slice(end)
}

const headingWordsMax = 12
const introductionWordsMax = 10

export const isPaymentHeading = (ofHeading: readonly string[], names: PaymentNames): boolean =>
  ofHeading.length <= headingWordsMax && (names.has(ofHeading) || inSentences.has(ofHeading))

export const isMethodsHeading = (ofHeading: readonly string[], names: PaymentNames): boolean =>
  ofHeading.length <= headingWordsMax && names.has(ofHeading)

/** Detects a paragraph that introduces a list, such as `Coming soon:`. */
export const isIntroduction = (text: string, ofText: readonly string[]): boolean =>
  ofText.length <= introductionWordsMax && /[:：]$/u.test(text)

/** Detects a heading that refuses the list below it, such as `Coming soon`. */
export const isRefusedHeading = (ofHeading: readonly string[]): boolean => refusedHeadings.has(ofHeading)

/** Detects words before names of suppliers: `Providers of our live tables`. */
export const hasStudioHeading = (ofText: readonly string[]): boolean => inStudioHeadings.has(ofText)

/** Detects a heading of suppliers, such as `Our providers`. */
export function isStudioHeading(ofHeading: readonly string[]): boolean {
  const start = ourWords.has(ofHeading[0] ?? '') ? 1 : 0
  return studioHeadings.has(ofHeading.slice(start).join(' '))
}

/** Detects a heading of news, such as `Latest news`. */
export const mentionsNews = (ofHeading: readonly string[]): boolean => news.has(ofHeading.join(' '))

/** Detects words such as "not available" and "coming soon". */
export const mentionsRefusal = (ofText: readonly string[]): boolean => refusals.has(ofText)

function decodedPath(url: string): string {
  const path = URL.parse(url)?.pathname ?? ''
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
