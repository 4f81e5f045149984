import type { FastifyInstance } from 'fastify'
import { docsCacheControl } from './docs/page.ts'
import { mountReference } from './docs/reference.ts'
import type { ApiDocument } from './docs/reference-document.ts'
import { jsonType, staticContent } from './docs/static-content.ts'
import { mountWrittenPages } from './docs/written-pages.ts'
import { openApiDocument } from './openapi.ts'
import type { Service } from './service.ts'

/** `/docs` and `/openapi.json`: no key is needed, and pages load nothing from other hosts. */
export async function mountDocs(
  app: FastifyInstance,
  service: Pick<Service, 'operations' | 'settings'>,
): Promise<void> {
  const { baseUrl } = service.settings
  const document = openApiDocument(service.operations, baseUrl)

  app.get('/openapi.json', staticContent(JSON.stringify(document), jsonType, docsCacheControl))
  await mountReference(app, baseUrl, document as ApiDocument)
  await mountWrittenPages(app, baseUrl)
}
