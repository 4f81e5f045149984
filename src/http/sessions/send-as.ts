import { demoKey } from '../../core/api-key.ts'
import type { Caller } from '../../core/operation.ts'
import type { Received, Sent } from '../../core/session-operation.ts'
import { newRequestState, type RequestState } from '../answer/request-state.ts'
import { sendWithin } from '../answer/send-within.ts'
import type { Service } from '../service.ts'

/** The caller is an account, or the demo key. */
type As = Caller | 'demo'
export type SendAs = (as: As, requestId: string, sent: Sent) => Promise<Received>

/** Sends requests of the dashboard to the API's operations, for an account. */
export function sender(service: Service): SendAs {
  const send = sendWithin(service)
  return async (as, requestId, sent) => {
    const { text, ...received } = await send(sent.operation, sentState(as, requestId, sent))
    return { ...received, body: JSON.parse(String(text)) }
  }
}

/** Usage records name the dashboard as the client. */
const client = { client_version: 'dashboard' }

function sentState(as: As, requestId: string, sent: Sent): RequestState {
  const { query = {}, params = {}, body, idempotencyKey = null, isView = false, subject } = sent
  const request = {
    id: requestId,
    apiKey: as === 'demo' ? demoKey : null,
    input: { query, params },
    body: () => body,
    idempotencyKey,
    subject,
    client,
    left: () => new AbortController().signal,
  }
  // Viewing a page does not count as a use of the API.
  return { ...newRequestState(request, as === 'demo' ? null : as), recorded: isView }
}
