import { staticContent } from '@baize/http-content'
import { markets } from '@baize/names'
import type { FastifyInstance } from 'fastify'
import { assets } from '../../pages/index.ts'
import { docsPaths } from '../docs/page-files.ts'
import type { Service } from '../service.ts'

const textType = 'text/plain; charset=utf-8'
const cacheControl = 'public, max-age=3600'
/** RFC 9116 recommends less than a year. */
const contactValidDays = 180
const dayMs = 86_400_000

/** Serves the files at fixed paths that browsers, crawlers and reporters of vulnerabilities request. */
export function mountForRobots(scope: FastifyInstance, { settings, now, operations }: Service): void {
  const { baseUrl } = settings
  const robots = `User-agent: *\nDisallow: /dashboard\nDisallow: /v1/\nSitemap: ${baseUrl}/sitemap.xml\n`
  scope.get(
    '/robots.txt',
    staticContent(() => robots, textType, cacheControl),
  )
  const docs = [...docsPaths(), ...operations.map(({ name }) => `reference/${name}`)]
  const ofMarkets = markets.map(({ code }) => `/coverage/${code}`)
  const ofDocs = docs.map(path => `/docs/${path}`)
  const paths = ['', '/pricing', '/coverage', ...ofMarkets, '/request-a-list', '/verify', '/docs', ...ofDocs]
  scope.get(
    '/sitemap.xml',
    staticContent(() => sitemap(paths.map(path => `${baseUrl}${path}`)), 'application/xml', cacheControl),
  )
  const { icon } = assets
  scope.get(
    '/favicon.ico',
    staticContent(() => icon.bytes, icon.type, cacheControl),
  )
  scope.get('/.well-known/security.txt', (_request, reply) => {
    const expires = new Date(now().getTime() + contactValidDays * dayMs)
    const contact = settings.securityContact ?? `${baseUrl}/request-a-list`
    const lines = [`Contact: ${contact}`, `Expires: ${expires.toISOString()}`, 'Preferred-Languages: en']
    return reply.type(textType).send(`${lines.join('\n')}\n`)
  })
}

const sitemap = (urls: readonly string[]): string => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.map(url => `<url><loc>${url.replaceAll('&', '&amp;')}</loc></url>`).join('\n')}
</urlset>
`
