import { createHash } from 'node:crypto'

export const docsCacheControl = 'public, max-age=300'

/**
 * Repeats the colours and fonts of src/pages/assets/style.css inline, so that one response is the whole
 * page.
 */
const style = `
:root { color-scheme: light dark; --ink: #18201b; --paper: #fff; --ground: #f5f7f4; --soft: #566159;
  --line: #dde2dc; --code: #ecefeb; --accent: #14663f; --k: #8a2d5c; --s: #14663f; --n: #80460a;
  --f: #1d4f91 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e5e9e5; --paper: #151916; --ground: #0f1310; --soft: #a0aba3; --line: #2c332e;
    --code: #262d28; --accent: #6fca98; --k: #e59ac0; --s: #8fd3ae; --n: #e6b673; --f: #8fb8ee }
}
pre .k { color: var(--k) } pre .s { color: var(--s) } pre .n { color: var(--n) }
pre .f { color: var(--f) } pre .c { color: var(--soft) }
body { margin: 0 auto; max-width: 68rem; padding: 0 1.25rem 4rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1.5rem;
  margin-bottom: 1.5rem; padding: 1rem 0; border-bottom: 1px solid var(--line) }
header nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem }
header a, aside a { display: inline-block; padding: .1875rem 0; color: inherit; text-decoration: none }
:is(header, aside) a:hover { text-decoration: underline }
.brand { font-size: 1.125rem; font-weight: 650 }
.frame { display: flex; flex-direction: column; gap: 2rem }
main { flex: 1; min-width: 0; max-width: 46rem }
aside { font-size: .875rem }
aside ul { margin: 0; padding: 0; list-style: none }
aside a { color: var(--soft) }
aside [aria-current] { color: var(--accent); font-weight: 600 }
aside form { display: flex; gap: .5rem; margin-bottom: 1rem }
aside :is(input, button) { min-width: 0; min-height: 2.25rem; padding: .25rem .5rem; border: 1px solid var(--soft);
  border-radius: 6px; background: var(--paper); color: var(--ink); font: inherit }
aside input { flex: 1 }
.top { margin: -.5rem 0 1rem; font-size: .875rem }
@media (min-width: 56rem) {
  .frame { flex-direction: row-reverse; justify-content: flex-end; gap: 3rem }
  aside { flex: 0 0 14rem; position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow: auto }
  .top { display: none }
}
@media print { header nav, aside, .top { display: none } }
a { color: var(--accent); text-underline-offset: .18em }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
h1, h2 { line-height: 1.25; text-wrap: balance }
h1 { font-size: 1.75rem; letter-spacing: -.015em; overflow-wrap: anywhere }
h2 { font-size: 1.125rem; margin-top: 2.25rem }
h3 { font-size: 1rem; margin: 1.75rem 0 0; overflow-wrap: anywhere }
code, pre { font: .875em/1.55 ui-monospace, "SF Mono", Menlo, Consolas, monospace }
:not(pre) > code { background: var(--code); padding: .1em .3em; border-radius: 4px; overflow-wrap: anywhere }
td > code, td > a > code { overflow-wrap: normal }
pre { background: var(--ground); border: 1px solid var(--line); border-radius: 6px; padding: .75rem 1rem;
  white-space: pre-wrap; overflow-wrap: anywhere }
.copyable { position: relative }
.copyable button { position: absolute; top: .5rem; right: .5rem; min-height: 1.75rem;
  padding: .125rem .625rem; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); color: var(--ink);
  font: 500 .8125rem/1.5 system-ui, sans-serif; cursor: pointer }
.copyable:has(button) pre { padding-right: 5rem }
@media (scripting: none) { .copyable button { display: none } }
@media print { .copyable button { display: none } }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.programs { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 1rem 0 }
.programs > input { position: absolute; opacity: 0 }
.programs > label { padding: .375rem 0; border-bottom: 2px solid transparent; color: var(--soft);
  font-size: .875rem; font-weight: 500; cursor: pointer }
.programs > input:checked + label { border-color: var(--accent); color: var(--ink) }
.programs > input:focus-visible + label { outline: 2px solid var(--accent); outline-offset: 2px }
figure { flex: 0 0 100%; order: 1; margin: 0; min-width: 0 }
figure pre { margin: .25rem 0 0 }
@media screen {
  figure { display: none }
  .programs > :checked + label + figure { display: block }
}
.wide { margin: 1rem 0; overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .9375rem }
th { color: var(--soft); font-weight: 500 }
th, td { border-bottom: 1px solid var(--line); padding: .4rem .75rem .4rem 0; text-align: left;
  vertical-align: top }
td:last-child:not(:first-child) { min-width: 10rem }
`

const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

/** Allows this style sheet and no script. */
export const docsPagePolicy = { styleSrc: [styleHash], imgSrc: ['data:'] }

/** Allows the script that copies, too. */
export const copyPolicy = { ...docsPagePolicy, scriptSrc: ["'self'"] }

export type DocsPage = {
  title: string
  /** The relative path of the first page of the site, to which paths are appended. */
  root: string
  /** The path of the page below the root. */
  path: string
  /** The pages of the navigation. */
  pages: readonly { path: string; title: string }[]
  /** The searched text. */
  searched?: string
  /** The link to the page as Markdown; null for results of a search. */
  markdownHref: string | null
  /** The link to the script that copies; null on pages without one. */
  scriptHref: string | null
  body: string
}

export function renderPage(page: DocsPage): string {
  const { title, root, path, pages, searched = '', markdownHref, scriptHref, body } = page
  const link = (to: string, text: string) => `<a href="${root}${to}">${text}</a>`
  const items = pages.map(each => {
    const current = each.path === path ? ' aria-current="page"' : ''
    return `<li><a href="${root}${each.path}"${current}>${escapeHtml(each.title)}</a></li>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Baize</title>
<link rel="icon" href="data:,">
${markdownHref === null ? '' : `<link rel="alternate" type="text/markdown" href="${markdownHref}">\n`}<style>${style}</style>
${scriptHref === null ? '' : `<script src="${scriptHref}" defer></script>\n`}</head>
<body>
<header><a class="brand" href="${root}">Baize</a>
<nav aria-label="Main">${link('coverage', 'Coverage')} ${link('pricing', 'Pricing')} ${link('docs', 'Docs')}
${link('dashboard', 'Dashboard')}</nav></header>
<div class="frame">
<main>
<p class="top"><a href="#pages">Search, and all pages</a></p>
${body}</main>
<aside id="pages"><form role="search" action="${root}docs/search">
<input type="search" name="q" value="${escapeHtml(searched)}" aria-label="Search the docs"><button>Search</button></form>
<nav aria-label="Docs"><ul>${items.join('\n')}</ul></nav></aside>
</div>
<p class="unseen" role="status" id="announcement"></p>
</body>
</html>
`
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
