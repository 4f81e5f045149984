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
body { margin: 0 auto; max-width: 46rem; padding: 1.25rem 1.25rem 4rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
nav { margin-bottom: 2.25rem; padding-bottom: .75rem; border-bottom: 1px solid var(--line) }
nav strong { margin-right: .75rem; font-size: 1.125rem }
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
  /** The link is relative to the page, like every link. */
  quickstartHref: string
  referenceHref: string
  clientsHref: string
  errorsHref: string
  /** The link to the page as Markdown. */
  markdownHref: string
  /** The link to the script that copies; null on pages without one. */
  scriptHref: string | null
  body: string
}

export function renderPage(page: DocsPage): string {
  const { title, quickstartHref, referenceHref, clientsHref, errorsHref, markdownHref, scriptHref, body } =
    page
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Baize</title>
<link rel="icon" href="data:,">
<link rel="alternate" type="text/markdown" href="${markdownHref}">
<style>${style}</style>
${scriptHref === null ? '' : `<script src="${scriptHref}" defer></script>\n`}</head>
<body>
<nav><strong>Baize</strong>
<a href="${quickstartHref}">Quickstart</a> · <a href="${referenceHref}">API reference</a> ·
<a href="${clientsHref}">Clients</a> · <a href="${errorsHref}">All errors</a></nav>
<main>
${body}</main>
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
