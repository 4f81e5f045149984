import { htmlType, pageHeaders, prefersHtml } from '@baize/http-content'
import { terminalText } from '@baize/names'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { Failure, wrongValue } from '../../core/failure.ts'
import {
  type ProspectListForm,
  prospectListForm,
  requestProspectList,
} from '../../features/prospect-lists/index.ts'
import { type Html, listRequestedPage, requestListPage } from '../../pages/index.ts'
import { asFailure, refuseOtherMethods } from '../answer/failures.ts'
import { parameterReader, type RawQuery } from '../read/read-parameters.ts'
import { truncatedName, wellFormedText } from '../read/storable-json.ts'
import type { Service } from '../service.ts'
import { queryFromFields } from '../sessions/prepare-pages.ts'
import { exceeded, prepareCounters, refuseTooMany } from '../throttle.ts'

export const requestsPath = '/prospect-list-requests'
export const operationName = 'request_prospect_list'
export const formType = 'application/x-www-form-urlencoded'

/** Limits each IP address: enough for people, too few for bots. */
const limits = {
  minute: { max: 5, windowMs: 60_000 },
  hour: { max: 20, windowMs: 3_600_000 },
} as const
export const limitWords = `${limits.minute.max} requests per minute and ${limits.hour.max} per hour are allowed from one IP address`
export const received = { success: true, message: 'Request received', data: { status: 'requested' } } as const
/** People do not see this field. The schema does not have it, so that no error reveals it. */
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
      done(null, queryFromFields(new URLSearchParams(String(body))))
    })
    // Without this line Fastify would accept text/plain.
    form.removeContentTypeParser('text/plain')
    await throttleForm(form, redis, () => service.metrics.throttled(operationName))

    form.post(requestsPath, async (request, reply) => {
      const startedAtMs = performance.now()
      try {
        const { [honeypot]: bait, ...texts } = fieldTexts(request.body)
        // A bot that filled in the hidden field gets the usual response, and nothing is stored.
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
    refuseOtherMethods(form, requestsPath, ['POST'])
  })

  function observe(status: number, startedAtMs: number): void {
    service.metrics.observe(operationName, status, (performance.now() - startedAtMs) / 1000)
  }
}

async function sendPage(reply: FastifyReply, { text }: Html): Promise<FastifyReply> {
  reply.headers(await pageHeaders()).header('vary', 'accept')
  return reply.type(htmlType).send(text)
}

/** Shows a browser the form again, with the problem and the typed text. */
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

/** Returns the fields of a form, trimmed and without empty ones. `readForm` refuses a list. */
function fieldTexts(body: unknown): RawQuery {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Failure('unprocessable_body', {
      message: 'The body must be a form or a JSON object of strings.',
      details: { parameter: null, takes: 'a JSON object' },
    })
  }
  const texts = Object.entries(body).map(([name, value]) => [name, fieldText(name, value)] as const)
  return Object.fromEntries(texts.filter(([, text]) => text !== ''))
}

function fieldText(name: string, value: unknown): string | string[] {
  if (typeof value === 'string') return terminalText(wellFormedText(value, [name])).trim()
  if (Array.isArray(value) && value.every(each => typeof each === 'string')) return value
  throw wrongValue(truncatedName(name), 'text', 'unprocessable_body')
}

async function throttleForm(
  form: FastifyInstance,
  redis: Redis | null,
  onRefused: () => void,
): Promise<void> {
  await prepareCounters(form, redis, 'baize-form-')
  const counters = Object.entries(limits).map(([window, { max, windowMs }]) =>
    form.createRateLimit({
      max,
      timeWindow: windowMs,
      keyGenerator: (request: FastifyRequest) => `${window} ${normalizeIP(request.ip)}`,
    }),
  )
  form.addHook('onRequest', async (request, reply) => {
    // Both counters count every request.
    const counts = await Promise.all(counters.map(count => count(request)))
    const full = counts.map(exceeded).filter(each => each !== null)
    // If both limits are exceeded, the longer wait is reported.
    const [longest] = full.toSorted((a, b) => b.waitSeconds - a.waitSeconds)
    if (longest === undefined) return
    onRefused()
    const body = refuseTooMany(reply, { ...longest, allowed: limitWords })
    if (!prefersHtml(request.headers.accept)) return reply.send(body)
    return sendPage(reply, requestListPage({ message: body.message, field: null, sent: {} }))
  })
}
