import { encodeBody, htmlType, mayEncode, prefersHtml, staticContent } from '@baize/http-content'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../core/failure.ts'
import { type Coverage, readCoverage, readMarketCounts } from '../../features/coverage/index.ts'
import { prices } from '../../metering/pricing.ts'
import {
  assets,
  coverageFilters,
  coveragePage,
  coverageTables,
  type Html,
  homePage,
  type LiveVerdict,
  liveVerdict,
  pricingPage,
  publicMarketPage,
  requestListPage,
  type ShownCoverage,
  type TableAddress,
  tableAddress,
} from '../../pages/index.ts'
import { templateCurl } from '../answer/demo-templates.ts'
import { okEnvelope } from '../answer/envelope.ts'
import { requireTable, sendTable, tableFormats } from '../send/send-table.ts'
import type { Service } from '../service.ts'
import { preparePages } from '../sessions/prepare-pages.ts'
import { type SendAs, sender } from '../sessions/send-as.ts'
import { mountForRobots } from './mount-for-robots.ts'
import { mountReceipts } from './mount-receipts.ts'

/** The coverage is cached, because it changes only with snapshots, which are hours apart. */
const coverageCachedMs = 60_000

/** Serves `/`, `/coverage` and `/request-a-list`, which need no session. */
export async function mountPublicPages(app: FastifyInstance, service: Service): Promise<void> {
  const send = sender(service)
  const { live, now } = service
  const { baseUrl } = service.settings
  const coverage = keptFor(coverageCachedMs, () => readCoverage(live.database, now()))
  await app.register(async scope => {
    await preparePages(scope)
    scope.get('/', async (request, reply) => {
      reply.header('vary', 'accept, hx-target')
      if (!prefersHtml(request.headers.accept)) return reply.send(okEnvelope(placesOf(service), now()))
      const live = await lookUp(service, send, request)
      const isPart = String(request.headers['hx-target'] ?? '').endsWith('verdict')
      return sendPublicPage(
        request,
        reply,
        isPart ? liveVerdict(live) : homePage(live, await coverage(), `${baseUrl}/`),
      )
    })
    scope.get('/coverage', async (request, reply) => {
      reply.header('vary', 'accept')
      const read = await coverage()
      if (!prefersHtml(request.headers.accept)) return reply.send(read)
      const { shown, address } = coverageAt(request, read)
      requireTable(tablesAt(shown, address), address)
      return sendPublicPage(request, reply, coveragePage(read, shown.filters, address))
    })
    scope.get<{ Params: { code: string } }>('/coverage/:code', async (request, reply) => {
      reply.header('vary', 'accept')
      const market = (await coverage()).markets.find(each => each.market === request.params.code)
      if (market === undefined) throw new Failure('route_not_found')
      if (!prefersHtml(request.headers.accept)) return reply.send(okEnvelope(market, now()))
      const counts = await readMarketCounts(live.replica, market.market)
      return sendPublicPage(
        request,
        reply,
        publicMarketPage(market, { counts, url: `${baseUrl}/coverage/${market.market}` }),
      )
    })
    for (const format of tableFormats)
      scope.get(`/coverage.${format}`, async (request, reply) => {
        const read = await coverage()
        const { shown, address } = coverageAt(request, read)
        const isWhole = address.table === null && address.sort === null && address.where.length === 0
        if (format === 'json' && isWhole) return reply.send(read)
        const table = requireTable(tablesAt(shown, address), address)
        return sendTable(reply, table, { address, format, now: now() })
      })
    scope.get('/pricing', async (request, reply) => {
      reply.header('vary', 'accept')
      if (!prefersHtml(request.headers.accept)) return reply.send(okEnvelope({ prices }, now()))
      return sendPublicPage(request, reply, pricingPage(prices, `${baseUrl}/pricing`))
    })
    scope.get('/request-a-list', async (request, reply) => {
      reply.header('vary', 'accept')
      if (!prefersHtml(request.headers.accept)) return reply.send(okEnvelope(listForm(service), now()))
      return sendPublicPage(request, reply, requestListPage(null))
    })
    mountForRobots(scope, service)
    mountReceipts(scope, service)
  })
}

function coverageAt({ query, url }: FastifyRequest, coverage: Coverage) {
  const shown = { coverage, filters: coverageFilters(query as object) }
  const [, search = ''] = url.split('?', 2)
  return { shown, address: tableAddress('/coverage', new URLSearchParams(search), coverageTables[0].id) }
}

const tablesAt = (shown: ShownCoverage, address: TableAddress) =>
  coverageTables.map(each => each.of(shown, { address }))

/** Lists for programs the places to which `/` links. */
const placesOf = ({ settings: { baseUrl } }: Service) => ({
  documentation: `${baseUrl}/docs`,
  openapi: `${baseUrl}/openapi.json`,
  coverage: `${baseUrl}/coverage.json`,
  pricing: `${baseUrl}/pricing`,
  agents: `${baseUrl}/mcp`,
  request_a_list: `${baseUrl}/request-a-list`,
  dashboard: `${baseUrl}/dashboard`,
})

/** Describes the form of `/request-a-list` for programs. */
const listForm = ({ settings: { baseUrl } }: Service) => ({
  method: 'POST',
  url: `${baseUrl}/prospect-list-requests`,
  documentation: `${baseUrl}/docs/prospect-lists`,
})

async function sendPublicPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { text }: Html,
): Promise<FastifyReply> {
  const body = mayEncode(reply, text.length) ? await encodeBody(request, reply, text) : text
  return reply.type(htmlType).send(body)
}

/** Caches a value for a time and shares one read between simultaneous requests. A failure is not cached. */
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

/** Sends a template of the demo key to the API. Other domains are not looked up. */
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

const forAYear = 'public, max-age=31536000, immutable'

export function mountAssets(app: FastifyInstance): void {
  for (const { path, type, bytes } of Object.values(assets))
    app.get(
      path,
      staticContent(() => bytes, type, forAYear),
    )
}
