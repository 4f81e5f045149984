import type { FastifyInstance } from 'fastify'
import { apiCatalog, apiCatalogLink, apiCatalogPath, apiCatalogType } from './docs/api-catalog.ts'
import { llmsText } from './docs/llms-text.ts'
import { docsCacheControl } from './docs/page.ts'
import { readPageFiles } from './docs/page-files.ts'
import { mountReference } from './docs/reference.ts'
import type { ApiDocument } from './docs/reference-document.ts'
import { jsonType, staticContent } from './docs/static-content.ts'
import { mountWrittenPages } from './docs/written-pages.ts'
import { openApiDocument } from './openapi.ts'
import type { Service } from './service.ts'

/**
 * `/docs` and `/openapi.json`, and what leads programs there: `/llms.txt` and the API catalog. No key is
 * needed, and pages load nothing from other hosts.
 */
export async function mountDocs(
  app: FastifyInstance,
  service: Pick<Service, 'operations' | 'settings'>,
): Promise<void> {
  const { baseUrl } = service.settings
  const document = openApiDocument(service.operations, baseUrl)

  app.get('/openapi.json', staticContent(JSON.stringify(document), jsonType, docsCacheControl))
  await mountReference(app, baseUrl, document as ApiDocument)
  const files = await readPageFiles(baseUrl)
  await mountWrittenPages(app, baseUrl, files)
  const textType = 'text/plain; charset=utf-8'
  app.get('/llms.txt', staticContent(llmsText(files, baseUrl), textType, docsCacheControl))
  const sendCatalog = staticContent(JSON.stringify(apiCatalog(baseUrl)), apiCatalogType, docsCacheControl)
  app.get(apiCatalogPath, (request, reply) =>
    sendCatalog(request, reply.header('link', apiCatalogLink(baseUrl))),
  )
}
