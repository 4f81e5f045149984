/**
 * Reads the bytes of a page into the fields that rules match. It reads tokens, not a tree: a tree of the
 * standard takes quadratic time for some markup, and 1 MB can open 300,000 elements.
 */
import { type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5'
import { type LinkElement, linkHeader, policyHosts } from './declared-hosts.ts'
import { decodePage } from './decode-page.ts'
import { iconNames, methodNames, protectedEmail } from './icon-names.ts'
import { inlineElements, type OpenElement, OpenElements, voidElements } from './open-elements.ts'
import { PageCollector } from './page-collector.ts'
import type { PageFields, PageSource } from './page-fields.ts'

type Attributes = Map<string, string>

const attributesMax = 60
const attributeCharactersMax = 4_000
const policyCharactersMax = 20_000
const rawCharactersMax = 262_144

export function parsePage(source: PageSource): PageFields {
  const collector = new PageCollector(source)
  for (const name of ['content-security-policy', 'content-security-policy-report-only'])
    for (const declared of policyHosts(source.headers[name] ?? '')) collector.addHost(declared)
  const reader = new MarkupReader(collector)
  for (const link of linkHeader(source.headers.link ?? '')) collector.addLinkElement(link)
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: false }, reader)
  reader.tokenizer = tokenizer
  tokenizer.write(decodePage(source.body, source.headers['content-type']), true)
  return collector.finish()
}

/** Elements whose content is text to the tokenizer. All but `title` is never visible. */
const rawElements: Record<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]> = {
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  style: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  noscript: TokenizerMode.RAWTEXT,
  script: TokenizerMode.SCRIPT_DATA,
  plaintext: TokenizerMode.PLAINTEXT,
}

class MarkupReader implements TokenHandler {
  tokenizer!: Tokenizer
  private readonly page: PageCollector
  private readonly open = new OpenElements(element => this.closed(element))
  private raw: { name: string; attributes: Attributes; text: string } | null = null
  private afterInlineEnd = false

  constructor(page: PageCollector) {
    this.page = page
  }

  onStartTag({ tagName: name, attrs, selfClosing }: Token.TagToken): void {
    const attributes = attributesOf(attrs)
    if (name === 'html') this.page.setLang(attributes.get('lang') ?? attributes.get('xml:lang'))
    if (name === 'html' || name === 'head' || name === 'body') return
    this.open.closeImplied(name)
    if (!inlineElements.has(name)) this.page.endText()
    else if (name === 'br' || this.afterInlineEnd) this.page.addText(' ', this.open)
    this.afterInlineEnd = false
    const isForeign = this.isForeign(name)
    const isHidden = this.open.isHidden || name === 'template' || hides(attributes)
    if (name !== 'template' && !this.open.has('template')) {
      readLoaded(this.page, name, attributes)
      if (!isHidden) readVisible(this.page, name, attributes, this.open)
    }
    const mode = isForeign ? undefined : rawElements[name]
    if (mode !== undefined) {
      this.tokenizer.state = mode
      this.raw = { name, attributes, text: '' }
    } else if (!(isForeign ? selfClosing : voidElements.has(name))) {
      if (rows.has(name)) this.page.startRow()
      if (inlineElements.has(name)) this.page.startInline()
      this.open.push({ name, isHidden, isForeign })
    }
    this.tokenizer.inForeignNode = this.open.current?.isForeign === true
  }

  onEndTag({ tagName: name }: Token.TagToken): void {
    if (this.raw !== null) this.endRaw()
    else if (name === 'br') this.page.addText(' ', this.open)
    else {
      if (!inlineElements.has(name)) this.page.endText()
      this.open.close(name)
      this.afterInlineEnd = inlineElements.has(name)
      this.tokenizer.inForeignNode = this.open.current?.isForeign === true
    }
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    if (this.raw !== null) this.addRaw(chars)
    else if (!this.open.isHidden) this.addVisible(chars)
  }

  onWhitespaceCharacter({ chars }: Token.CharacterToken): void {
    if (this.raw !== null) this.addRaw(chars)
    else if (!this.open.isHidden) this.addVisible(' ')
  }

  onEof(): void {
    this.endRaw()
    this.open.closeAll()
    this.page.endText()
  }

  onNullCharacter(): void {}
  onComment(): void {}
  onDoctype(): void {}

  private isForeign(name: string): boolean {
    const within = this.open.current
    if (name === 'svg' || name === 'math') return true
    return within?.isForeign === true && !integrationPoints.has(within.name)
  }

  private addVisible(chars: string): void {
    this.afterInlineEnd = false
    const within = this.open.current
    if (within?.isForeign === true && (within.name === 'style' || within.name === 'script')) return
    if (within?.name === 'title') this.page.addIconName(chars)
    else this.page.addText(chars, this.open)
  }

  private addRaw(chars: string): void {
    if (this.raw !== null && this.raw.text.length <= rawCharactersMax) this.raw.text += chars
  }

  private endRaw(): void {
    const { raw } = this
    this.raw = null
    if (raw?.name === 'title' && !this.open.isHidden) this.page.setTitle(raw.text)
    if (raw?.name === 'script' && /^application\/ld\+json\b/i.test(raw.attributes.get('type')?.trim() ?? ''))
      this.page.addJsonLd(raw.text)
  }

  private closed({ name, isHidden }: OpenElement): void {
    if (name === 'a' && !isHidden) this.page.endLink()
    if (name === 'form' && !isHidden) this.page.endForm()
    if (name === 'header') this.page.endHeader()
    if (endsOfRows.has(name)) this.page.endRow()
    if (inlineElements.has(name)) this.page.endInline()
  }
}

const rows = new Set(['tr', 'li', 'article', 'dt'])
const endsOfRows = new Set(['tr', 'li', 'article', 'dl'])

const integrationPoints = new Set(['foreignobject', 'desc', 'title', 'annotation-xml'])

function attributesOf(attrs: readonly Token.Attribute[]): Attributes {
  const attributes: Attributes = new Map()
  for (const { name, value } of attrs.slice(0, attributesMax))
    attributes.set(name, value.slice(0, name === 'content' ? policyCharactersMax : attributeCharactersMax))
  return attributes
}

function hides(attributes: Attributes): boolean {
  if (attributes.has('hidden')) return true
  const style = attributes.get('style')
  return style !== undefined && /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style)
}

/** Markup that counts whether it is visible or not. */
function readLoaded(page: PageCollector, name: string, attributes: Attributes): void {
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
/** `data-game='{"vendor": "eyecon"}'`. */
const providerMember =
  /"(?:game_?)?(?:provider|vendor|studio|supplier|manufacturer)(?:_?(?:name|slug))?"\s*:\s*"([^"]{1,60})"/i

function readVisible(page: PageCollector, name: string, attributes: Attributes, open: OpenElements): void {
  const value = (attribute: string) => attributes.get(attribute) ?? ''
  if (name === 'header') page.startHeader()
  for (const attribute of providerAttributes) page.addProvider(value(attribute))
  for (const method of methodNames(attributes)) page.addMethod(method)
  for (const [attribute, json] of attributes)
    if (attribute.startsWith('data-') && json.startsWith('{'))
      page.addProvider(providerMember.exec(json)?.[1] ?? '')
  for (const icon of iconNames(name, attributes)) page.addIconOf(icon)
  const email = protectedEmail(value('data-cfemail'))
  if (email !== null) page.addText(` ${email} `, open)
  if (name === 'a' || name === 'area') page.startLink(value('href'), value('rel'))
  if (name === 'area') page.endLink()
  if (name === 'form') page.startForm(attributes.get('action') ?? null)
  if (name === 'input' || name === 'select' || name === 'textarea')
    page.addInput({
      type: name === 'input' ? value('type') || 'text' : name,
      name: value('name') || value('id'),
      autocomplete: value('autocomplete'),
    })
  if (name === 'input' && /^(?:submit|button)$/i.test(value('type'))) page.addButton(value('value'), open)
  if (name === 'img' || name === 'amp-img')
    page.addImage(value('alt') || value('title'), imageUrls(attributes)[0] ?? '')
  if (name === 'svg') page.addImage(value('aria-label'), '')
  if (name === 'use') page.addImage('', value('href') || value('xlink:href'))
}

/** Pages that load images late have a placeholder in `src`. */
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
