export const apiCatalogPath = '/.well-known/api-catalog'
export const apiCatalogType = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

/** RFC 9727: the interfaces of this service, each with its description and its pages. */
export function apiCatalog(baseUrl: string): object {
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

/** Of both GET and HEAD (RFC 9727, section 2). */
export const apiCatalogLink = (baseUrl: string): string => `<${baseUrl}${apiCatalogPath}>; rel="api-catalog"`
