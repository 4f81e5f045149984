/** Collects the fields of one page. Each list and text has its limit here. */
import { clipped } from './clipped.ts'
import { kindOfFolder } from './container-kinds.ts'
import { cookieNames } from './cookie-names.ts'
import { type LinkElement, policyHosts, preloaded } from './declared-hosts.ts'
import { FormCollector } from './form-collector.ts'
import { imageFile } from './image-file.ts'
import { InlineData } from './inline-data.ts'
import { JsonLdReader } from './json-ld.ts'
import type {
  BrandKind,
  PageFields,
  PageHost,
  PageImage,
  PageLink,
  PageName,
  PageSource,
  PageText,
} from './page-fields.ts'
import { ligatures } from './page-words.ts'

const hostsMax = 1_000
const linksMax = 2_000
const imagesMax = 2_000
const iconsMax = 20
const providersMax = 200
/** Matches a folder that names a studio: `/media/games/netent/starburst.webp`. */
const providerFolder =
  /\/(?:games?|slots?|thumbs?|thumbnails?|tiles?|providers?|vendors?)\/([a-z][\w.-]{1,40})\/[^/]*$/i
const textsMax = 2_500
/** Limits characters that folding expands to many. Real pages have one or two; further ones become blanks. */
const ligaturesMax = 50
const inlinesMax = 3_000
const inlineCharactersMax = 60
const visibleCharactersMax = 200_000
const textCharactersMax = 4_000
const metasMax = 200
const metaCharactersMax = 1_000
const alternatesMax = 200
const nameCharactersMax = 300
const urlCharactersMax = 2_000
const pathCharactersMax = 300
const scriptTextsMax = 20
const scriptCharactersMax = 2_000
const tilesMax = 2_000
const tileCharactersMax = 200
/** A page with more text or links is not only filled by scripts. */
const shellCharactersMax = 100
const shellLinksMax = 1

/** The place of a text: the tag of its block and the depth of that block. */
type TextPlace = {
  block: string
  blockDepth: number
  kind: BrandKind | null
  lowestDepth: number
  takeLowest(): number
}

/** An image or an icon: its names, and the kind of its container. */
type Picture = { alt: string; url: string; kind: BrandKind | null }

export class PageCollector {
  private readonly fields: PageFields
  private readonly ownHost: string
  private base: string
  private isBaseSet = false
  private readonly seenHosts = new Set<string>()
  private readonly jsonLd = new JsonLdReader()
  private link: PageLink | null = null
  readonly forms = new FormCollector()
  private headers = 0
  private block: PageText | null = null
  private collected = 0
  private ligatures = 0
  private rows = 0
  private row = 0
  private inline: string | null = null
  private linkImages: PageImage[] = []
  private linkTitle: PageName | null = null
  private readonly data = new InlineData()

  constructor({ url, status, headers }: PageSource) {
    this.base = url
    this.ownHost = parsedUrl(url, undefined)?.hostname ?? ''
    this.fields = {
      url,
      status,
      headers,
      lang: null,
      title: null,
      metas: [],
      hosts: [],
      links: [],
      images: [],
      inlines: [],
      tiles: [],
      titles: [],
      data: [],
      providers: [],
      methods: [],
      icons: [],
      texts: [],
      jsonLd: this.jsonLd.objects,
      forms: this.forms.forms,
      canonical: null,
      alternates: [],
      refreshTo: null,
      cookies: cookieNames(headers['set-cookie']),
      textCharacters: 0,
      scripts: 0,
      scriptTexts: [],
    }
  }

  finish(): PageFields {
    this.endLink()
    if (this.isFilledByScripts()) this.fields.data.push(...this.data.names())
    return this.fields
  }

  private isFilledByScripts(): boolean {
    const { scripts, textCharacters, links, forms } = this.fields
    const isEmpty = textCharacters <= shellCharactersMax && links.length <= shellLinksMax
    return scripts > 0 && isEmpty && forms.length === 0
  }

  setLang(lang: string | undefined): void {
    this.fields.lang ??= lang === undefined || lang.trim() === '' ? null : clipped(lang, 35)
  }

  setTitle(title: string): void {
    this.fields.title ??= clipped(title, nameCharactersMax) || null
  }

  setBase(href: string): void {
    const base = this.isBaseSet ? null : this.resolved(href)
    if (base === null) return
    this.base = base.href
    this.isBaseSet = true
  }

  addMeta(attributes: ReadonlyMap<string, string>): void {
    const value = (attribute: string) => attributes.get(attribute)?.trim() ?? ''
    const name = (
      value('name') ||
      value('property') ||
      value('http-equiv') ||
      value('itemprop')
    ).toLowerCase()
    const content = value('content')
    if (name === '' || content === '' || this.fields.metas.length >= metasMax) return
    this.fields.metas.push({
      name: clipped(name, nameCharactersMax),
      content: clipped(content, metaCharactersMax),
    })
    if (attributes.get('http-equiv') === undefined) return
    if (name === 'content-security-policy') for (const host of policyHosts(content)) this.addHost(host)
    if (name === 'refresh') this.fields.refreshTo ??= clipped(content, metaCharactersMax)
  }

  addLinkElement({ rel, href, as = '', hreflang = '' }: LinkElement): void {
    const rels = rel.split(/\s+/)
    const has = (name: string) => rels.includes(name)
    if (has('stylesheet')) this.addLoaded('style', href)
    else if (has('icon') || has('apple-touch-icon')) this.addIcon(href, has('apple-touch-icon'))
    else if (has('preload') || has('modulepreload') || has('prefetch')) this.addLoaded(preloaded(as), href)
    else if (has('preconnect') || has('dns-prefetch')) this.addLoaded('preconnect', href)
    const isVersion = has('canonical') || has('alternate') || has('amphtml')
    const url = isVersion ? this.resolved(href)?.href : undefined
    if (url === undefined) return
    if (has('canonical')) this.fields.canonical ??= url
    else if ((hreflang !== '' || has('amphtml')) && this.fields.alternates.length < alternatesMax)
      this.fields.alternates.push({ lang: clipped(hreflang, 35), url })
  }

  private addIcon(href: string, isLarge: boolean): void {
    this.addLoaded('image', href)
    const url = this.resolved(href)?.href
    if (url === undefined || this.fields.icons.length >= iconsMax) return
    if (isLarge) this.fields.icons.unshift(url)
    else this.fields.icons.push(url)
  }

  addScript(src: string): void {
    this.fields.scripts += 1
    this.addLoaded('script', src)
  }

  addLoaded(via: PageHost['via'], url: string): void {
    const found = url === '' || this.fields.hosts.length >= hostsMax ? null : this.resolved(url)
    if (found !== null)
      this.addHost({ host: found.hostname, path: found.pathname.slice(0, pathCharactersMax), via })
  }

  /** Adds a host, except the site's own, which proves no other party. */
  addHost(host: PageHost): void {
    if (host.host === '' || host.host === this.ownHost || this.fields.hosts.length >= hostsMax) return
    const key = `${host.via} ${host.host}${host.path}`
    if (this.seenHosts.has(key)) return
    this.seenHosts.add(key)
    this.fields.hosts.push(host)
  }

  startHeader(): void {
    this.headers += 1
  }

  endHeader(): void {
    this.headers = Math.max(0, this.headers - 1)
  }

  startLink({ href, rel, title }: { href: string; rel: string; title: PageName }): void {
    this.endLink()
    const url = href === '' ? null : this.resolved(href, true)
    if (url === null || this.fields.links.length >= linksMax) return
    const path = url.pathname.slice(0, pathCharactersMax)
    this.link = { url: url.href, host: url.hostname, path, text: '', rel: clipped(rel.toLowerCase(), 100) }
    this.linkTitle = title
  }

  endLink(): void {
    if (this.link === null) return
    const { link } = this
    const isHome = link.host === this.ownHost && link.path === '/'
    for (const image of this.linkImages) image.isHeader ||= isHome
    const text = clipped(link.text, nameCharactersMax)
    this.fields.links.push({ ...link, text })
    const title = clipped(this.linkTitle?.text ?? '', tileCharactersMax)
    if (title !== '' && text === '' && this.fields.titles.length < tilesMax)
      this.fields.titles.push({ text: title, within: this.linkTitle?.within ?? null })
    this.link = null
    this.linkImages = []
  }

  startForm(action: string | null): void {
    const target = action === null ? null : (this.resolved(action)?.href ?? null)
    if (this.forms.start(target) && target !== null) this.addLoaded('form', target)
  }

  /** Adds an image. `url` may have a fragment of a sprite such as `#icon-visa`. */
  addImage({ alt, url, kind }: Picture, place: TextPlace): void {
    this.addBlank()
    if (this.link !== null && this.link.text.length < nameCharactersMax) this.link.text += ` ${alt} `
    if (this.fields.images.length >= imagesMax || url.length > urlCharactersMax) return
    const fragment =
      url.includes('#') && !/\.(?:png|jpe?g|gif|webp)/i.test(url) ? url.slice(url.indexOf('#') + 1) : ''
    const image: PageImage = {
      alt: clipped(alt, nameCharactersMax),
      file: fragment === '' ? imageFile(url) : clipped(fragment, 100),
      url: this.resolved(url)?.href ?? '',
      isHeader: this.headers > 0,
      within: kindOfFolder(url) ?? kind,
      ...this.positionIn(place),
    }
    this.fields.images.push(image)
    this.addProvider(providerFolder.exec(url.split('?', 1)[0] as string)?.[1] ?? '')
    if (this.link !== null && this.linkImages.length < 20) this.linkImages.push(image)
  }

  /** Adds a picture that a style sheet draws. */
  addIconOf(name: string, kind: BrandKind | null, place: TextPlace): void {
    if (this.fields.images.length >= imagesMax) return
    const alt = clipped(name, nameCharactersMax)
    this.fields.images.push({
      ...{ alt, file: '', url: '', isHeader: false, within: kind },
      ...this.positionIn(place),
    })
  }

  private positionIn({ lowestDepth }: TextPlace): Pick<PageImage, 'after' | 'low'> {
    return { after: this.fields.texts.length - (this.block === null ? 1 : 0), low: lowestDepth }
  }

  /** Adds the label of a tile. `game` is the name that an alternative text gives, or empty. */
  addTile(label: string, game: string): void {
    if (label.trim() === '' || label.length > tileCharactersMax || this.fields.tiles.length >= tilesMax)
      return
    this.fields.tiles.push({
      label: clipped(label, tileCharactersMax),
      game: clipped(game, tileCharactersMax),
    })
  }

  /** Adds the studio of a game tile, such as its attribute `data-provider`. */
  addProvider(name: string): void {
    addNew(this.fields.providers, clipped(name, 60))
  }

  /** Adds the payment method of an attribute such as `data-payment-method`. */
  addMethod(name: string): void {
    addNew(this.fields.methods, clipped(name, 60))
  }

  /** Adds the title of an SVG image to its alternative text. */
  addIconName(text: string): void {
    const image = this.fields.images.at(-1)
    if (image !== undefined && image.alt.length < nameCharactersMax)
      image.alt += clipped(text, nameCharactersMax)
  }

  addScriptText(attributes: ReadonlyMap<string, string>, text: string): void {
    const type = attributes.get('type')?.trim() ?? ''
    if (/^application\/ld\+json\b/i.test(type)) {
      this.jsonLd.read(text)
      return
    }
    this.data.add(text, attributes.get('id') ?? '')
    if (this.fields.scriptTexts.length < scriptTextsMax && text.trim() !== '')
      this.fields.scriptTexts.push(clipped(text, scriptCharactersMax))
  }

  addText(written: string, within: TextPlace): void {
    const text = written.replaceAll(ligatures, each => (++this.ligatures > ligaturesMax ? ' ' : each))
    if (this.inline !== null && this.inline.length <= inlineCharactersMax) this.inline += text
    if (this.link !== null && this.link.text.length < nameCharactersMax)
      this.link.text += text.slice(0, nameCharactersMax)
    if (text === ' ') {
      this.addBlank()
      return
    }
    this.fields.textCharacters += text.length
    const added = text.slice(0, visibleCharactersMax - this.collected)
    if (added === '') return
    this.collected += added.length
    this.block ??= {
      text: '',
      tag: within.block,
      row: this.row,
      depth: within.blockDepth,
      low: within.takeLowest(),
      within: within.kind,
    }
    this.block.text += added
    if (this.block.text.length > textCharactersMax) this.endText()
  }

  /** Adds the text of a button such as `<input type="submit" value="Deposit">` as a separate text. */
  addButton(text: string, within: TextPlace): void {
    if (text === '') return
    this.endText()
    this.addText(text.slice(0, nameCharactersMax), within)
    if (this.block !== null) this.block.tag = 'button'
    this.endText()
  }

  private addBlank(): void {
    if (this.block !== null && !this.block.text.endsWith(' ')) this.block.text += ' '
  }

  endText(): void {
    const { block } = this
    this.block = null
    if (block === null || this.fields.texts.length >= textsMax) return
    for (let start = 0; start < block.text.length; start += textCharactersMax) {
      const text = clipped(block.text.slice(start, start + textCharactersMax), textCharactersMax)
      if (text !== '') this.fields.texts.push({ ...block, text })
    }
  }

  startRow(): void {
    this.rows += 1
    this.row = this.rows
  }

  endRow(): void {
    this.row = 0
  }

  startInline(): void {
    this.inline = ''
  }

  endInline(tag: string, within: BrandKind | null): void {
    const text = clipped(this.inline ?? '', inlineCharactersMax + 1)
    this.inline = null
    const isShort = text !== '' && text.length <= inlineCharactersMax
    if (isShort && this.fields.inlines.length < inlinesMax)
      this.fields.inlines.push({ text, tag, row: this.row, within, index: this.fields.texts.length })
  }

  /** Resolves a URL. Returns null if it is neither http nor https, unless `anyScheme` is set. */
  private resolved(href: string, anyScheme = false): URL | null {
    const url = parsedUrl(href.trim(), this.base)
    return url !== null && (anyScheme || url.protocol === 'https:' || url.protocol === 'http:') ? url : null
  }
}

function parsedUrl(href: string, base: string | undefined): URL | null {
  if (href.length > urlCharactersMax || href.startsWith('data:') || href.startsWith('javascript:'))
    return null
  return URL.parse(href, base)
}

function addNew(names: string[], name: string): void {
  if (name !== '' && names.length < providersMax && !names.includes(name)) names.push(name)
}
