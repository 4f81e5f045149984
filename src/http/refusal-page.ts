import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorPage } from '../pages/index.ts'
import { type Refused, sendRefusal } from './failures.ts'
import { pageHeaders } from './page-headers.ts'

export type SendRefused = (
  request: FastifyRequest,
  reply: FastifyReply,
  refused: Refused,
) => FastifyReply | Promise<FastifyReply>

/**
 * Outside `/v1` a browser gets a page, every other client the envelope. Neither is ever a redirect, which
 * could carry a paid request out twice.
 */
export function refusalSender(): SendRefused {
  return async (request, reply, refused) => {
    if (isApiPath(request.url) || !prefersHtml(request.headers.accept)) return sendRefusal(reply, refused)
    return reply
      .code(refused.status)
      .headers(await pageHeaders())
      .headers(refused.headers)
      .header('vary', 'accept')
      .type('text/html; charset=utf-8')
      .send(refusalPage(refused, request.id))
  }
}

const isApiPath = (url: string) => /^\/v1(?![^/?])/.test(url)

function refusalPage({ status, body }: Refused, requestId: string): string {
  const {
    message,
    errors,
    doc_url: docUrl,
  } = JSON.parse(body) as { message: string; errors: { code?: string }; doc_url: string | null }
  return errorPage({ status, message, code: errors.code ?? null, docUrl, requestId }).text
}

/** Whether `Accept` ranks HTML above JSON (RFC 9110, section 12.5.1), as that of every browser does. */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined || !accept.includes('text/html')) return false
  const ranges = accept.split(',').map(readRange)
  return weightOf('text/html', ranges) > weightOf('application/json', ranges)
}

type Range = { type: string; weight: number }

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map(part => part.trim().toLowerCase())
  const weight = Number(parameters.find(parameter => parameter.startsWith('q='))?.slice(2) ?? 1)
  return { type, weight: weight >= 0 && weight <= 1 ? weight : 0 }
}

/** The most specific range counts. */
function weightOf(type: string, ranges: readonly Range[]): number {
  for (const wanted of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const found = ranges.find(range => range.type === wanted)
    if (found !== undefined) return found.weight
  }
  return 0
}
