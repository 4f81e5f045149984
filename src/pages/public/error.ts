import { cardPage } from '../frame.ts'
import { type Html, html } from '../html.ts'

type Refused = {
  status: number
  message: string
  code: string | null
  docUrl: string | null
  requestId: string
}

/** What people can do about it, by status; the code's page has more. */
const advice: Record<number, string> = {
  404: 'Check the address. A page that your role may not see is shown as missing.',
  405: 'This address does not take that kind of request.',
  429: 'Wait a little, then try again.',
  500: 'Nothing was charged. Try again; if it stays, send the request id to the operator.',
  503: 'Nothing was charged. Try again in a few seconds.',
}

export function errorPage({ status, message, code, docUrl, requestId }: Refused): Html {
  return cardPage({
    title: String(status),
    body: html`<h1>${status}: ${message}</h1>
${advice[status] !== undefined && html`<p>${advice[status]}</p>`}
${code !== null && docUrl !== null && html`<p>What to do: <a href="${docUrl}"><code>${code}</code></a></p>`}
<p>Request id: <code>${requestId}</code></p>
<p><a href="/">To the first page</a></p>`,
  })
}
