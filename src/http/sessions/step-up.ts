import { prefersHtml } from '@baize/http-content'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../core/failure.ts'
import type { AnySessionOperation, Session } from '../../core/session-operation.ts'
import type { World } from '../../database/open.ts'
import { deleteDraft, nextPath, readDraft, storeDraft, withNext } from '../../features/sessions/index.ts'
import type { View } from '../../pages/index.ts'
import type { RawQuery } from '../read/read-parameters.ts'
import type { Service } from '../service.ts'
import { fieldsOf } from './send-page.ts'
import { sessionIdOf } from './session-cookie.ts'

const stepUpMs = 15 * 60_000

/** Returns whether the user has proved by a sign-in of the last 15 minutes who it is. */
export const isProved = ({ provedAt }: Session, now: Date): boolean =>
  now.getTime() - provedAt.getTime() <= stepUpMs

/** Redirects to the sign-in, which leads back to the page. */
export function redirectToSignIn(request: FastifyRequest, reply: FastifyReply, page: string): FastifyReply {
  const { accept, 'hx-request': isPartial } = request.headers
  if (!prefersHtml(accept)) throw new Failure('signed_out')
  const signInPath = withNext('/sign-in', page)
  // htmx would follow a redirect and insert the sign-in into this page.
  return isPartial === undefined
    ? reply.redirect(signInPath, 303)
    : reply.header('hx-redirect', signInPath).code(204).send()
}

type Refused = {
  request: FastifyRequest
  reply: FastifyReply
  operation: AnySessionOperation<World>
  /** The path of the page that has the form. */
  page: string
}

/** These fields are made by the page or the browser for one request. */
const notKept = ['nonce', 'response']

/**
 * Asks who it is. The form is not sent by itself afterwards: the session keeps its fields, the page shows
 * them again, and the user presses the button once more.
 */
export async function askToConfirm(
  service: Service,
  { request, reply, operation, page }: Refused,
): Promise<FastifyReply> {
  const id = sessionIdOf(request, service.settings.baseUrl)
  const shown = shownPage(request, page)
  if (id !== null && prefersHtml(request.headers.accept)) {
    const fields = keptFields(operation, (request.body ?? {}) as RawQuery)
    const draft = { page: shown, action: pathOf(request.url), fields }
    await storeDraft(service.live.database, id, draft, service.now())
  }
  return redirectToSignIn(request, reply, shown)
}

/** Leaves out what the operation does not declare, because nothing has validated the fields yet. */
function keptFields({ form }: AnySessionOperation<World>, sent: RawQuery): Record<string, string | string[]> {
  const names = Object.keys(form?.properties ?? {}).filter(name => !notKept.includes(name))
  return Object.fromEntries(
    names.flatMap(name => (sent[name] === undefined ? [] : [[name, sent[name]] as const])),
  )
}

const pathOf = (url: string) => url.replace(/[?#].*$/s, '')

/** Adds the query of the page on which the browser sent the form, such as the chosen tab. */
function shownPage({ headers: { referer } }: FastifyRequest, page: string): string {
  if (referer === undefined || !URL.canParse(referer)) return page
  const { pathname, search } = new URL(referer)
  return pathname === page ? (nextPath(pathname + search) ?? page) : page
}

/** Returns what a page shows of its form that waited for the confirmation; null before it, or without one. */
export async function draftProblem(
  { settings, live, now }: Service,
  request: FastifyRequest,
  session: Session,
): Promise<View['problem']> {
  const id = sessionIdOf(request, settings.baseUrl)
  if (request.method !== 'GET' || !session.hasDraft || id === null) return null
  if (!isProved(session, now())) return null
  const draft = await readDraft(live.database, id, now())
  if (draft === null || pathOf(draft.page) !== pathOf(request.url)) return null
  const message =
    'Thank you, it is you. Nothing was changed yet: check the form, and press its button once more.'
  return { message, isDraft: true, field: null, action: draft.action, ...fieldsOf(draft.fields) }
}

/** Deletes the stored form once a form has been sent. */
export async function endDraft({ settings, live }: Service, request: FastifyRequest): Promise<void> {
  const id = sessionIdOf(request, settings.baseUrl)
  if (id !== null) await deleteDraft(live.database, id)
}
