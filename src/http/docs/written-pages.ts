import { readdir, readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { Marked } from 'marked'
import { Failure } from '../../core/failure.ts'
import { docsCacheControl, escapeHtml, pagePolicy, renderPage } from './page.ts'
import { securityHeaders } from './security-headers.ts'
import { type StaticContent, staticContent } from './static-content.ts'

const docsDirectory = new URL('../../../docs/', import.meta.url)
const indexFile = 'errors/README.md'
const keysFile = 'keys.md'
const dashboardFile = 'dashboard.md'
/** The base URL in the files, replaced by the service's own. */
const writtenBaseUrl = 'http://127.0.0.1:8080'

/** Serves docs/errors/ and docs/keys.md below `/docs`, which `doc_url` links to, and docs/dashboard.md. */
export async function mountWrittenPages(app: FastifyInstance, baseUrl: string): Promise<void> {
  const codes = (await readdir(new URL('errors/', docsDirectory)))
    .filter(file => file.endsWith('.md') && `errors/${file}` !== indexFile)
    .map(file => file.slice(0, -'.md'.length))
  const titles = new Map([
    [indexFile, 'Errors'],
    [keysFile, 'Keys'],
    [dashboardFile, 'The dashboard'],
    ...codes.map(code => [`errors/${code}.md`, code] as const),
  ])
  const pages = new Map<string, StaticContent>()
  for (const [file, title] of titles) {
    const markdown = await readFile(new URL(file, docsDirectory), 'utf8')
    const page = renderMarkdown(file, title, markdown.replaceAll(writtenBaseUrl, baseUrl))
    pages.set(pathOf(file), staticContent(page, 'text/html; charset=utf-8', docsCacheControl))
  }

  await app.register(async scope => {
    await securityHeaders(scope, pagePolicy)
    const serve = (url: string, pathOfRequest: (params: { code?: string }) => string) =>
      scope.get(url, async (request, reply) => {
        const send = pages.get(pathOfRequest(request.params as { code?: string }))
        if (send === undefined) throw new Failure('route_not_found')
        return send(request, reply)
      })
    serve('/docs/errors', () => pathOf(indexFile))
    serve('/docs/errors/:code', ({ code }) => `errors/${code}`)
    serve('/docs/keys', () => pathOf(keysFile))
    serve('/docs/dashboard', () => pathOf(dashboardFile))
    scope.get('/docs/errors/', async (_request, reply) => reply.redirect('../errors'))
  })
}

/** A file's URL below `/docs/`. */
const pathOf = (file: string) => (file === indexFile ? 'errors' : file.slice(0, -'.md'.length))

/** Links between pages are file names, which work in the repository; they become relative URLs. */
function renderMarkdown(file: string, title: string, markdown: string): string {
  const toDocs = pathOf(file).includes('/') ? '../' : ''
  const hrefOf = (link: string) => {
    const { pathname } = new URL(link, `file:///${file}`)
    return `${toDocs}${pathOf(pathname.slice(1))}`
  }
  const marked = new Marked({
    async: false,
    // On a narrow screen a long name may break after an underscore.
    renderer: { codespan: ({ text }) => `<code>${escapeHtml(text).replaceAll('_', '_<wbr>')}</code>` },
    walkTokens: token => {
      if (token.type === 'link' && /^[\w./]+\.md$/.test(token.href)) token.href = hrefOf(token.href)
    },
  })
  return renderPage({
    title,
    referenceHref: `${toDocs}../docs`,
    errorsHref: `${toDocs}errors`,
    body: marked.parse(markdown, { async: false }),
  })
}
