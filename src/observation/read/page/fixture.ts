import type { PageFields, PageSource } from './page-fields.ts'
import { parsePage } from './parse-page.ts'

/** A page of luckyotter.example in UTF-8. */
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
