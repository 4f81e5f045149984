/**
 * Reads the bytes of a page into the fields that rules match. It reads tokens instead of a tree, because a
 * standard tree takes quadratic time for some markup, and 1 MB can open 300,000 elements.
 */
import { type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5'
import { kindOfContainer } from './container-kinds.ts'
import { linkHeader, policyHosts } from './declared-hosts.ts'
import { decodePage } from './decode-page.ts'
import { inlineElements, type OpenElement, OpenElements, voidElements } from './open-elements.ts'
import { PageCollector } from './page-collector.ts'
import type { PageFields, PageSource } from './page-fields.ts'
import { type Attributes, readLoaded, readVisible } from './read-element.ts'
import { hides, isShadowRoot, StreamedBlocks } from './shown-parts.ts'

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

/** Elements whose content is plain text to the tokenizer. Only that of `title` is visible. */
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

/** Advertisers of parked domains mark their pages by this attribute of the root element. Rules see a meta element. */
const parkedAttribute = 'data-adblockkey'

class MarkupReader implements TokenHandler {
  tokenizer!: Tokenizer
  private readonly page: PageCollector
  private readonly open = new OpenElements(element => this.closed(element))
  private readonly streamed = new StreamedBlocks()
  private raw: { name: string; attributes: Attributes; text: string } | null = null
  private afterInlineEnd = false

  constructor(page: PageCollector) {
    this.page = page
  }

  onStartTag({ tagName: name, attrs, selfClosing }: Token.TagToken): void {
    const attributes = attributesOf(attrs)
    if (name === 'html') this.page.setLang(attributes.get('lang') ?? attributes.get('xml:lang'))
    const parked = name === 'html' ? attributes.get(parkedAttribute) : undefined
    if (parked !== undefined)
      this.page.addMeta(
        new Map([
          ['name', parkedAttribute],
          ['content', parked],
        ]),
      )
    if (name === 'html' || name === 'head' || name === 'body') return
    this.open.closeImplied(name)
    if (!inlineElements.has(name)) this.page.endText()
    else if (name === 'br' || this.afterInlineEnd) this.page.addText(' ', this.open)
    this.afterInlineEnd = false
    const isForeign = this.isForeign(name)
    const isTemplate = name === 'template' && !isShadowRoot(name, attributes)
    const isInert = this.open.isInert || isTemplate
    if (isTemplate) this.streamed.addPlace(attributes, this.open.isHidden)
    const isHidden = isInert || this.isHidden(attributes)
    const kind = kindOfContainer(attributes) ?? this.open.kind
    if (!isInert) {
      readLoaded(this.page, name, attributes)
      if (!isHidden) readVisible(this.page, { name, attributes, kind, open: this.open })
    }
    const mode = isForeign ? undefined : rawElements[name]
    if (mode !== undefined) {
      this.tokenizer.state = mode
      this.raw = { name, attributes, text: '' }
    } else if (!(isForeign ? selfClosing : voidElements.has(name))) {
      if (rows.has(name)) this.page.startRow()
      if (inlineElements.has(name)) this.page.startInline()
      this.open.push({ name, isHidden, isInert, kind, isForeign })
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

  private isHidden(attributes: Attributes): boolean {
    if (this.streamed.has(attributes)) return this.open.isTooDeep
    return this.open.isHidden || hides(attributes)
  }

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
    if (raw?.name === 'script' && !this.open.isInert) this.page.addScriptText(raw.attributes, raw.text)
  }

  private closed({ name, isHidden, kind }: OpenElement): void {
    if (name === 'a' && !isHidden) this.page.endLink()
    if (name === 'form' && !isHidden) this.page.forms.end()
    if (name === 'header') this.page.endHeader()
    if (endsOfRows.has(name)) this.page.endRow()
    if (inlineElements.has(name)) this.page.endInline(name, kind)
  }
}

const rows = new Set(['tr', 'li', 'article', 'dt'])
const endsOfRows = new Set(['tr', 'li', 'article', 'dl'])

const integrationPoints = new Set(['foreignobject', 'desc', 'title', 'annotation-xml'])

function attributesOf(attrs: readonly Token.Attribute[]): Attributes {
  const attributes = new Map<string, string>()
  for (const { name, value } of attrs.slice(0, attributesMax))
    attributes.set(name, value.slice(0, name === 'content' ? policyCharactersMax : attributeCharactersMax))
  return attributes
}
