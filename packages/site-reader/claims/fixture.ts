/** Builds page fields for tests of claims, as the parser would read them. */
import type { PageFields, PageLink } from '../page/page-fields.ts'

export function pageOf(fields: Partial<PageFields> & { paragraphs?: string[] } = {}): PageFields {
  const { paragraphs = [], ...others } = fields
  return {
    url: 'https://luckyotter.example/',
    status: 200,
    headers: {},
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
    texts: paragraphs.map(text => ({ text, tag: 'p', row: 0, depth: 0, low: 0, within: null })),
    jsonLd: [],
    forms: [],
    canonical: null,
    alternates: [],
    refreshTo: null,
    cookies: [],
    textCharacters: paragraphs.join('').length,
    scripts: 0,
    scriptTexts: [],
    ...others,
  }
}

export function linkOf(url: string, text = ''): PageLink {
  const { href, host, pathname } = new URL(url, 'https://luckyotter.example/')
  return { url: href, host, path: pathname, text, rel: '' }
}
