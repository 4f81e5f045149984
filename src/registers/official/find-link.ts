import type { LinkChoice } from '../stream.ts'
import { matching, newestOf } from './choose.ts'
import { attribute, elementsOf, obstacleOf, readPage, textOf } from './page-kind.ts'
import { Unresolved } from './unresolved.ts'

type Page = { url: string; html: string; language: string }

/** The absolute address of the current file. Throws an Unresolved. */
export function findLink(page: Page, choice: LinkChoice): string {
  const read = readPage(page.html)
  const base = read.elements.find(each => each.tagName === 'base')
  const baseUrl = URL.parse((base && attribute(base, 'href')) ?? '', page.url)?.href ?? page.url
  const root = choice.within === undefined ? undefined : read.elements.find(isNamed(choice.within))
  const elements = root === undefined ? read.elements : elementsOf([root])
  const links = elements.flatMap(element => {
    const href = element.tagName === 'a' ? attribute(element, 'href')?.trim() : undefined
    return href === undefined || href === '' ? [] : [{ href, text: textOf(element) }]
  })
  const found =
    choice.within !== undefined && root === undefined
      ? undefined
      : newestOf(matching(links, choice), choice.newest, page.language)
  if (found === undefined)
    throw new Unresolved(whyNone(page.url, { read, links: links.length, choice, root }))
  const url = URL.parse(found.href, baseUrl)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Unresolved(
      `the link on ${page.url} leads to "${found.href.slice(0, 100)}", which is no http address`,
    )
  url.hash = ''
  return url.href
}

function isNamed(within: string) {
  const name = within.slice(1)
  return (element: Parameters<typeof attribute>[0]) => {
    if (within.startsWith('#')) return attribute(element, 'id') === name
    if (within.startsWith('.')) return attribute(element, 'class')?.split(/\s+/).includes(name) === true
    return element.tagName === within.toLowerCase()
  }
}

type Missing = { read: ReturnType<typeof readPage>; links: number; choice: LinkChoice; root: unknown }

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
