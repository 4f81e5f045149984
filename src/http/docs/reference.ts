import type { FastifyInstance } from 'fastify'
import { demoKey } from '../../core/api-key.ts'
import { Failure } from '../../core/failure.ts'
import { docsCacheControl, escapeHtml } from './page.ts'
import { type ReferenceBundle, readReferenceBundle } from './reference-bundle.ts'
import { securityHeaders } from './security-headers.ts'

/** `/docs`: the API reference, rendered in the browser from openapi.json. */
export async function mountReference(app: FastifyInstance, baseUrl: string): Promise<void> {
  let reading: Promise<ReferenceBundle> | null = null
  // Loaded at the first visit: most processes never show the page.
  const bundle = () => {
    reading ??= readReferenceBundle()
    return reading
  }

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
    scope.get('/docs', async (_request, reply) => {
      const { fileName } = await bundle()
      return reply
        .header('cache-control', docsCacheControl)
        .type('text/html; charset=utf-8')
        .send(page(fileName))
    })
    scope.get('/docs/', async (_request, reply) => reply.redirect('../docs'))
    scope.get('/docs/assets/:file', async (request, reply) => {
      const { fileName, plain, gzipped } = await bundle()
      if ((request.params as { file: string }).file !== fileName) throw new Failure('route_not_found')
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('vary', 'accept-encoding')
        .type('text/javascript; charset=utf-8')
      const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
      return takesGzip ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(plain)
    })
  })
}

const configuration = {
  // Relative to /docs.
  url: './openapi.json',
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

function page(bundleFileName: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${configuration.pageTitle}</title>
    <link rel="icon" href="data:,">
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
