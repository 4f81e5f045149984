import { demoKey } from '../../core/api-key.ts'
import { Failure } from '../../core/failure.ts'
import type { Caller } from '../../core/operation.ts'
import type { Received, Sent } from '../../core/session-operation.ts'
import { answerRequest } from '../answer-request.ts'
import { asFailure, refusal } from '../failures.ts'
import { recordUsage } from '../mount.ts'
import type { MountedOperation } from '../mounted-operation.ts'
import { prepareOperation } from '../mounted-operation.ts'
import type { RequestState } from '../request-state.ts'
import type { Service } from '../service.ts'

/** For an account, or as somebody with the demo key. */
type As = Caller | 'demo'
export type SendAs = (as: As, requestId: string, sent: Sent) => Promise<Received>

/** Sends requests to the API's operations for an account, with the same steps as those of a key. */
export function sender(service: Service): SendAs {
  const mounted = new Map<string, MountedOperation>()
  const find = (name: string): MountedOperation => {
    const operation = service.operations.find(each => each.name === name)
    if (operation === undefined) throw new Error(`there is no operation ${name}`)
    const prepared = mounted.get(name) ?? prepareOperation(operation)
    mounted.set(name, prepared)
    return prepared
  }
  return async (as, requestId, sent) => {
    const prepared = find(sent.operation)
    const state = stateOf(as, requestId, sent)
    const received = await answer(service, prepared, state)
    recordUsage(service, prepared.operation, state, received.status)
    return received
  }
}

async function answer(service: Service, mounted: MountedOperation, state: RequestState): Promise<Received> {
  try {
    const { status, headers, ...answered } = await answerRequest(service, mounted, state)
    if ('file' in answered) return { status, headers, body: null, file: answered.file }
    return { status, headers, body: JSON.parse(String(answered.body)) }
  } catch (thrown) {
    const error = asFailure(thrown, mounted.operation)
    if (!(error instanceof Failure)) throw error
    const { status, headers, body } = refusal(error, service.settings.baseUrl, service.now().toISOString())
    return { status, headers, body: JSON.parse(body) }
  }
}

/** The dashboard is a client like others: usage records name it. */
const client = { client_version: 'dashboard' }

function stateOf(as: As, requestId: string, sent: Sent): RequestState {
  const { query = {}, params = {}, body, idempotencyKey = null } = sent
  return {
    request: {
      id: requestId,
      apiKey: as === 'demo' ? demoKey : null,
      input: { query, params },
      body: () => body,
      idempotencyKey,
      client,
      left: () => new AbortController().signal,
    },
    startedAtMs: performance.now(),
    caller: as === 'demo' ? null : as,
    input: {},
    recorded: false,
    replayed: false,
    outcomeUnknown: false,
  }
}
