import type { Resolve } from '../stream.ts'
import { attribute, readOfficialPage } from './page-kind.ts'
import { pagesMax, Unresolved } from './unresolved.ts'

/**
 * Returns the pages of a list, the first one unchanged. Without links to others it is the only page. The
 * rows show whether rows are missing.
 */
export function findPages(
  { url, html }: { url: string; html: string },
  { parameter, link_parameter: inLinks = parameter }: Omit<Extract<Resolve, { by: 'pages' }>, 'by'>,
): string[] {
  const numbers = readOfficialPage(html).elements.flatMap(element => {
    const href = element.tagName === 'a' ? (attribute(element, 'href')?.trim() ?? '') : ''
    const target = href === '' ? null : URL.parse(href, url)
    const number = target?.pathname === new URL(url).pathname ? target.searchParams.get(inLinks) : null
    return number !== null && /^\d{1,4}$/.test(number) ? [Number(number)] : []
  })
  // The first page has the number 0 or 1, and is the address itself.
  const further = numbers.filter(number => number > 0)
  const first = Math.min(...further)
  const last = Math.max(...further)
  if (further.length === 0) return [url]
  if (last - first + 2 > pagesMax)
    throw new Unresolved(`${url} links to page ${last} of its list; at most ${pagesMax} pages are read`)
  const pages = Array.from({ length: last - first + 1 }, (_, index) => {
    const page = new URL(url)
    page.searchParams.set(parameter, String(first + index))
    return page.href
  })
  return [url, ...pages]
}
