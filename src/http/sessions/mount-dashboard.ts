import { attachment, htmlType, jsonType, prefersHtml, sendFile } from '@baize/http-content'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../core/failure.ts'
import { closedObject } from '../../core/schema.ts'
import {
  type AnySessionOperation,
  Attachment,
  Moved,
  mayAccess,
  type Session,
  type SessionContext,
} from '../../core/session-operation.ts'
import type { World } from '../../database/open.ts'
import { shownPages } from '../../pages/dashboard/index.ts'
import { dashboardPage, errorAdvice, noAccount, tableAddress, type View } from '../../pages/index.ts'
import { sessionOperations } from '../../session-catalogue.ts'
import { okEnvelope } from '../answer/envelope.ts'
import { asFailure, refusal } from '../answer/failures.ts'
import { inputReader } from '../read/read-input.ts'
import type { Input, RawQuery } from '../read/read-parameters.ts'
import { requireTable, sendTable, splitFormat } from '../send/send-table.ts'
import type { Service } from '../service.ts'
import { type Mounted, routesOf, type SentRequest, sentTo, tablesOf } from './page-requests.ts'
import { parseUploads, preparePages, requireOwnPage } from './prepare-pages.ts'
import { type SendAs, sender } from './send-as.ts'
import { problemOf, sendHtml } from './send-page.ts'
import { currentSession } from './session-cookie.ts'
import { askToConfirm, draftProblem, endDraft, isProved, redirectToSignIn } from './step-up.ts'

type Dashboard = { service: Service; send: SendAs; mounted: ReadonlyMap<string, Mounted> }

/** Serves session operations below `/dashboard`: HTML for browsers, the envelope for others. */
export async function mountDashboard(app: FastifyInstance, service: Service): Promise<void> {
  const mounted = new Map(sessionOperations.map(each => [each.name, prepare(each)]))
  const dashboard: Dashboard = { service, send: sender(service), mounted }
  await app.register(async scope => {
    await preparePages(scope)
    parseUploads(scope)
    for (const each of mounted.values())
      for (const url of routesOf(each, mounted))
        scope.route({
          method: each.operation.method,
          url,
          exposeHeadRoute: false,
          handler: (request, reply) => answerOperation(each, { dashboard, request, reply }),
        })
    scope.get('/dashboard/*', { exposeHeadRoute: false }, (request, reply) =>
      answerMissing({ dashboard, request, reply }),
    )
  })
}

function prepare(operation: AnySessionOperation<World>): Mounted {
  const { query, form, params, method } = operation
  const fields = method === 'POST' ? form : query
  return {
    operation,
    read: inputReader({ query: fields ?? closedObject({}), params }),
    shown: shownPages[operation.name],
  }
}

type Visit = { dashboard: Dashboard; request: FastifyRequest; reply: FastifyReply }
/** A visit of a signed-in user. */
type SessionVisit = Visit & { context: SessionContext<World> }

/** Answers a page. One of another account, or one that the role may not see, does not exist. */
async function answerOperation(mounted: Mounted, visit: Visit): Promise<FastifyReply> {
  const { dashboard, request, reply } = visit
  const { service } = dashboard
  const { operation } = mounted
  const { baseUrl } = service.settings
  requireOwnPage(request, baseUrl)
  const session = await currentSession(service, request)
  if (session === null) return redirectToSignIn(request, reply, pageOf(mounted, visit))
  const context = contextOf(dashboard, session, request)
  const signedIn = { ...visit, context }
  if (!mayAccess(operation.access, session)) return refuseAccess(signedIn)
  if (operation.stepUp && !isProved(session, service.now()))
    return askToConfirm(service, { request, reply, operation, page: pageOf(mounted, visit) })
  const sent = sentTo(mounted, request)
  try {
    const input = mounted.read(sent)
    const data = await operation.answer(context, input)
    if (operation.stepUp && session.hasDraft) await endDraft(service, request)
    if (data instanceof Moved) return reply.redirect(data.path, 302)
    if (data instanceof Attachment) return sendAttachment(request, reply, data)
    return await sendAnswer(mounted, signedIn, { sent, input, data })
  } catch (thrown) {
    const failure = asFailure(thrown, operation)
    if (!(failure instanceof Failure) || failure.status >= 500 || !prefersHtml(request.headers.accept))
      throw failure
    return showAgain(mounted, signedIn, failure, sent.query)
  }
}

/** Returns the page of a request: its own of a GET, and that of the form of a POST. */
function pageOf({ shown }: Pick<Mounted, 'shown'>, { dashboard: { mounted }, request }: Visit): string {
  if (request.method === 'GET') return request.url
  const form = shown?.form === undefined ? undefined : mounted.get(shown.form)
  const params = request.params as Record<string, string>
  return form?.operation.path.replaceAll(/\{([a-z_]+)\}/g, (_, name) => params[name] ?? '') ?? '/dashboard'
}

/** Answers a missing page like one that the session may not see. */
async function answerMissing(visit: Visit): Promise<FastifyReply> {
  const { dashboard, request } = visit
  const session = await currentSession(dashboard.service, request)
  if (session === null) throw new Failure('route_not_found')
  const context = contextOf(dashboard, session, request)
  return showFailure({ ...visit, context }, new Failure('route_not_found'))
}

/** Shows a failure in the dashboard's frame, so that people find a way back. */
function showFailure(visit: SessionVisit, failure: Failure): FastifyReply {
  const { request, reply, context } = visit
  if (!prefersHtml(request.headers.accept)) throw failure
  const { status, headers, body } = refusal(failure, context.baseUrl, context.now.toISOString())
  const { doc_url: docUrl } = JSON.parse(body) as { doc_url: string | null }
  const page = dashboardPage(viewOf(visit, {}), {
    title: failure.message,
    within: '',
    body: errorAdvice({ status, code: failure.code, docUrl, requestId: request.id }),
  })
  return reply.code(status).headers(headers).type(htmlType).send(page.text)
}

/** Answers that the page does not exist. A user without any account is informed of that. */
function refuseAccess(visit: SessionVisit): FastifyReply {
  const { request, reply, context } = visit
  const { account, isStaff, email } = context.session
  const missing = new Failure('route_not_found')
  if (!prefersHtml(request.headers.accept)) throw missing
  if (account === null && isStaff && request.url === '/dashboard')
    return reply.redirect('/dashboard/staff', 303)
  if (account !== null || isStaff) return showFailure(visit, missing)
  const page = dashboardPage(viewOf(visit, {}), { title: 'No account', within: '', body: noAccount(email) })
  return reply.code(404).type(htmlType).send(page.text)
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

async function sendAnswer(
  { operation, shown }: Mounted,
  visit: SessionVisit,
  { sent, input, data }: { sent: SentRequest; input: Input; data: unknown },
): Promise<FastifyReply> {
  const { request, reply, context, dashboard } = visit
  const tables = tablesOf(shown)
  const { address, format } = sent
  reply.header('vary', 'accept, hx-request')
  if (format === null && (!prefersHtml(request.headers.accept) || shown === undefined))
    return reply.type(jsonType).send(okEnvelope(data as object, context.now))
  const problem = await draftProblem(dashboard.service, request, context.session)
  const view = viewOf(visit, { input, address, problem })
  const table =
    tables.length > 0
      ? requireTable(
          tables.map(each => each.of(data, view)),
          address,
        )
      : null
  if (format !== null && table !== null) return sendTable(reply, table, { address, format, now: context.now })
  if (shown === undefined) throw new Error(`${operation.name} has no page`)
  if ('next' in shown) return reply.redirect(shown.next(data, view), 303)
  return sendHtml(request, reply, { operation, shown, data, view })
}

function viewOf(
  { dashboard, request, context }: SessionVisit,
  {
    input = {},
    address = tableAddress(request.url, new URLSearchParams(), null),
    problem = null,
  }: Partial<Pick<View, 'input' | 'address' | 'problem'>>,
): View {
  const { session, now, baseUrl } = context
  const may = (name: string) => {
    const operation = dashboard.mounted.get(name)?.operation
    return operation !== undefined && mayAccess(operation.access, session)
  }
  const { mail, commandVariables = [] } = dashboard.service.settings
  const mailFrom = mail?.from ?? null
  return { session, now, baseUrl, address, input, may, problem, mailFrom, commandVariables }
}

/** Returns the sent fields that the page of the form reads, too, such as the filters of a search. */
function shownAgain({ operation: { query } }: Mounted, sent: RawQuery): RawQuery {
  const read = Object.entries(sent).filter(([name]) => name in (query?.properties ?? {}))
  return Object.fromEntries(read)
}

/**
 * Shows the page of the form with the problem and the typed text. Without such a page, it shows the
 * error's.
 */
async function showAgain(
  { shown }: Mounted,
  visit: SessionVisit,
  failure: Failure,
  sent: RawQuery,
): Promise<FastifyReply> {
  const { dashboard, request, reply, context } = visit
  const source = shown?.form === undefined ? undefined : dashboard.mounted.get(shown.form)
  if (source?.shown === undefined) return showFailure(visit, failure)
  const params = request.params as Record<string, string>
  const answered = async (query: RawQuery) => {
    try {
      const input = source.read({ query, params })
      return { input, data: await source.operation.answer(context, input) }
    } catch (thrown) {
      return { input: {}, data: asFailure(thrown, source.operation) }
    }
  }
  const first = await answered(shownAgain(source, sent))
  // The page may refuse the same fields that its form did.
  const { input, data } = first.data instanceof Failure ? await answered({}) : first
  if (data instanceof Moved) return reply.redirect(data.path, 303)
  if (data instanceof Failure) return showFailure(visit, failure)
  if (data instanceof Error) throw data
  const table = tablesOf(source.shown)[0]?.id ?? null
  const { path } = splitFormat(pageOf({ shown }, visit).replace(/\?.*$/s, ''))
  const address = tableAddress(path, new URLSearchParams(), table)
  const view = viewOf(visit, { input, address, problem: problemOf(failure, request.url, sent) })
  const { headers } = refusal(failure, context.baseUrl, context.now.toISOString())
  reply.code(failure.status).headers(headers)
  return sendHtml(request, reply, { operation: source.operation, shown: source.shown, data, view })
}
