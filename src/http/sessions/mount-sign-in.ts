import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { Failure } from '../../core/failure.ts'
import { mailAddressOf } from '../../core/mail-address.ts'
import { hasPasskey, passkeysWork } from '../../features/passkeys/index.ts'
import {
  browserName,
  findLink,
  requestLink,
  signInByLink,
  signInLinkPattern,
  takeSession,
  withNext,
} from '../../features/sessions/index.ts'
import {
  deadLinkPage,
  type Html,
  linkSentPage,
  openLinkPage,
  type SignInView,
  signInPage,
} from '../../pages/index.ts'
import { prefersHtml } from '../accept.ts'
import type { Service } from '../service.ts'
import { currentSession } from './current-session.ts'
import { requireOwnPage } from './forged-posts.ts'
import { mountPasskeys } from './mount-passkeys.ts'
import { nextOf } from './next-path.ts'
import { preparePages } from './prepare-pages.ts'
import { clearSessionCookie, sessionIdOf, setSessionCookie } from './session-cookie.ts'
import { type CountSignIn, refuseTooMany, signInThrottle, type TooMany } from './throttle-sign-in.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** `/sign-in`, the links that mails have, and `/sign-out`. */
export async function mountSignIn(
  app: FastifyInstance,
  service: Service,
  redis: Redis | null,
): Promise<void> {
  const { throttlePerMinute: perMinute } = service.settings
  await app.register(async scope => {
    await preparePages(scope)
    const count = await signInThrottle(scope, { perMinute, redis })
    scope.addHook('preHandler', async request => requireOwnPage(request, service.settings.baseUrl))
    const get = (url: string, handler: Handler) => scope.get(url, { exposeHeadRoute: false }, handler)
    get('/sign-in', (request, reply) => showForm(service, request, reply))
    scope.post('/sign-in', (request, reply) => askForLink(service, count, request, reply))
    get('/sign-in/:link', (request, reply) => openLink(service, request, reply))
    scope.post('/sign-in/:link', (request, reply) => useLink(service, request, reply))
    mountPasskeys(scope, service, count)
    scope.post('/sign-out', (request, reply) => signOut(service, request, reply))
  })
}

const mailFromOf = ({ settings }: Service) => settings.mail?.from ?? null

async function showForm(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { baseUrl, commandVariables = [] } = service.settings
  const session = await currentSession(service, request)
  const next = nextOf(request)
  const mailFrom = mailFromOf(service)
  const hasPasskeys =
    passkeysWork(baseUrl) && (session === null || (await hasPasskey(service.live.database, session.userId)))
  const signedIn = session === null ? null : { email: session.email, commandVariables }
  const view = { mailFrom, next, hasPasskeys, signedIn }
  return answer(service, request, reply, { page: signInPage(view) })
}

/**
 * Every address gets the same answer after the same work: one job, which looks for a user later. Beyond the
 * limit of an address the answer stays, without a mail: somebody else's posts must not keep its owner out.
 */
async function askForLink(
  service: Service,
  count: CountSignIn,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const sent = textOf(request.body, 'email')
  const next = nextOf(request)
  const mailFrom = mailFromOf(service)
  const email = mailAddressOf(sent)
  const tooMany = await count.byIp(request)
  if (tooMany !== null) {
    service.metrics.throttled('sign_in')
    return refuseMore(service, request, reply, { tooMany, view: { mailFrom, next }, sent })
  }
  if (email === null) {
    const message = 'Enter a whole e-mail address, such as name@company.example.'
    if (!prefersHtml(request.headers.accept))
      throw new Failure('invalid_parameter', { message, details: { parameter: 'email' } })
    const problem = { message, field: 'email', sent: { email: sent } }
    return answer(service, request, reply, { status: 400, page: signInPage({ mailFrom, next, problem }) })
  }
  if (!(await count.mayMail(request, email))) service.metrics.throttled('sign_in')
  else if (mailFrom !== null) await requestLink(service.live.database, { email, next })
  return answer(service, request, reply, { page: linkSentPage({ email, mailFrom }) })
}

type Refused = { tooMany: TooMany; view: SignInView; sent: string }

function refuseMore(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  { tooMany, view, sent }: Refused,
): FastifyReply {
  const body = refuseTooMany(reply, tooMany)
  if (!prefersHtml(request.headers.accept)) return reply.send(body)
  const message = `Too many sign-ins. Wait ${tooMany.waitSeconds} seconds.`
  const problem = { message, field: null, sent: { email: sent } }
  return answer(service, request, reply, { status: 429, page: signInPage({ ...view, problem }) })
}

async function openLink(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const link = linkOf(request)
  const email = link === null ? null : await findLink(service.live.database, link, service.now())
  if (email === null) return refuseLink(service, request, reply)
  const page = openLinkPage({ email, action: withNext(`/sign-in/${link}`, nextOf(request)) })
  return answer(service, request, reply, { page })
}

async function useLink(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { baseUrl } = service.settings
  const link = linkOf(request)
  const replacedId = sessionIdOf(request, baseUrl)
  const browser = browserName(request.headers['user-agent'])
  const signIn = { replacedId, browser, now: service.now() }
  const id = link === null ? null : await signInByLink(service.live.database, { link, ...signIn })
  if (id === null) return refuseLink(service, request, reply)
  setSessionCookie(reply, baseUrl, id)
  return reply.redirect(nextOf(request) ?? '/dashboard', 303)
}

/** Used, expired and invented links get the same answer. */
function refuseLink(service: Service, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const message = 'It was used, or is older than 10 minutes. A link works once.'
  if (!prefersHtml(request.headers.accept)) throw new Failure('not_found', { message })
  const view = { mailFrom: mailFromOf(service), next: nextOf(request) }
  return answer(service, request, reply, { status: 404, page: deadLinkPage(view, message) })
}

async function signOut(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { baseUrl } = service.settings
  const id = sessionIdOf(request, baseUrl)
  if (id !== null) await takeSession(service.live.database, id)
  clearSessionCookie(reply, baseUrl)
  return reply.redirect('/sign-in', 303)
}

/** HTML to browsers, the envelope to others. */
function answer(
  { settings: { mail }, now }: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  { status = 200, page }: { status?: number; page: Html },
): FastifyReply {
  reply.code(status).header('vary', 'accept')
  if (prefersHtml(request.headers.accept)) return reply.type('text/html; charset=utf-8').send(page.text)
  const data = { by_mail: (mail ?? null) !== null }
  return reply.send({ success: true, message: 'OK', data, timestamp: now().toISOString() })
}

function linkOf({ params }: FastifyRequest): string | null {
  const { link } = params as { link: string }
  return signInLinkPattern.test(link) ? link : null
}

function textOf(body: unknown, name: string): string {
  const text = (body as Record<string, unknown> | undefined)?.[name]
  return typeof text === 'string' ? text : ''
}
