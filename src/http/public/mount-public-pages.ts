import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readCoverage } from '../../features/coverage/index.ts'
import {
  coverageFilters,
  coveragePage,
  type Html,
  homePage,
  type LiveVerdict,
  liveVerdict,
  requestListPage,
} from '../../pages/index.ts'
import { prefersHtml } from '../accept.ts'
import { encodeBody, mayEncode } from '../content-encoding.ts'
import { templateCurl } from '../demo-templates.ts'
import type { Service } from '../service.ts'
import { preparePages } from '../sessions/prepare-pages.ts'
import { type SendAs, sender } from '../sessions/send-as.ts'

/** Coverage changes with snapshots, which are hours apart. */
const coverageCachedMs = 60_000

/** `/`, `/coverage` and `/request-a-list`: pages without a session. */
export async function mountPublicPages(app: FastifyInstance, service: Service): Promise<void> {
  const send = sender(service)
  const { live, now } = service
  const coverage = keptFor(coverageCachedMs, () => readCoverage(live.database, now()))
  await app.register(async scope => {
    await preparePages(scope)
    scope.get('/', async (request, reply) => {
      reply.header('vary', 'accept, hx-target')
      if (!prefersHtml(request.headers.accept)) return reply.send(envelope(service, placesOf(service)))
      const live = await lookUp(service, send, request)
      const isPart = String(request.headers['hx-target'] ?? '').endsWith('verdict')
      return page(request, reply, isPart ? liveVerdict(live) : homePage(live))
    })
    scope.get('/coverage', async (request, reply) => {
      reply.header('vary', 'accept')
      const read = await coverage()
      if (!prefersHtml(request.headers.accept)) return reply.send(read)
      return page(request, reply, coveragePage(read, coverageFilters(request.query as object)))
    })
    scope.get('/coverage.json', async (_request, reply) => reply.send(await coverage()))
    scope.get('/request-a-list', async (request, reply) => {
      reply.header('vary', 'accept')
      if (!prefersHtml(request.headers.accept)) return reply.send(envelope(service, listForm(service)))
      return page(request, reply, requestListPage(null))
    })
    scope.get('/robots.txt', async (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send('User-agent: *\nDisallow: /dashboard\nDisallow: /v1/\n'),
    )
  })
}

const envelope = ({ now }: Service, data: object) => ({
  success: true,
  message: 'OK',
  data,
  timestamp: now().toISOString(),
})

/** What `/` leads to, for programs. */
const placesOf = ({ settings: { baseUrl } }: Service) => ({
  documentation: `${baseUrl}/docs`,
  openapi: `${baseUrl}/openapi.json`,
  coverage: `${baseUrl}/coverage.json`,
  agents: `${baseUrl}/mcp`,
  request_a_list: `${baseUrl}/request-a-list`,
  dashboard: `${baseUrl}/dashboard`,
})

/** The form of `/request-a-list`, for programs. */
const listForm = ({ settings: { baseUrl } }: Service) => ({
  method: 'POST',
  url: `${baseUrl}/prospect-list-requests`,
  documentation: `${baseUrl}/docs/prospect-lists`,
})

async function page(request: FastifyRequest, reply: FastifyReply, { text }: Html): Promise<FastifyReply> {
  const body = mayEncode(reply, text.length) ? await encodeBody(request, reply, text) : text
  return reply.type('text/html; charset=utf-8').send(body)
}

/** Reads once for all who ask at the same time, and again after a while; a failure is not kept. */
function keptFor<Value>(ms: number, read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | null = null
  let untilMs = 0
  return () => {
    if (reading === null || performance.now() > untilMs) {
      untilMs = performance.now() + ms
      reading = read()
      reading.catch(() => {
        reading = null
      })
    }
    return reading
  }
}

/** With the demo key's templates alone, as the API answers them. */
async function lookUp(service: Service, send: SendAs, { id, query }: FastifyRequest): Promise<LiveVerdict> {
  const operation = service.operations.find(each => each.name === 'resolve_domain')
  if (operation === undefined) throw new Error('there is no operation resolve_domain')
  const templates = operation.demo.filter(({ query: sent }) => Object.keys(sent).join() === 'domain')
  const asked = (query as { domain?: unknown }).domain
  const template = templates.find(each => each.query.domain === asked) ?? templates[0]
  if (template === undefined) throw new Error('resolve_domain has no demo template')
  const { status, body } = await send('demo', id, { operation: operation.name, query: template.query })
  const { data, message } = body as { data: never; message: string }
  return {
    templates: templates.map(each => ({ domain: String(each.query.domain), title: each.title })),
    domain: String(template.query.domain),
    curl: templateCurl(operation, template, service.settings.baseUrl).join(' '),
    answer: status === 200 ? { verdict: data, json: JSON.stringify(body, null, 2) } : { message },
  }
}
