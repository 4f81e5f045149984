import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { Failure } from '../core/failure.ts'
import { terminalText } from '../core/terminal-text.ts'
import {
  type ProspectListForm,
  prospectListForm,
  requestProspectList,
} from '../features/prospect-lists/index.ts'
import { type Html, listRequestedPage, requestListPage } from '../pages/index.ts'
import { prefersHtml } from './accept.ts'
import { asFailure } from './failures.ts'
import { pageHeaders } from './page-headers.ts'
import { parameterReader, type RawQuery } from './read-parameters.ts'
import type { Service } from './service.ts'
import { truncatedName, wellFormedText } from './storable-json.ts'
import { throttledBody } from './throttle.ts'

export const path = '/prospect-list-requests'
export const operationName = 'request_prospect_list'
export const formType = 'application/x-www-form-urlencoded'

/** Per IP address: enough for people, too few for bots. */
const limits = {
  minute: { max: 5, windowMs: 60_000 },
  hour: { max: 20, windowMs: 3_600_000 },
} as const
export const limitWords = `${limits.minute.max} requests per minute and ${limits.hour.max} per hour are allowed from one IP address`
export const received = { success: true, message: 'Request received', data: { status: 'requested' } } as const
/** A field hidden from people. The schema does not have it, so that no error reveals it. */
const honeypot = 'fax'

const readForm = parameterReader(prospectListForm)

/**
 * The public form for a prospect list (§4.15): outside of `/v1`, without a key, as JSON or form data.
 * Requests wait for staff, who assign the account.
 */
export async function mountProspectListRequests(
  app: FastifyInstance,
  service: Service,
  redis: Redis | null,
): Promise<void> {
  await app.register(async form => {
    form.addContentTypeParser(formType, { parseAs: 'string' }, (_request, body, done) => {
      done(null, membersOf(new URLSearchParams(String(body))))
    })
    // Otherwise Fastify would accept text/plain.
    form.removeContentTypeParser('text/plain')
    await throttleForm(form, redis, () => service.metrics.throttled(operationName))

    form.post(path, async (request, reply) => {
      const startedAtMs = performance.now()
      try {
        const { [honeypot]: bait, ...texts } = textsOf(request.body)
        // A bot: it gets the usual response, and nothing is stored.
        if (bait === undefined)
          await requestProspectList(service.live, readForm(texts) as ProspectListForm, service.now())
      } catch (error) {
        const failure = asFailure(error, { failures: [] })
        observe(failure instanceof Failure ? failure.status : 500, startedAtMs)
        const isShown = failure instanceof Failure && failure.status < 500
        if (isShown && prefersHtml(request.headers.accept)) return showAgain(reply, failure, request.body)
        throw failure
      }
      observe(202, startedAtMs)
      if (prefersHtml(request.headers.accept)) return sendPage(reply.code(202), listRequestedPage())
      return reply.code(202).send({
        ...received,
        timestamp: service.now().toISOString(),
      })
    })
    form.route({
      method: form.supportedMethods.filter(method => method !== 'POST'),
      url: path,
      handler: async (_request, reply) => {
        reply.header('allow', 'POST')
        throw new Failure('method_not_allowed', { details: { allowed: ['POST'] } })
      },
    })
  })

  function observe(status: number, startedAtMs: number): void {
    service.metrics.observe(operationName, status, (performance.now() - startedAtMs) / 1000)
  }
}

async function sendPage(reply: FastifyReply, { text }: Html): Promise<FastifyReply> {
  reply.headers(await pageHeaders()).header('vary', 'accept')
  return reply.type('text/html; charset=utf-8').send(text)
}

/** To a browser: the form again, with what is wrong and what was typed. */
async function showAgain(
  reply: FastifyReply,
  { status, message, details }: Failure,
  body: unknown,
): Promise<FastifyReply> {
  const { parameter } = details
  const sent = Object.entries(body as RawQuery).filter(
    (each): each is [string, string] => typeof each[1] === 'string',
  )
  const field = typeof parameter === 'string' ? parameter : null
  const problem = { message, field, sent: Object.fromEntries(sent) }
  return sendPage(reply.code(status), requestListPage(problem))
}

/** A name that is sent twice is a list, which `readForm` refuses. */
function membersOf(parameters: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(parameters.keys())]
  return Object.fromEntries(
    names.map(name => {
      const values = parameters.getAll(name)
      return [name, values.length === 1 ? (values[0] as string) : values]
    }),
  )
}

/** The fields of a form, trimmed. Empty ones are left out. */
function textsOf(body: unknown): RawQuery {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Failure('unprocessable_body', {
      message: 'The body must be a form or a JSON object of strings.',
      details: { parameter: null, takes: 'a JSON object' },
    })
  }
  const texts = Object.entries(body).map(([name, value]) => [name, textOf(name, value)] as const)
  return Object.fromEntries(texts.filter(([, text]) => text !== ''))
}

function textOf(name: string, value: unknown): string | string[] {
  if (typeof value === 'string') return terminalText(wellFormedText(value, [name])).trim()
  if (Array.isArray(value) && value.every(each => typeof each === 'string')) return value
  throw new Failure('unprocessable_body', {
    message: `"${truncatedName(name)}" must be text.`,
    details: { parameter: truncatedName(name), takes: 'text' },
  })
}

async function throttleForm(
  form: FastifyInstance,
  redis: Redis | null,
  onRefused: () => void,
): Promise<void> {
  await form.register(rateLimit, {
    global: false,
    skipOnError: true,
    ...(redis === null ? {} : { redis, nameSpace: 'baize-form-' }),
  })
  const counters = Object.entries(limits).map(([window, { max, windowMs }]) =>
    form.createRateLimit({
      max,
      timeWindow: windowMs,
      keyGenerator: (request: FastifyRequest) => `${window} ${normalizeIP(request.ip)}`,
    }),
  )
  form.addHook('onRequest', async (request, reply) => {
    // Both count every request.
    const counts = await Promise.all(counters.map(count => count(request)))
    const exceeded = counts.flatMap(count =>
      count.isAllowed || !count.isExceeded
        ? []
        : { max: count.max, waitSeconds: Math.max(1, count.ttlInSeconds) },
    )
    // If both are exceeded, the one with the longer wait.
    const [full] = exceeded.toSorted((a, b) => b.waitSeconds - a.waitSeconds)
    if (full === undefined) return
    onRefused()
    return refuse(request, reply, full)
  })
}

async function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  { max, waitSeconds }: { max: number; waitSeconds: number },
): Promise<FastifyReply> {
  reply.code(429).headers({
    'retry-after': String(waitSeconds),
    'x-ratelimit-limit': String(max),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(waitSeconds),
  })
  const body = throttledBody(limitWords, waitSeconds)
  if (!prefersHtml(request.headers.accept)) return reply.send(body)
  return sendPage(reply, requestListPage({ message: body.message, field: null, sent: {} }))
}
