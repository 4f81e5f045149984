import { createHash } from 'node:crypto'

export const docsCacheControl = 'public, max-age=300'

/** The colours and type of src/pages/assets/style.css; inline, so that one response is the whole page. */
const style = `
:root { color-scheme: light dark; --ink: #18201b; --paper: #fff; --ground: #f5f7f4; --soft: #566159;
  --line: #dde2dc; --code: #ecefeb; --accent: #14663f }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e5e9e5; --paper: #151916; --ground: #0f1310; --soft: #a0aba3; --line: #2c332e;
    --code: #262d28; --accent: #6fca98 }
}
body { margin: 0 auto; max-width: 46rem; padding: 1.25rem 1.25rem 4rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
nav { margin-bottom: 2.25rem; padding-bottom: .75rem; border-bottom: 1px solid var(--line) }
nav strong { margin-right: .75rem; font-size: 1.125rem }
a { color: var(--accent); text-underline-offset: .18em }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
h1, h2 { line-height: 1.25; text-wrap: balance }
h1 { font-size: 1.75rem; letter-spacing: -.015em; overflow-wrap: anywhere }
h2 { font-size: 1.125rem; margin-top: 2.25rem }
code, pre { font: .875em/1.55 ui-monospace, "SF Mono", Menlo, Consolas, monospace }
:not(pre) > code { background: var(--code); padding: .1em .3em; border-radius: 4px; overflow-wrap: anywhere }
pre { background: var(--ground); border: 1px solid var(--line); border-radius: 6px; padding: .75rem 1rem;
  white-space: pre-wrap; overflow-wrap: anywhere }
.beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 0 1rem;
  width: min(100vw - 2.5rem, 84rem); margin-left: calc(50% - min(50vw - 1.25rem, 42rem)) }
figure { margin: 0; min-width: 0 }
figcaption { color: var(--soft); font-size: .875rem; margin-bottom: -.75rem }
table { border-collapse: collapse; width: 100%; font-size: .9375rem }
th { color: var(--soft); font-weight: 500 }
th, td { border-bottom: 1px solid var(--line); padding: .4rem .75rem .4rem 0; text-align: left;
  vertical-align: top }
td:last-child { overflow-wrap: anywhere }
`

const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

/** The content security policy of a page: this style sheet, and no script. */
export const pagePolicy = { styleSrc: [styleHash], imgSrc: ['data:'] }

export type Page = {
  title: string
  /** Relative to the page, like every link. */
  quickstartHref: string
  referenceHref: string
  errorsHref: string
  /** The page as Markdown. */
  markdownHref: string
  body: string
}

export function renderPage(page: Page): string {
  const { title, quickstartHref, referenceHref, errorsHref, markdownHref, body } = page
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
</head>
<body>
<nav><strong>Baize</strong>
<a href="${quickstartHref}">Quickstart</a> · <a href="${referenceHref}">API reference</a> ·
<a href="${errorsHref}">All errors</a></nav>
<main>
${body}</main>
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
