import { encodeBody, htmlType, mayEncode } from '@baize/http-content'
import { counted } from '@baize/names'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Failure } from '../../core/failure.ts'
import type { AnySessionOperation } from '../../core/session-operation.ts'
import type { World } from '../../database/open.ts'
import { dashboardPage, type Html, type Problem, type Shown, type View } from '../../pages/index.ts'
import type { RawQuery } from '../read/read-parameters.ts'

type Drawn = { operation: AnySessionOperation<World>; shown: Shown; data: unknown; view: View }

export async function sendHtml(
  request: FastifyRequest,
  reply: FastifyReply,
  drawn: Drawn,
): Promise<FastifyReply> {
  const { text } = draw(request, drawn)
  const body =
    mayCompress(request) && mayEncode(reply, text.length) ? await encodeBody(request, reply, text) : text
  return reply.type(htmlType).send(body)
}

/** Does not compress a page that another site opens, because that site could measure its guesses (BREACH). */
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

const offerText = (credits: number) =>
  `This could cost ${counted(credits, 'credit')}, more than the price that you saw. Nothing was charged yet.`

/** Describes the problem of a refused form, with the typed text. */
export function problemOf(
  { code, message, details }: Failure,
  action: string,
  sent: RawQuery,
): View['problem'] {
  const field = details.parameter
  const offered = code === 'max_credits_exceeded' ? Number(details.quoted_credits) : null
  return {
    message: offered === null ? message : offerText(offered),
    ...(offered === null ? {} : { offeredCredits: offered }),
    ...(typeof details.value === 'string' ? { value: details.value } : {}),
    field: typeof field === 'string' ? field : null,
    action,
    ...fieldsOf(sent),
  }
}

/** Returns sent fields as forms show them again. */
export function fieldsOf(sent: RawQuery): Pick<Problem, 'sent' | 'sentLists' | 'labels'> {
  const texts = Object.entries(sent).filter((each): each is [string, string] => typeof each[1] === 'string')
  const lists = Object.entries(sent).filter((each): each is [string, string[]] => Array.isArray(each[1]))
  return { sent: Object.fromEntries(texts), sentLists: Object.fromEntries(lists), labels: new Map() }
}
