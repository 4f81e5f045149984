import { htmlType, pageHeaders, prefersHtml } from '@baize/http-content'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorPage } from '../../pages/index.ts'
import { type Refused, sendRefusal } from '../answer/failures.ts'

/**
 * Sends a page to a browser outside `/v1`, otherwise the envelope. It never redirects, because that could
 * repeat a paid request.
 */
export async function sendRefused(
  request: FastifyRequest,
  reply: FastifyReply,
  refused: Refused,
): Promise<FastifyReply> {
  if (isApiPath(request.url) || !prefersHtml(request.headers.accept)) return sendRefusal(reply, refused)
  return reply
    .code(refused.status)
    .headers(await pageHeaders())
    .headers(refused.headers)
    .header('vary', 'accept')
    .type(htmlType)
    .send(refusalPage(refused, request.id))
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
