import build from 'fast-json-stringify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../core/failure.ts'
import {
  type AnySessionOperation,
  Attachment,
  mayAccess,
  type Session,
  type SessionContext,
} from '../../core/session-operation.ts'
import type { World } from '../../database/open.ts'
import { withNext } from '../../features/sessions/index.ts'
import { shownPages } from '../../pages/dashboard/index.ts'
import { dashboardPage, errorAdvice, noAccount, type Shown, type View } from '../../pages/index.ts'
import { sessionOperations } from '../../session-catalogue.ts'
import { prefersHtml } from '../accept.ts'
import { asFailure, refusal } from '../failures.ts'
import { routeOf } from '../mount.ts'
import { inputReader } from '../read-input.ts'
import type { Input, RawQuery } from '../read-parameters.ts'
import { attachment, sendFile } from '../send-file.ts'
import type { Service } from '../service.ts'
import { currentSession } from './current-session.ts'
import { requireOwnPage } from './forged-posts.ts'
import { preparePages } from './prepare-pages.ts'
import { type SendAs, sender } from './send-as.ts'
import { problemOf, sendHtml } from './send-page.ts'

const stepUpMs = 15 * 60_000

type Mounted = {
  operation: AnySessionOperation<World>
  read(raw: { query: RawQuery; params: Record<string, string> }): Input
  write(data: unknown): string
  shown: Shown | undefined
}

type Dashboard = { service: Service; send: SendAs; mounted: ReadonlyMap<string, Mounted> }

/** Session operations below `/dashboard`: HTML for browsers, the envelope for others. */
export async function mountDashboard(app: FastifyInstance, service: Service): Promise<void> {
  const mounted = new Map(sessionOperations.map(each => [each.name, prepare(each)]))
  const dashboard: Dashboard = { service, send: sender(service), mounted }
  await app.register(async scope => {
    await preparePages(scope)
    for (const each of mounted.values())
      scope.route({
        method: each.operation.method,
        url: routeOf(each.operation.path),
        exposeHeadRoute: false,
        handler: (request, reply) => answer(dashboard, each, request, reply),
      })
    scope.get('/dashboard/*', { exposeHeadRoute: false }, (request, reply) =>
      answerMissing(dashboard, request, reply),
    )
  })
}

function prepare(operation: AnySessionOperation<World>): Mounted {
  const { query, form, params, method } = operation
  return {
    operation,
    read: inputReader({ query: method === 'POST' ? (form ?? query) : query, params }),
    write: build(operation.data as unknown as build.AnySchema),
    shown: shownPages[operation.name],
  }
}

/** Another account's page, or one that the role may not see, does not exist. */
async function answer(
  dashboard: Dashboard,
  mounted: Mounted,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { service } = dashboard
  const { operation } = mounted
  const { baseUrl } = service.settings
  requireOwnPage(request, baseUrl)
  const session = await currentSession(service, request)
  if (session === null) return askToSignIn(dashboard, mounted, request, reply)
  const context = contextOf(dashboard, session, request)
  if (!mayAccess(operation.access, session)) return refuseAccess(dashboard, { request, reply, context })
  if (operation.stepUp && service.now().getTime() - session.provedAt.getTime() > stepUpMs)
    return askToSignIn(dashboard, mounted, request, reply)
  const sent = { query: sentTexts(request), params: request.params as Record<string, string> }
  try {
    const input = mounted.read(sent)
    const data = await operation.answer(context, input)
    if (data instanceof Attachment) {
      return sendAttachment(request, reply, data)
    }
    return send(dashboard, mounted, { request, reply, context, input, data })
  } catch (thrown) {
    const failure = asFailure(thrown, operation)
    if (!(failure instanceof Failure) || failure.status >= 500 || !prefersHtml(request.headers.accept))
      throw failure
    return showAgain(dashboard, mounted, { request, reply, context, failure, sent: sent.query })
  }
}

const sentTexts = ({ method, query, body }: FastifyRequest) =>
  (method === 'POST' ? (body ?? {}) : withoutEmpty(query as RawQuery)) as RawQuery

/** A search form sends its empty fields, too. */
const withoutEmpty = (query: RawQuery) =>
  Object.fromEntries(Object.entries(query).filter(([, text]) => text !== ''))

/** A post is not sent again after the sign-in: the person sees its form and presses again. */
function askToSignIn(
  { mounted }: Dashboard,
  { shown }: Mounted,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { accept, 'hx-request': isPartial } = request.headers
  if (!prefersHtml(accept)) throw new Failure('signed_out')
  const form = shown?.form === undefined ? undefined : mounted.get(shown.form)
  const params = request.params as Record<string, string>
  const page = form?.operation.path.replaceAll(/\{([a-z_]+)\}/g, (_, name) => params[name] ?? '')
  const next = request.method === 'GET' ? request.url : (page ?? '/dashboard')
  const signInPath = withNext('/sign-in', next)
  // htmx follows redirects itself, and would insert the page into this one.
  return isPartial === undefined
    ? reply.redirect(signInPath, 303)
    : reply.header('hx-redirect', signInPath).code(204).send()
}

/** The same page as for one that the session may not see. */
async function answerMissing(
  dashboard: Dashboard,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const session = await currentSession(dashboard.service, request)
  if (session === null) throw new Failure('route_not_found')
  const context = contextOf(dashboard, session, request)
  return showFailure(dashboard, { request, reply, context }, new Failure('route_not_found'))
}

/** In the dashboard's frame, so that people find their way on. */
function showFailure(
  dashboard: Dashboard,
  { request, reply, context }: Refusing,
  failure: Failure,
): FastifyReply {
  if (!prefersHtml(request.headers.accept)) throw failure
  const { status, headers, body } = refusal(failure, context.baseUrl, context.now.toISOString())
  const { doc_url: docUrl } = JSON.parse(body) as { doc_url: string | null }
  const view = viewOf(dashboard, { request, context, input: {}, problem: null })
  const page = dashboardPage(view, {
    title: failure.message,
    within: '',
    body: errorAdvice({ status, code: failure.code, docUrl, requestId: request.id }),
  })
  return reply.code(status).headers(headers).type('text/html; charset=utf-8').send(page.text)
}

type Refusing = Pick<Answered, 'request' | 'reply' | 'context'>

/** A page that the session may not see does not exist. Without any account the page says so. */
function refuseAccess(dashboard: Dashboard, { request, reply, context }: Refusing): FastifyReply {
  const { account, isStaff, email } = context.session
  const missing = new Failure('route_not_found')
  if (!prefersHtml(request.headers.accept)) throw missing
  if (account === null && isStaff && request.url === '/dashboard')
    return reply.redirect('/dashboard/staff', 303)
  if (account !== null || isStaff) return showFailure(dashboard, { request, reply, context }, missing)
  const view = viewOf(dashboard, { request, context, input: {}, problem: null })
  const page = dashboardPage(view, { title: 'No account', within: '', body: noAccount(email) })
  return reply.code(404).type('text/html; charset=utf-8').send(page.text)
}

function contextOf(
  { service, send: sendAs }: Dashboard,
  session: Session,
  request: FastifyRequest,
): SessionContext<World> {
  return {
    world: service.live,
    session,
    now: service.now(),
    baseUrl: service.settings.baseUrl,
    files: service.files,
    requestId: request.id,
    send: sent => {
      if (session.account === null) throw new Failure('route_not_found')
      return sendAs(session.account, request.id, sent)
    },
  }
}

async function sendAttachment(
  request: FastifyRequest,
  reply: FastifyReply,
  { file }: Attachment,
): Promise<FastifyReply> {
  if (!('stream' in file)) {
    await sendFile(request, reply, file)
    return reply
  }
  return reply
    .header('content-type', file.contentType)
    .header('content-disposition', attachment(file.fileName))
    .send(file.stream)
}

type Answered = {
  request: FastifyRequest
  reply: FastifyReply
  context: SessionContext<World>
  input: Input
  data: unknown
}

function send(
  dashboard: Dashboard,
  { operation, shown, write }: Mounted,
  { request, reply, context, input, data }: Answered,
): FastifyReply | Promise<FastifyReply> {
  reply.header('vary', 'accept, hx-request')
  if (!prefersHtml(request.headers.accept) || shown === undefined)
    return reply
      .type('application/json; charset=utf-8')
      .send(
        `{"success":true,"message":"OK","data":${write(data)},"timestamp":"${context.now.toISOString()}"}`,
      )
  const view = viewOf(dashboard, { request, context, input, problem: null })
  if ('next' in shown) return reply.redirect(shown.next(data, view), 303)
  return sendHtml(request, reply, { operation, shown, data, view })
}

type Asked = Pick<Answered, 'request' | 'context' | 'input'> & { problem: View['problem'] }

function viewOf({ mounted }: Dashboard, { request, context, input, problem }: Asked): View {
  const { session, now, baseUrl } = context
  const may = (name: string) => {
    const operation = mounted.get(name)?.operation
    return operation !== undefined && mayAccess(operation.access, session)
  }
  return { session, now, baseUrl, url: request.url, input, may, problem }
}

type Refused = Refusing & { failure: Failure; sent: RawQuery }

/** The page that has the form, with the problem and what was typed; without such a page, the error's. */
async function showAgain(
  dashboard: Dashboard,
  { shown }: Mounted,
  { request, reply, context, failure, sent }: Refused,
): Promise<FastifyReply> {
  const source = shown?.form === undefined ? undefined : dashboard.mounted.get(shown.form)
  if (source?.shown === undefined) return showFailure(dashboard, { request, reply, context }, failure)
  const params = request.params as Record<string, string>
  const input = source.read({ query: {}, params })
  const data = await source.operation.answer(context, input)
  const view = viewOf(dashboard, { request, context, input, problem: problemOf(failure, sent) })
  const { headers } = refusal(failure, context.baseUrl, context.now.toISOString())
  reply.code(failure.status).headers(headers)
  return sendHtml(request, reply, { operation: source.operation, shown: source.shown, data, view })
}
