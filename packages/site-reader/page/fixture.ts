import { loadRules } from './load-rules.ts'
import { matchRules } from './match-rules.ts'
import type { PageFields, PageSource } from './page-fields.ts'
import { parsePage } from './parse-page.ts'

/** Returns a page of luckyotter.example in UTF-8. */
export function pageSource(html: string | Uint8Array, more: Partial<PageSource> = {}): PageSource {
  return {
    url: 'https://luckyotter.example/',
    status: 200,
    headers: {},
    body: typeof html === 'string' ? new TextEncoder().encode(html) : html,
    ...more,
  }
}

export const parsed = (html: string | Uint8Array, more: Partial<PageSource> = {}): PageFields =>
  parsePage(pageSource(html, more))

/** Returns the keys of the rules of a file that match a page, in the order of the alphabet. */
function brandsOn(html: string, file: 'payment-methods' | 'suppliers'): string[] {
  return matchRules(parsed(html), loadRules().rules)
    .filter(({ rule }) => rule.startsWith(`${file}/`))
    .map(({ rule }) => rule.slice(file.length + 1))
    .toSorted()
}

export const methodsOn = (html: string): string[] => brandsOn(html, 'payment-methods')
export const studiosOn = (html: string): string[] => brandsOn(html, 'suppliers')
