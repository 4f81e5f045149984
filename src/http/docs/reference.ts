import type { FastifyInstance } from 'fastify'
import { demoKey } from '../../core/api-key.ts'
import { Failure } from '../../core/failure.ts'
import { prefersMarkdown } from '../accept.ts'
import { docsCacheControl, escapeHtml } from './page.ts'
import { readReferenceBundle } from './reference-bundle.ts'
import { type ApiDocument, referenceDocument } from './reference-document.ts'
import { referenceMarkdown } from './reference-markdown.ts'
import { securityHeaders } from './security-headers.ts'
import { htmlType, jsonType, markdownType, type StaticContent, staticContent } from './static-content.ts'

/** `/docs`: the API reference, rendered in the browser from openapi.json; as Markdown to agents. */
export async function mountReference(
  app: FastifyInstance,
  baseUrl: string,
  document: ApiDocument,
): Promise<void> {
  let loading: ReturnType<typeof loadReference> | null = null
  // Loaded at the first visit: most processes never show the page.
  const load = () => {
    loading ??= loadReference(document)
    return loading
  }

  const markdown = referenceMarkdown(document, baseUrl)
  const sendMarkdown = staticContent(markdown, markdownType, docsCacheControl)

  await app.register(async scope => {
    await securityHeaders(scope, {
      scriptSrc: ["'self'"],
      // Scalar writes styles into the page.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'", 'data:'],
      // openapi.json, and "Test request".
      connectSrc: ["'self'", new URL(baseUrl).origin],
    })
    scope.get('/docs', async (request, reply) => {
      reply.header('vary', 'accept')
      if (prefersMarkdown(request.headers.accept)) return sendMarkdown(request, reply)
      return (await load()).sendPage(request, reply)
    })
    scope.get('/docs.md', sendMarkdown)
    scope.get('/docs/', async (_request, reply) => reply.redirect('../docs'))
    scope.get('/docs/openapi.json', async (request, reply) => (await load()).sendDocument(request, reply))
    scope.get('/docs/assets/:file', async (request, reply) => {
      const { fileName, sendScript } = await load()
      if ((request.params as { file: string }).file !== fileName) throw new Failure('route_not_found')
      return sendScript(request, reply)
    })
  })
}

async function loadReference(document: ApiDocument): Promise<{
  fileName: string
  sendDocument: StaticContent
  sendPage: StaticContent
  sendScript: StaticContent
}> {
  const { fileName, content } = await readReferenceBundle()
  return {
    fileName,
    sendDocument: staticContent(JSON.stringify(referenceDocument(document)), jsonType, docsCacheControl),
    sendPage: staticContent(page(fileName), htmlType, docsCacheControl),
    sendScript: staticContent(
      content,
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
    ),
  }
}

const configuration = {
  // Relative to /docs.
  url: './docs/openapi.json',
  // It would download the document made for this page.
  documentDownloadType: 'none',
  pageTitle: 'Baize API reference',
  // Nothing is loaded from other hosts: no fonts, telemetry or assistants.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  // "Test request" works at once, with the demo key.
  authentication: { preferredSecurityScheme: 'apiKey', securitySchemes: { apiKey: { value: demoKey } } },
}

/** Below this width the dialog of "Test Request" shows its sidebar button on top of the address. */
const besideSidebarButton =
  '@media (max-width: 900px) { .t-app__top-container { padding-left: 3rem !important } }'

function page(bundleFileName: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${configuration.pageTitle}</title>
    <link rel="icon" href="data:,">
    <style>${besideSidebarButton}</style>
  </head>
  <body>
    <noscript>
      <p>This page needs JavaScript. Without it, read <a href="openapi.json">openapi.json</a> and
      <a href="docs/errors">the error codes</a>.</p>
    </noscript>
    <script id="api-reference" data-configuration="${escapeHtml(JSON.stringify(configuration))}"></script>
    <script src="docs/assets/${bundleFileName}"></script>
  </body>
</html>
`
}
