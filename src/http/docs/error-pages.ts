import { readdir, readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { Marked } from 'marked'
import { Failure } from '../../core/failure.ts'
import { docsCacheControl, escapeHtml, renderPage, styleHash } from './page.ts'
import { securityHeaders } from './security-headers.ts'
import { type StaticContent, staticContent } from './static-content.ts'

const errorPagesDirectory = new URL('../../../docs/errors/', import.meta.url)
const indexFile = 'README.md'
/** The base URL in the files, replaced by the service's own. */
const writtenBaseUrl = 'http://127.0.0.1:8080'

/** Serves docs/errors/ as `/docs/errors` and `/docs/errors/<code>`, which `doc_url` links to. */
export async function mountErrorPages(app: FastifyInstance, baseUrl: string): Promise<void> {
  const read = async (file: string) =>
    (await readFile(new URL(file, errorPagesDirectory), 'utf8')).replaceAll(writtenBaseUrl, baseUrl)
  const send = (page: string) => staticContent(page, 'text/html; charset=utf-8', docsCacheControl)
  const index = send(renderIndex(await read(indexFile)))
  const pages = new Map<string, StaticContent>()
  for (const file of await readdir(errorPagesDirectory)) {
    if (!file.endsWith('.md') || file === indexFile) continue
    const code = file.slice(0, -'.md'.length)
    pages.set(code, send(renderErrorPage(code, await read(file))))
  }

  await app.register(async scope => {
    await securityHeaders(scope, { styleSrc: [styleHash], imgSrc: ['data:'] })
    scope.get('/docs/errors', index)
    scope.get('/docs/errors/', async (_request, reply) => reply.redirect('../errors'))
    scope.get('/docs/errors/:code', async (request, reply) => {
      const sendPage = pages.get((request.params as { code: string }).code)
      if (sendPage === undefined) throw new Failure('route_not_found')
      return sendPage(request, reply)
    })
  })
}

function renderIndex(markdown: string): string {
  const body = markdownReader(file => (file === indexFile ? 'errors' : `errors/${withoutSuffix(file)}`))
  return renderPage({ title: 'Errors', referenceHref: '../docs', errorsHref: 'errors', body: body(markdown) })
}

function renderErrorPage(code: string, markdown: string): string {
  const body = markdownReader(file => (file === indexFile ? '../errors' : withoutSuffix(file)))
  return renderPage({
    title: code,
    referenceHref: '../../docs',
    errorsHref: '../errors',
    body: body(markdown),
  })
}

const withoutSuffix = (file: string) => file.slice(0, -'.md'.length)

/** Links between pages are file names, which work in the repository; `hrefOf` maps them to URLs. */
function markdownReader(hrefOf: (file: string) => string): (markdown: string) => string {
  const marked = new Marked({
    async: false,
    // On a narrow screen a long name may break after an underscore.
    renderer: { codespan: ({ text }) => `<code>${escapeHtml(text).replaceAll('_', '_<wbr>')}</code>` },
    walkTokens: token => {
      if (token.type === 'link' && /^[\w]+\.md$/.test(token.href)) token.href = hrefOf(token.href)
    },
  })
  return markdown => marked.parse(markdown, { async: false })
}
