import { jsonType, staticContent } from '@baize/http-content'
import type { FastifyInstance } from 'fastify'
import { once } from '../../core/once.ts'
import { openApiDocument } from '../openapi/openapi.ts'
import type { Service } from '../service.ts'
import { docsCacheControl } from './page.ts'
import { type PageFile, readPageFiles } from './page-files.ts'
import { mountReference } from './reference.ts'
import type { ApiDocument } from './reference-document.ts'
import { mountWrittenPages, navigationOf, withWholeLinks } from './written-pages.ts'

/**
 * Serves `/docs` and `/openapi.json`, and for programs `/llms.txt` and the API catalog. No key is needed,
 * and pages load nothing from other hosts.
 */
export async function mountDocs(
  app: FastifyInstance,
  service: Pick<Service, 'operations' | 'settings'>,
): Promise<void> {
  const { baseUrl } = service.settings
  const document = once(() => openApiDocument(service.operations, baseUrl))

  app.get(
    '/openapi.json',
    staticContent(() => JSON.stringify(document()), jsonType, docsCacheControl),
  )
  const files = await readPageFiles(baseUrl)
  await mountReference(app, baseUrl, document as () => ApiDocument, navigationOf(files))
  await mountWrittenPages(app, baseUrl, files)
  const textType = 'text/plain; charset=utf-8'
  app.get(
    '/llms.txt',
    staticContent(() => llmsText(files, baseUrl), textType, docsCacheControl),
  )
  app.get(
    '/llms-full.txt',
    staticContent(
      () => files.map(file => withWholeLinks(file, baseUrl).trim()).join('\n\n'),
      textType,
      docsCacheControl,
    ),
  )
  const sendCatalog = staticContent(
    () => JSON.stringify(apiCatalog(baseUrl)),
    apiCatalogType,
    docsCacheControl,
  )
  // GET and HEAD both send the link (RFC 9727, section 2).
  const link = `<${baseUrl}${apiCatalogPath}>; rel="api-catalog"`
  app.get(apiCatalogPath, (request, reply) => sendCatalog(request, reply.header('link', link)))
}

const apiCatalogPath = '/.well-known/api-catalog'
const apiCatalogType = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

/** Lists the interfaces of this service, each with its description and its pages (RFC 9727). */
function apiCatalog(baseUrl: string): object {
  const [api, mcp] = [`${baseUrl}/v1`, `${baseUrl}/mcp`]
  return {
    linkset: [
      { anchor: `${baseUrl}${apiCatalogPath}`, item: [{ href: api }, { href: mcp }] },
      {
        anchor: api,
        'service-desc': [{ href: `${baseUrl}/openapi.json`, type: 'application/json' }],
        'service-doc': [
          { href: `${baseUrl}/docs`, type: 'text/html' },
          { href: `${baseUrl}/docs.md`, type: 'text/markdown' },
        ],
        'service-meta': [{ href: `${baseUrl}/llms.txt`, type: 'text/plain' }],
        status: [{ href: `${baseUrl}/readyz` }],
      },
      {
        anchor: mcp,
        'service-doc': [
          { href: `${baseUrl}/docs/guides/wire-an-agent`, type: 'text/html' },
          { href: `${baseUrl}/docs/guides/wire-an-agent.md`, type: 'text/markdown' },
        ],
        status: [{ href: `${baseUrl}/readyz` }],
      },
    ],
  }
}

/** Writes `/llms.txt` (llmstxt.org): a summary of the service, and its pages as Markdown. */
function llmsText(files: readonly PageFile[], baseUrl: string): string {
  const line = ({ path, title, summary }: PageFile) => `- [${title}](${baseUrl}/docs/${path}.md): ${summary}`
  const errors = files.filter(({ path }) => path.startsWith('errors/'))
  const pages = files.filter(page => !errors.includes(page))
  return `# Baize

> The data API of the gambling industry: who is licensed where, which sites are on a blocklist, who runs \
them, and what changed. Answers
> cost credits; the key \`client_demo\` answers from a small fictional world, free.

A miss is no finding: \`no_record\` means that no regulator record is stored, not that a site is \
unlicensed. Send an \`Idempotency-Key\` with paid
requests, and \`max_credits\` to bound their cost.

## Pages

${pages.map(line).join('\n')}

## Interfaces

- [API reference](${baseUrl}/docs.md): every operation with its parameters, its price and requests that work
- [OpenAPI](${baseUrl}/openapi.json): the same for programs
- [MCP](${baseUrl}/mcp): 12 tools for models, with the API key as Bearer token

## Optional

- [All pages](${baseUrl}/llms-full.txt): the pages and the errors as one text
${errors.map(line).join('\n')}
`
}
