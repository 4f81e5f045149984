import { createHash } from 'node:crypto'

export const docsCacheControl = 'public, max-age=300'

const style = `
:root { color-scheme: light dark; --ink: #1b1f23; --paper: #fff; --soft: #f3f4f2; --line: #d8dbd5; --link: #14663f }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e6e3; --paper: #151816; --soft: #1f2421; --line: #363d38; --link: #7fd0a3 }
}
body { margin: 0 auto; max-width: 44rem; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.6 system-ui, sans-serif }
nav { font-size: .9rem }
a { color: var(--link) }
h1 { font-size: 1.6rem; overflow-wrap: anywhere }
h2 { font-size: 1.1rem; margin-top: 2rem }
code, pre { font: .875em/1.5 ui-monospace, monospace }
:not(pre) > code { background: var(--soft); padding: .1em .3em; border-radius: .25rem; overflow-wrap: break-word }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .95rem }
th, td { border-bottom: 1px solid var(--line); padding: .4rem .75rem .4rem 0; text-align: left; vertical-align: top }
td:last-child { overflow-wrap: anywhere }
`

const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

/** The content security policy of a page: this style sheet, and no script. */
export const pagePolicy = { styleSrc: [styleHash], imgSrc: ['data:'] }

export type Page = {
  title: string
  /** Relative to the page, like every link. */
  referenceHref: string
  errorsHref: string
  body: string
}

export function renderPage({ title, referenceHref, errorsHref, body }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Baize</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<nav><a href="${referenceHref}">API reference</a> · <a href="${errorsHref}">All errors</a></nav>
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
