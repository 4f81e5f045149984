import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorPage } from '../pages/index.ts'
import { prefersHtml } from './accept.ts'
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
