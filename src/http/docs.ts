import type { FastifyInstance } from 'fastify'
import { mountErrorPages } from './docs/error-pages.ts'
import { docsCacheControl } from './docs/page.ts'
import { mountReference } from './docs/reference.ts'
import { openApiDocument } from './openapi.ts'
import type { Service } from './service.ts'

/** `/docs` and `/openapi.json`: no key is needed, and pages load nothing from other hosts. */
export async function mountDocs(
  app: FastifyInstance,
  service: Pick<Service, 'operations' | 'settings'>,
): Promise<void> {
  const { baseUrl } = service.settings
  // Bytes are shared by all connections; each would copy a string.
  const document = Buffer.from(JSON.stringify(openApiDocument(service.operations, baseUrl)))

  app.get('/openapi.json', async (_request, reply) => {
    return reply
      .header('cache-control', docsCacheControl)
      .type('application/json; charset=utf-8')
      .send(document)
  })
  // All links are relative, so that a proxy may serve the API below a path.
  app.get('/', async (_request, reply) => reply.redirect('docs'))
  await mountReference(app, baseUrl)
  await mountErrorPages(app, baseUrl)
}
