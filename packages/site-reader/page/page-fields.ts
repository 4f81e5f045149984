/**
 * The parsed fields of a page, which rules match (never the text of the body). Parsing limits every list
 * and text. `visible` excludes elements that are hidden by attributes, `noscript` and templates.
 */
export type PageFields = {
  url: string
  status: number
  headers: Record<string, string>
  lang: string | null
  title: string | null
  /** The meta elements; `name` is their `name`, `property` or `http-equiv` in lower case. */
  metas: { name: string; content: string }[]
  hosts: PageHost[]
  links: PageLink[]
  /** Game studios from the attributes of game tiles and the folders of their pictures. */
  providers: string[]
  /** Payment methods from the attributes of their elements. */
  methods: string[]
  images: PageImage[]
  /** Texts of innermost inline elements, such as the name of a studio under a game. */
  inlines: PageInline[]
  /** Labels and titles of tiles: `Play Starburst by NetEnt`. */
  tiles: PageTile[]
  /** Titles of links that have neither a text nor a picture with one. */
  titles: PageName[]
  /** Names that the data of a page lists which only scripts fill. */
  data: PageName[]
  /** URLs of the site's icons, the largest kind first. */
  icons: string[]
  /** Texts of visible block elements in document order, with collapsed white space. */
  texts: PageText[]
  /** Flattened objects of JSON-LD that have an `@type`. */
  jsonLd: Record<string, unknown>[]
  forms: PageForm[]
  canonical: string | null
  alternates: { lang: string; url: string }[]
  /** The `content` of a meta refresh. */
  refreshTo: string | null
  /** Names of cookies that the response sets. */
  cookies: string[]
  /** The number of characters of visible text on the whole page. */
  textCharacters: number
  scripts: number
  /** The beginnings of inline scripts. */
  scriptTexts: string[]
}

/** A host that the page loads from or declares. */
export type PageHost = {
  host: string
  /** The path; empty for a declaration without one. */
  path: string
  via: 'script' | 'frame' | 'image' | 'style' | 'media' | 'form' | 'csp' | 'preconnect'
}

export type PageLink = { url: string; host: string; path: string; text: string; rel: string }

/** What a container or a list has: payment methods or game studios. */
export type BrandKind = 'methods' | 'studios'

/** A name. `within` is the kind of its container. */
export type PageName = { text: string; within: BrandKind | null }

/** `index` is that of its text in `texts`. */
type PageInline = PageName & { tag: string; row: number; index: number }

/** A label with the name of the game that it describes, if an alternative text says it. */
export type PageTile = { label: string; game: string }

export type PageImage = {
  alt: string
  /** The last part of the path without extension and content hash, such as `visa-white`. */
  file: string
  url: string
  /** Is true in a `header` element, or in a link to the root. */
  isHeader: boolean
  /** The kind of the container, or of the folder of the file. */
  within: BrandKind | null
  /** The index of the text before the image, and the least number of open elements since; -1 if none. */
  after: number
  low: number
}

export type PageText = {
  text: string
  tag: string
  /** The number of its table row or list item; 0 if there is none. */
  row: number
  /** The number of elements around its block. */
  depth: number
  /** The least number of open elements since the previous text. */
  low: number
  /** The kind of its container. */
  within: BrandKind | null
}

export type PageForm = {
  action: string | null
  inputs: { type: string; name: string; autocomplete: string }[]
}

/** A page before parsing. */
export type PageSource = {
  /** The URL after redirects. */
  url: string
  status: number
  /** The headers with names in lower case. */
  headers: Record<string, string>
  body: Uint8Array
}

/** Returns the target of a meta refresh; null if there is none. */
export function refreshTarget({ refreshTo, url }: Pick<PageFields, 'refreshTo' | 'url'>): string | null {
  const target = /^\s*[\d.]+\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']{1,2000})/i.exec(refreshTo ?? '')?.[1]
  return target === undefined ? null : (URL.parse(target.trim(), url)?.href ?? null)
}
