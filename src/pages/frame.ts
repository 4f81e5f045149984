import { type Asset, assets } from './assets.ts'
import { problemText } from './components/index.ts'
import { type Content, type Html, html } from './html.ts'
import { brand, navigation } from './navigation.ts'
import type { Problem, View } from './page.ts'

/** These settings keep what a user has opened and typed when a part of the page is replaced. */
const htmxConfig = JSON.stringify({
  includeIndicatorCSS: false,
  morphIgnore: ['data-htmx-powered', 'open'],
})

type Document = {
  title: string
  body: Content
  /** More elements of the head. */
  head?: Content
  scripts?: readonly Asset[]
}

const ownScripts = [assets.htmx, assets.script]

/** Writes the whole document. Its only scripts and style sheet are files of this service. */
function documentOf({ title, body, head = null, scripts = ownScripts }: Document): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="htmx-config" content="${htmxConfig}">
<title>${title} · Baize</title>
<link rel="icon" href="${assets.icon.path}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style.path}">
${scripts.map(each => html`<script src="${each.path}" defer></script>\n`)}${head}</head>
${body}
</html>
`
}

/** Writes a page of the dashboard: navigation, the account, and the page's content. */
export function dashboardPage(
  view: View,
  { title, lead = null, within, body }: { title: string; lead?: Content; within: string; body: Content },
): Html {
  return documentOf({
    title,
    body: html`<body class="dashboard">
<a class="skip" href="#main">Skip to content</a>
${navigation(view, within)}
<main id="main" tabindex="-1">
${view.may('search_everything') && searchBox(view, within)}
<h1>${title}</h1>
${lead && html`<p class="lead">${lead}</p>`}
${view.problem && problemNotice(view.problem)}
${body}
</main>
<p class="unseen" role="status" id="announcement"></p>
</body>`,
  })
}

const problemNotice = (problem: Problem): Html =>
  problem.isDraft
    ? html`<p class="notice good" role="status">${problem.message}</p>`
    : html`<p class="notice bad" role="alert">${problemText(problem)}</p>`

/** Draws the box that searches everything. Its results replace the element below it. */
function searchBox({ input }: View, within: string): Html {
  const isPage = within === '/dashboard/search'
  const text = isPage && typeof input.q === 'string' ? input.q : ''
  return html`<div class="search"><form role="search" method="get" action="/dashboard/search">
<input type="search" name="q" value="${text}" aria-label="Search everything"
placeholder="Search sites, Companies, licenses, markets" autocomplete="off" aria-keyshortcuts="/"
hx-get="/dashboard/search" hx-trigger="input changed delay:150ms" hx-target="#found" hx-swap="outerHTML"
hx-sync="this:replace"><kbd aria-hidden="true">/</kbd>
<button class="plain">Search</button></form>
${!isPage && html`<div id="found" class="results"></div>`}</div>`
}

/** How other sites show a link to a page. */
type Share = { url: string; description: string }

type PublicPage = Document & { kind?: 'docs'; share?: Share }

const shareTags = (title: string, { url, description }: Share): Html =>
  html`<meta name="description" content="${description}">
<link rel="canonical" href="${url}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:url" content="${url}">
<meta property="og:image" content="${new URL(assets.picture.path, url).href}">
<meta name="twitter:card" content="summary_large_image">
`

/** Writes a page without a session. */
export function publicPage({ title, body, kind, share, head = null, ...rest }: PublicPage): Html {
  return documentOf({
    ...rest,
    title,
    head: [head, share && shareTags(title, share)],
    body: html`<body class="public ${kind}">
<a class="skip" href="#main">Skip to content</a>
<header class="bar">${brand('/')}
<nav aria-label="Main"><a href="/coverage">Coverage</a> <a href="/pricing">Pricing</a>
<a href="/docs">Docs</a>
<a href="/dashboard">Dashboard</a></nav></header>
<main id="main" tabindex="-1">
${body}
</main>
<footer><nav aria-label="More"><a href="/coverage">Coverage</a> <a href="/docs">API reference</a>
<a href="/request-a-list">Request a list</a> <a href="/verify">Verify a receipt</a>
<a href="/sign-in">Sign in</a></nav></footer>
<p class="unseen" role="status" id="announcement"></p>
</body>`,
  })
}

/** Writes a public page of one short task, such as the sign-in. */
export const cardPage = ({ title, body }: { title: string; body: Content }): Html =>
  publicPage({ title, body: html`<div class="card narrow">${body}</div>` })
