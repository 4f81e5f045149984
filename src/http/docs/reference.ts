import { markdownType, prefersMarkdown, securityHeaders, staticContent } from '@baize/http-content'
import type { FastifyInstance } from 'fastify'
import { once } from '../../core/once.ts'
import { copyPolicy, docsCacheControl } from './page.ts'
import type { PageFile } from './page-files.ts'
import { type ApiDocument, operationsOf } from './reference-document.ts'
import { operationMarkdown, overviewMarkdown, referenceMarkdown } from './reference-markdown.ts'
import { contentOf, type navigationOf, type Page, sendPage } from './written-pages.ts'

/** Serves `/docs` and a page for each operation, made from openapi.json at their first request. */
export async function mountReference(
  app: FastifyInstance,
  baseUrl: string,
  document: () => ApiDocument,
  navigation: ReturnType<typeof navigationOf>,
): Promise<void> {
  const overview = once(() => contentOf(overviewOf(document(), baseUrl), baseUrl, navigation))
  const pages = once(() => pagesOf(document(), each => contentOf(each, baseUrl, navigation)))
  const sendWhole = staticContent(
    () => referenceMarkdown(document(), baseUrl),
    markdownType,
    docsCacheControl,
  )

  await app.register(async scope => {
    await securityHeaders(scope, copyPolicy)
    scope.get('/docs', async (request, reply) => {
      reply.header('vary', 'accept')
      return prefersMarkdown(request.headers.accept)
        ? sendWhole(request, reply)
        : overview().html(request, reply)
    })
    scope.get('/docs.md', sendWhole)
    scope.get('/docs/', async (_request, reply) => reply.redirect('../docs'))
    scope.get('/docs/reference', async (_request, reply) => reply.redirect('../docs'))
    scope.get('/docs/reference/:name', async (request, reply) => {
      const { name } = request.params as { name: string }
      return sendPage(pages(), name, { request, reply })
    })
  })
}

/** The page at `/docs`, whose links are relative to `/docs/`, as in the files. */
const overviewOf = (document: ApiDocument, baseUrl: string): PageFile =>
  pageOf('', { title: 'API reference', markdown: overviewMarkdown(document, baseUrl) })

function pagesOf(document: ApiDocument, draw: (page: PageFile) => Page) {
  return new Map(
    operationsOf(document).map(operation => {
      const { operationId, summary } = operation
      const markdown = operationMarkdown(document, operation)
      const page = pageOf(`reference/${operationId}`, { title: summary, markdown })
      return [operationId, draw(page)]
    }),
  )
}

const pageOf = (path: string, { title, markdown }: { title: string; markdown: string }): PageFile => ({
  file: path === '' ? 'reference.md' : `${path}.md`,
  path,
  title,
  summary: title,
  markdown,
})
