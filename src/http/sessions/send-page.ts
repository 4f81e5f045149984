import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Failure } from '../../core/failure.ts'
import type { AnySessionOperation } from '../../core/session-operation.ts'
import type { World } from '../../database/open.ts'
import { dashboardPage, type Html, type Shown, type View } from '../../pages/index.ts'
import { encodeBody, mayEncode } from '../content-encoding.ts'
import type { RawQuery } from '../read-parameters.ts'

type Drawn = { operation: AnySessionOperation<World>; shown: Shown; data: unknown; view: View }

export async function sendHtml(
  request: FastifyRequest,
  reply: FastifyReply,
  drawn: Drawn,
): Promise<FastifyReply> {
  const { text } = draw(request, drawn)
  const body =
    mayCompress(request) && mayEncode(reply, text.length) ? await encodeBody(request, reply, text) : text
  return reply.type('text/html; charset=utf-8').send(body)
}

/** Not for pages that another site opens: it could measure what its guesses add (BREACH). */
const mayCompress = ({ method, headers }: FastifyRequest) =>
  method === 'GET' && ['same-origin', 'none'].includes(String(headers['sec-fetch-site']))

function draw(request: FastifyRequest, { operation, shown, data, view }: Drawn): Html {
  if ('next' in shown) throw new Error(`${operation.name} has no page`)
  const target = request.headers['hx-target']
  const fragment = typeof target === 'string' ? shown.fragments?.[target.replace(/^.*#/, '')] : undefined
  if (fragment !== undefined) return fragment(data, view)
  const { title, lead = null, within = operation.path, body } = shown
  return dashboardPage(view, {
    title: typeof title === 'function' ? title(data, view) : title,
    lead: typeof lead === 'function' ? lead(data, view) : lead,
    within,
    body: body(data, view),
  })
}

/** What the page of a refused form says, with what was typed. */
export function problemOf({ code, message, details }: Failure, sent: RawQuery): View['problem'] {
  const texts = Object.entries(sent).filter((each): each is [string, string] => typeof each[1] === 'string')
  const field = code === 'max_credits_exceeded' ? 'max_credits' : details.parameter
  return {
    message,
    field: typeof field === 'string' ? field : null,
    sent: Object.fromEntries(texts),
    labels: new Map(),
  }
}
