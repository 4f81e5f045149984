import { htmlType, prefersHtml } from '@baize/http-content'
import { counted } from '@baize/names'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { Failure } from '../../core/failure.ts'
import { mailAddressOf } from '../../features/members/index.ts'
import { hasPasskey, passkeysWork } from '../../features/passkeys/index.ts'
import {
  browserName,
  findSignInLink,
  linkMinutes,
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
import { okEnvelope } from '../answer/envelope.ts'
import type { Service } from '../service.ts'
import { refuseTooMany, type TooMany } from '../throttle.ts'
import { mountPasskeys } from './mount-passkeys.ts'
import { nextOf, preparePages, requireOwnPage } from './prepare-pages.ts'
import { clearSessionCookie, currentSession, sessionIdOf, setSessionCookie } from './session-cookie.ts'
import { type CountSignIn, signInThrottle } from './throttle-sign-in.ts'

type Handler = (service: Service, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Serves `/sign-in`, the links that mails contain, and `/sign-out`. */
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
    const get = (url: string, handler: Handler) =>
      scope.get(url, { exposeHeadRoute: false }, (request, reply) => handler(service, request, reply))
    get('/sign-in', showForm)
    scope.post('/sign-in', (request, reply) => askForLink(service, count, request, reply))
    get('/sign-in/:link', openLink)
    scope.post('/sign-in/:link', (request, reply) => useLink(service, request, reply))
    scope.post('/sign-in/pasted', (request, reply) => usePastedLink(service, request, reply))
    mountPasskeys(scope, service, count)
    scope.post('/sign-out', (request, reply) => signOut(service, request, reply))
  })
}

const mailFromOf = ({ settings }: Service) => settings.mail?.from ?? null

const showForm: Handler = async (service, request, reply) =>
  sendEither(service, request, reply, { page: signInPage(await signInView(service, request)) })

async function signInView(service: Service, request: FastifyRequest): Promise<SignInView> {
  const { baseUrl, commandVariables = [] } = service.settings
  const session = await currentSession(service, request)
  const next = nextOf(request)
  const mailFrom = mailFromOf(service)
  const hasPasskeys =
    passkeysWork(baseUrl) && (session === null || (await hasPasskey(service.live.database, session.userId)))
  const signedIn = session === null ? null : { email: session.email, commandVariables }
  return { mailFrom, next, hasPasskeys, signedIn }
}

/**
 * Gives every address the same answer after the same work: one job, which looks for a user later. Beyond
 * the limit of an address the answer stays, without a mail. Posts of strangers so cannot lock its owner
 * out.
 */
async function askForLink(
  service: Service,
  count: CountSignIn,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const sent = bodyText(request.body, 'email')
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
    return sendEither(service, request, reply, { status: 400, page: signInPage({ mailFrom, next, problem }) })
  }
  if (!(await count.mayMail(request, email))) service.metrics.throttled('sign_in')
  else if (mailFrom !== null) await requestLink(service.live.database, { email, next })
  return sendEither(service, request, reply, { page: linkSentPage({ email, mailFrom }) })
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
  const message = `Too many sign-ins. Wait ${counted(tooMany.waitSeconds, 'second')}.`
  const problem = { message, field: null, sent: { email: sent } }
  return sendEither(service, request, reply, { status: 429, page: signInPage({ ...view, problem }) })
}

const openLink: Handler = async (service, request, reply) => {
  const link = linkInPath(request)
  const email = link === null ? null : await findSignInLink(service.live.database, link, service.now())
  if (email === null) return refuseLink(service, request, reply)
  const page = openLinkPage({ email, action: withNext(`/sign-in/${link}`, nextOf(request)) })
  return sendEither(service, request, reply, { page })
}

const useLink: Handler = async (service, request, reply) =>
  (await signInWith(service, linkInPath(request), request, reply)) ?? refuseLink(service, request, reply)

/** Signs in by a link that the operator handed out, on the page where the user waits for it. */
const usePastedLink: Handler = async (service, request, reply) => {
  const sent = bodyText(request.body, 'link').trim()
  const link = signInLinkIn(URL.parse(sent)?.pathname.split('/').at(-1) ?? sent)
  const view = await signInView(service, request)
  const email = link === null ? null : await findSignInLink(service.live.database, link, service.now())
  const isOther = email !== null && view.signedIn && email !== view.signedIn.email
  const signedIn = isOther ? null : await signInWith(service, link, request, reply)
  if (signedIn !== null) return signedIn
  const message = isOther ? 'This link is for another person.' : `This link does not work. ${deadLink}`
  if (!prefersHtml(request.headers.accept)) throw new Failure('not_found', { message })
  const page = signInPage({ ...view, problem: { message, field: 'link', sent: {} } })
  return sendEither(service, request, reply, { status: 404, page })
}

/** Returns null if the link signs in nobody. */
async function signInWith(
  service: Service,
  link: string | null,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | null> {
  const { baseUrl } = service.settings
  const replacedId = sessionIdOf(request, baseUrl)
  const browser = browserName(request.headers['user-agent'])
  const signIn = { replacedId, browser, now: service.now() }
  const id = link === null ? null : await signInByLink(service.live.database, { link, ...signIn })
  if (id === null) return null
  setSessionCookie(reply, baseUrl, id)
  return reply.redirect(nextOf(request) ?? '/dashboard', 303)
}

const deadLink = `It was used, or is older than ${linkMinutes} minutes. A link works once.`

/** Gives used, expired and invented links the same answer. */
function refuseLink(service: Service, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!prefersHtml(request.headers.accept)) throw new Failure('not_found', { message: deadLink })
  const view = { mailFrom: mailFromOf(service), next: nextOf(request) }
  return sendEither(service, request, reply, { status: 404, page: deadLinkPage(view, deadLink) })
}

const signOut: Handler = async (service, request, reply) => {
  const { baseUrl } = service.settings
  const id = sessionIdOf(request, baseUrl)
  if (id !== null) await takeSession(service.live.database, id)
  clearSessionCookie(reply, baseUrl)
  return reply.redirect('/sign-in', 303)
}

/** Sends HTML to browsers, the envelope to others. */
function sendEither(
  { settings: { mail }, now }: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  { status = 200, page }: { status?: number; page: Html },
): FastifyReply {
  reply.code(status).header('vary', 'accept')
  if (prefersHtml(request.headers.accept)) return reply.type(htmlType).send(page.text)
  return reply.send(okEnvelope({ by_mail: (mail ?? null) !== null }, now()))
}

function linkInPath({ params }: FastifyRequest): string | null {
  return signInLinkIn((params as { link: string }).link)
}

const signInLinkIn = (text: string): string | null => (signInLinkPattern.test(text) ? text : null)

function bodyText(body: unknown, name: string): string {
  const text = (body as Record<string, unknown> | undefined)?.[name]
  return typeof text === 'string' ? text : ''
}
