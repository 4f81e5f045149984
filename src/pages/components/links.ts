import { findMarket } from '@baize/names'
import { type Content, type Html, html } from '../html.ts'

/** Links to the page of a site, a Company, a license or a market. */
export const domainPath = (domain: string) => `/dashboard/domains/${encodeURIComponent(domain)}`
export const companyPath = (ref: string) => `/dashboard/companies/${ref}`
export const licensePath = (ref: string) => `/dashboard/licenses/${ref}`
export const marketPath = (code: string) => `/dashboard/markets/${code}`
export const searchPath = (text: string) => `/dashboard/search?q=${encodeURIComponent(text)}`

export const domainLink = (domain: string): Html => html`<a href="${domainPath(domain)}">${domain}</a>`

/** Returns the name of a market; a code without one stays as it is. */
export const marketName = (code: string): string => findMarket(code)?.name ?? code

export const marketLink = (code: string): Content =>
  findMarket(code) === undefined ? code : html`<a href="${marketPath(code)}">${marketName(code)}</a>`

/** Names a source in words, such as `Great Britain: licences`, with its key on hover. */
export function sourceWords(stream: string, market?: string): Html {
  const [of = '', what = ''] = stream.split('.')
  const words = [market ?? marketName(of), what]
    .map(each => each.replaceAll('_', ' '))
    .filter(each => each !== '')
  return html`<span title="${stream}">${stream === 'import' ? 'Imported records' : words.join(': ')}</span>`
}

/** Joins `a`, `b` and `c` as in a sentence. */
export const inSentence = (of: readonly Content[]): Content =>
  of.map((each, index) => [index > 0 && (index === of.length - 1 ? ' and ' : ', '), each])

/** Shows a few items, and how many more there are. */
export function someOf(of: readonly Content[], most: number): Content {
  const rest = of.length - most
  const shown = of.slice(0, most).map((each, index) => [index > 0 && ', ', each])
  return [shown, rest > 0 && html` <span class="hint">and ${rest} more</span>`]
}
