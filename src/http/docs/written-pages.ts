import type { FastifyInstance } from 'fastify'
import { Failure } from '../../core/failure.ts'
import { prefersMarkdown } from '../accept.ts'
import { docsCacheControl, pagePolicy } from './page.ts'
import { linkedPath, type PageFile } from './page-files.ts'
import { renderFile } from './render-file.ts'
import { securityHeaders } from './security-headers.ts'
import { htmlType, markdownType, type StaticContent, staticContent } from './static-content.ts'

type Page = { html: StaticContent; markdown: StaticContent }

const markdownSuffix = '.md'

/** Serves the written pages below `/docs`: as HTML, or as Markdown to who asks for it by path or `Accept`. */
export async function mountWrittenPages(
  app: FastifyInstance,
  baseUrl: string,
  files: readonly PageFile[],
): Promise<void> {
  const pages = new Map(files.map(each => [each.path, contentOf(each, baseUrl)]))

  await app.register(async scope => {
    await securityHeaders(scope, pagePolicy)
    scope.get('/docs/errors/', async (_request, reply) => reply.redirect('../errors'))
    scope.get('/docs/*', async (request, reply) => {
      const path = (request.params as { '*': string })['*']
      const asMarkdown = pages.get(path.slice(0, -markdownSuffix.length))
      if (path.endsWith(markdownSuffix) && asMarkdown !== undefined)
        return asMarkdown.markdown(request, reply)
      const page = pages.get(path)
      if (page === undefined) throw new Failure('route_not_found')
      reply.header('vary', 'accept')
      return prefersMarkdown(request.headers.accept)
        ? page.markdown(request, reply)
        : page.html(request, reply)
    })
  })
}

function contentOf(page: PageFile, baseUrl: string): Page {
  return {
    html: staticContent(renderFile(page), htmlType, docsCacheControl),
    markdown: staticContent(withWholeLinks(page, baseUrl), markdownType, docsCacheControl),
  }
}

/** Links between files become URLs of their Markdown, which a reader without a base can follow. */
const withWholeLinks = ({ file, markdown }: PageFile, baseUrl: string): string =>
  markdown.replaceAll(/\]\(([^)\s]+)\)/g, (link, href: string) => {
    const linked = linkedPath(file, href)
    return linked === null ? link : `](${baseUrl}/docs/${linked.path}${markdownSuffix}${linked.fragment})`
  })
