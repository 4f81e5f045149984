import { cardPage } from '../frame.ts'
import { type Html, html } from '../html.ts'

type Refused = {
  status: number
  message: string
  code: string | null
  docUrl: string | null
  requestId: string
}

/** Advice for people by status. The page of the error code has more. */
const advice: Record<number, string> = {
  404: 'Check the address. A page that your role may not see is shown as missing.',
  405: 'This address does not take that kind of request.',
  429: 'Wait a little, then try again.',
  500: 'Try again. If it fails again, send the request id to the operator.',
  503: 'Try again in a few seconds. A form that is sent again is charged at most once.',
}

export function errorPage(refused: Refused): Html {
  const { status, message } = refused
  return cardPage({
    title: String(status),
    body: html`<h1>${message}</h1>
${errorAdvice(refused)}
<p><a href="/">To the first page</a></p>`,
  })
}

/** Describes what to do, and what to mention in a question to support. */
export function errorAdvice({ status, code, docUrl, requestId }: Omit<Refused, 'message'>): Html {
  const page = code !== null && docUrl !== null && html`, <a href="${docUrl}">${code}</a>`
  return html`${advice[status] !== undefined && html`<p>${advice[status]}</p>`}
<p class="hint">Status ${status}${page}. Request id <code>${requestId}</code></p>`
}
