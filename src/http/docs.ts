import type { FastifyInstance } from 'fastify'
import { mountErrorPages } from './docs/error-pages.ts'
import { docsCacheControl } from './docs/page.ts'
import { mountReference } from './docs/reference.ts'
import { openApiDocument } from './openapi.ts'
import type { Service } from './service.ts'

/** What a person or a program reads before the first request: no key is needed, and no other host is asked. */
export async function mountDocs(
  app: FastifyInstance,
  service: Pick<Service, 'operations' | 'settings'>,
): Promise<void> {
  const { baseUrl } = service.settings
  // As bytes, which all connections share: of a text each would hold a copy until it is read.
  const document = Buffer.from(JSON.stringify(openApiDocument(service.operations, baseUrl)))

  app.get('/openapi.json', async (_request, reply) => {
    return reply
      .header('cache-control', docsCacheControl)
      .type('application/json; charset=utf-8')
      .send(document)
  })
  // Relative, as are the links of all pages, so that a proxy may put the service below a path of its own.
  app.get('/', async (_request, reply) => reply.redirect('docs'))
  await mountReference(app, baseUrl)
  await mountErrorPages(app, baseUrl)
}
