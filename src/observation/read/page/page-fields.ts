/**
 * The parsed fields of a page, which rules match (never the text of the body). Every list and text is
 * bounded while parsing. `visible` excludes elements that are hidden by attributes, `noscript` and templates.
 */
export type PageFields = {
  url: string
  status: number
  headers: Record<string, string>
  lang: string | null
  title: string | null
  /** `name`, `property` or `http-equiv`, in lower case. */
  metas: { name: string; content: string }[]
  hosts: PageHost[]
  links: PageLink[]
  /** Game studios by the attributes of game tiles, and the folders of their pictures. */
  providers: string[]
  /** Payment methods by the attributes of their elements. */
  methods: string[]
  images: PageImage[]
  /** Texts of innermost inline elements: the name of a studio under a game. */
  inlines: string[]
  /** URLs of the site's icons, the largest kind first. */
  icons: string[]
  /** Texts of visible block elements, white space collapsed, in document order. */
  texts: PageText[]
  /** Flattened objects of JSON-LD: each object that has an `@type`. */
  jsonLd: Record<string, unknown>[]
  forms: PageForm[]
  canonical: string | null
  alternates: { lang: string; url: string }[]
  /** `content` of a meta refresh. */
  refreshTo: string | null
  /** Names of cookies that the response sets. */
  cookies: string[]
  /** Characters of visible text on the whole page. */
  textCharacters: number
  scripts: number
}

/** A host that the page loads from or declares. */
export type PageHost = {
  host: string
  /** Empty for declarations without one. */
  path: string
  via: 'script' | 'frame' | 'image' | 'style' | 'media' | 'form' | 'csp' | 'preconnect'
}

export type PageLink = { url: string; host: string; path: string; text: string; rel: string }

export type PageImage = {
  alt: string
  /** The last part of the path without extension and content hash: `visa-white`. */
  file: string
  url: string
  /** In a `header` element, or in a link to the root. */
  isHeader: boolean
}

export type PageText = {
  text: string
  tag: string
  /** Of a row of a table or an item of a list; 0: of none. */
  row: number
  /** How many elements its block stands in. */
  depth: number
  /** The least number of open elements since the text before. */
  low: number
}

export type PageForm = {
  action: string | null
  inputs: { type: string; name: string; autocomplete: string }[]
}

/** What a page is read from. */
export type PageSource = {
  /** After redirects. */
  url: string
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  body: Uint8Array
}
