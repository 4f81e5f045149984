import { assets, Html, html, publicPage } from '../../pages/index.ts'

export const docsCacheControl = 'public, max-age=300'

/** Allows the style sheet and pictures of this service, the search, and no script. */
export const docsPagePolicy = { styleSrc: ["'self'"], imgSrc: ["'self'"], formAction: ["'self'"] }

/** Allows the script that copies, too. */
export const copyPolicy = { ...docsPagePolicy, scriptSrc: ["'self'"] }

export type DocsPage = {
  title: string
  /** The relative path of the first page of the site, because a proxy may add a path. */
  root: string
  /** The path of the page below the root. */
  path: string
  /** The pages of the navigation. */
  pages: readonly { path: string; title: string }[]
  /** The searched text. */
  searched?: string
  /** The link to the page as Markdown; null for results of a search. */
  markdownHref: string | null
  /** Whether the page has the script that copies and fills in a key. */
  hasScript: boolean
  body: string
}

export function renderPage(page: DocsPage): string {
  const { title, root, path, pages, searched = '', markdownHref, hasScript, body } = page
  const items = pages.map(each => {
    const current = each.path === path && html` aria-current="page"`
    return html`<li><a href="/${each.path}"${current}>${each.title}</a></li>\n`
  })
  const { text } = publicPage({
    title,
    kind: 'docs',
    scripts: hasScript ? [assets.script] : [],
    head: markdownHref !== null && html`<link rel="alternate" type="text/markdown" href="${markdownHref}">\n`,
    body: html`<div class="text">
<p class="top"><a href="#pages">Search, and all pages</a></p>
${new Html(body)}</div>
<aside id="pages"><form role="search" action="/docs/search">
<input type="search" name="q" value="${searched}" aria-label="Search the docs"><button>Search</button></form>
${
  hasScript &&
  html`<form class="own-key" hidden><label for="own-key">Your key, for the examples of this tab</label>
<input id="own-key" type="password" autocomplete="off" placeholder="client_…"></form>`
}
<nav aria-label="Docs"><ul>${items}</ul></nav></aside>`,
  })
  return text.replaceAll(/ (href|src|action)="\//g, ` $1="${root}`)
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
