import type { LinkChoice, Resolve } from '../stream.ts'
import { matching, newestChoice } from './choose.ts'
import { attribute, elementsAmong, obstacleOf, readOfficialPage, textOf } from './page-kind.ts'
import { pagesMax, Unresolved } from './unresolved.ts'
import { workbookUrl } from './workbook-url.ts'

type Page = { url: string; html: string; language: string }
type FileLinks = LinkChoice & Pick<Extract<Resolve, { by: 'newest_link' }>, 'all' | 'workbook'>

/** Returns the absolute address of the current file, or those of all pages. Throws an Unresolved. */
export function findFileLinks(page: Page, choice: FileLinks): string[] {
  const read = readOfficialPage(page.html)
  const base = read.elements.find(each => each.tagName === 'base')
  const baseUrl = URL.parse((base && attribute(base, 'href')) ?? '', page.url)?.href ?? page.url
  const root = choice.within === undefined ? undefined : read.elements.find(isNamed(choice.within))
  const elements = root === undefined ? read.elements : elementsAmong([root])
  const links = elements.flatMap(element => {
    const href = element.tagName === 'a' ? attribute(element, 'href')?.trim() : undefined
    return href === undefined || href === '' ? [] : [{ href, text: textOf(element) }]
  })
  const found = choice.within !== undefined && root === undefined ? [] : matching(links, choice)
  const newest = newestChoice(found, choice.newest, page.language)
  if (newest === undefined)
    throw new Unresolved(whyNone(page.url, { read, links: links.length, choice, root }))
  const chosen = choice.all === true ? found : [newest]
  const addresses = new Set(chosen.map(({ href }) => addressOf(href, { page, baseUrl }, choice)))
  if (addresses.size > pagesMax)
    throw new Unresolved(`${page.url} has ${addresses.size} such links; at most ${pagesMax} are read`)
  return [...addresses]
}

function addressOf(href: string, { page, baseUrl }: { page: Page; baseUrl: string }, choice: FileLinks) {
  const url = URL.parse(href, baseUrl)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Unresolved(`the link on ${page.url} leads to "${href.slice(0, 100)}", which is no http address`)
  url.hash = ''
  return choice.workbook === true ? workbookUrl(url.href) : url.href
}

function isNamed(within: string) {
  const name = within.slice(1)
  return (element: Parameters<typeof attribute>[0]) => {
    if (within.startsWith('#')) return attribute(element, 'id') === name
    if (within.startsWith('.')) return attribute(element, 'class')?.split(/\s+/).includes(name) === true
    return element.tagName === within.toLowerCase()
  }
}

type Missing = { read: ReturnType<typeof readOfficialPage>; links: number; choice: LinkChoice; root: unknown }

function whyNone(url: string, { read, links, choice, root }: Missing): string {
  const obstacle = obstacleOf(read)
  if (obstacle !== null) return `${url} is ${obstacle}`
  const title = read.title === '' ? '' : ` ("${read.title}")`
  const look =
    'The page has changed: look for the file on it, and give its address with "register watch --url"'
  if (choice.within !== undefined && root === undefined)
    return `${url}${title} has no element ${choice.within}, in which the link is expected. ${look}`
  const wanted = [
    choice.text === undefined ? [] : [`the text /${choice.text}/`],
    choice.href === undefined ? [] : [`the address /${choice.href}/`],
  ]
  return `${url}${title} has ${links} links, none with ${wanted.flat().join(' and ')}. ${look}`
}
