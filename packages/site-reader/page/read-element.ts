/** Reads one element of a page: what it loads, and what it shows. */
import type { LinkElement } from './declared-hosts.ts'
import { decodeProtectedEmail, iconNames, methodNames, styledImages } from './icon-names.ts'
import type { OpenElements } from './open-elements.ts'
import type { PageCollector } from './page-collector.ts'
import type { BrandKind } from './page-fields.ts'

export type Attributes = ReadonlyMap<string, string>

/** Reads markup that counts even if it is not visible. */
export function readLoaded(page: PageCollector, name: string, attributes: Attributes): void {
  const value = (attribute: string) => attributes.get(attribute) ?? ''
  if (name === 'base') page.setBase(value('href'))
  if (name === 'meta') page.addMeta(attributes)
  if (name === 'link') page.addLinkElement(linkOf(attributes))
  if (name === 'script') page.addScript(value('src'))
  if (name === 'iframe' || name === 'frame' || name === 'embed')
    page.addLoaded('frame', value('src') || value('data-src') || value('data-lazy-src'))
  if (name === 'object') page.addLoaded('frame', value('data'))
  if (name === 'img' || name === 'amp-img')
    for (const url of imageUrls(attributes)) page.addLoaded('image', url)
  if (name === 'video' || name === 'audio') page.addLoaded('media', value('src'))
  if (name === 'video') page.addLoaded('image', value('poster'))
  if (name === 'source')
    page.addLoaded(attributes.has('srcset') ? 'image' : 'media', imageUrls(attributes)[0] ?? '')
}

const providerAttributes = [
  ...['data-provider', 'data-provider-name', 'data-provider-slug', 'data-game-provider', 'data-vendor'],
  ...['data-vendor-name', 'data-studio', 'data-supplier', 'data-game-vendor', 'data-game-studio'],
  ...['data-game-supplier', 'data-manufacturer', 'data-producer', 'data-brand-provider'],
]
/** Matches a studio in JSON of an attribute: `data-game='{"vendor": "eyecon"}'`. */
const providerMember =
  /"(?:game_?)?(?:provider|vendor|studio|supplier|manufacturer)(?:_?(?:name|slug))?"\s*:\s*"([^"]{1,60})"/i

export type ShownElement = {
  name: string
  attributes: Attributes
  kind: BrandKind | null
  open: OpenElements
}

/** The roles of elements that a click follows. */
const linkRoles = new Set(['button', 'link', 'menuitem', 'gridcell', 'listitem', 'option'])

export function readVisible(page: PageCollector, element: ShownElement): void {
  const { name, attributes, open } = element
  const value = (attribute: string) => attributes.get(attribute) ?? ''
  if (name === 'header') page.startHeader()
  for (const attribute of providerAttributes) page.addProvider(value(attribute))
  for (const method of methodNames(attributes)) page.addMethod(method)
  for (const [attribute, json] of attributes)
    if (attribute.startsWith('data-') && json.startsWith('{'))
      page.addProvider(providerMember.exec(json)?.[1] ?? '')
  readPictures(page, element)
  readTile(page, element)
  const email = decodeProtectedEmail(value('data-cfemail'))
  if (email !== null) page.addText(` ${email} `, open)
  if (name === 'a' || name === 'area') {
    const title = { text: value('title') || value('aria-label'), within: element.kind }
    page.startLink({ href: value('href'), rel: value('rel'), title })
  }
  if (name === 'area') page.endLink()
  if (name === 'form') page.startForm(attributes.get('action') ?? null)
  if (name === 'input' || name === 'select' || name === 'textarea')
    page.forms.addInput({
      type: name === 'input' ? value('type') || 'text' : name,
      name: value('name') || value('id'),
      autocomplete: value('autocomplete'),
    })
  if (name === 'input' && /^(?:submit|button)$/i.test(value('type'))) page.addButton(value('value'), open)
}

function readPictures(page: PageCollector, { name, attributes, kind, open }: ShownElement): void {
  const value = (attribute: string) => attributes.get(attribute) ?? ''
  const add = (alt: string, url: string) => page.addImage({ alt, url, kind }, open)
  for (const icon of iconNames(name, attributes)) page.addIconOf(icon, kind, open)
  for (const url of styledImages(attributes)) add('', url)
  if (name === 'img' || name === 'amp-img')
    add(value('alt') || value('title'), imageUrls(attributes)[0] ?? '')
  if (name === 'input' && /^image$/i.test(value('type'))) add(value('alt') || value('title'), value('src'))
  if (name === 'svg') add(value('aria-label'), '')
  if (name === 'use') add('', value('href') || value('xlink:href'))
}

/** Reads labels that may name the studio of a game. */
function readTile(page: PageCollector, { name, attributes }: ShownElement): void {
  const value = (attribute: string) => attributes.get(attribute) ?? ''
  const isImage = name === 'img' || name === 'amp-img'
  if (isImage) page.addTile(value('alt'), '')
  page.addTile(value('title'), isImage ? value('alt') : '')
  if (isImage || name === 'a' || name === 'button' || linkRoles.has(value('role').toLowerCase()))
    page.addTile(value('aria-label'), isImage ? value('alt') : '')
}

/** Returns the URLs of an image. Pages that load images late have a placeholder in `src`. */
function imageUrls(attributes: Attributes): string[] {
  const sets = ['srcset', 'data-srcset', 'data-lazy-srcset'].map(
    name => attributes.get(name)?.trim().split(/[\s,]/, 1)[0],
  )
  return ['data-src', 'data-lazy-src', 'data-original', 'src']
    .map(name => attributes.get(name))
    .concat(sets)
    .filter(url => url !== undefined && url !== '' && !url.startsWith('data:')) as string[]
}

function linkOf(attributes: Attributes): LinkElement {
  const value = (name: string) => (attributes.get(name) ?? '').trim()
  return {
    rel: value('rel').toLowerCase(),
    href: value('href'),
    as: value('as').toLowerCase(),
    hreflang: value('hreflang'),
  }
}
