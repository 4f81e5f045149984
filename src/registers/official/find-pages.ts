import { attribute, readPage } from './page-kind.ts'
import { Unresolved } from './unresolved.ts'

/** Spain's register has eight. */
const pagesMax = 100

/**
 * The pages of a list, the first one as it is. Without links to others it is the only one: whether rows are
 * missing is judged with the rows.
 */
export function findPages({ url, html }: { url: string; html: string }, parameter: string): string[] {
  const numbers = readPage(html).elements.flatMap(element => {
    const href = element.tagName === 'a' ? (attribute(element, 'href')?.trim() ?? '') : ''
    const target = href === '' ? null : URL.parse(href, url)
    const number = target?.pathname === new URL(url).pathname ? target.searchParams.get(parameter) : null
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
