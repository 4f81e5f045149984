import { Failure } from '../../core/failure.ts'
import type { ReceivedText } from '../../core/session-operation.ts'
import type { Service } from '../service.ts'
import { answerRequest } from './answer-request.ts'
import { asFailure, refusal, Unauthorized } from './failures.ts'
import { logFault, recordUsage } from './mount.ts'
import { type MountedOperation, prepareOperation } from './mounted-operation.ts'
import type { RequestState } from './request-state.ts'

/** Runs an operation within the process, and returns the response that a client would get. */
export type SendWithin = (operation: string, state: RequestState) => Promise<ReceivedText>

/** Sends requests to the API's operations inside the process, with the same steps as requests of clients. */
export function sendWithin(service: Service): SendWithin {
  const mounted = new Map<string, MountedOperation>()
  const find = (name: string): MountedOperation => {
    const operation = service.operations.find(each => each.name === name)
    if (operation === undefined) throw new Error(`there is no operation ${name}`)
    const prepared = mounted.get(name) ?? prepareOperation(operation)
    mounted.set(name, prepared)
    return prepared
  }
  return async (name, state) => {
    const prepared = find(name)
    const received = await answerAsClient(service, prepared, state)
    recordUsage(service, prepared.operation, state, received.status)
    return received
  }
}

async function answerAsClient(
  service: Service,
  mounted: MountedOperation,
  state: RequestState,
): Promise<ReceivedText> {
  try {
    const { status, headers, ...answered } = await answerRequest(service, mounted, state)
    if ('file' in answered) return { status, headers, text: 'null', file: answered.file }
    return { status, headers, text: answered.body }
  } catch (thrown) {
    const error = asFailure(thrown, mounted.operation)
    if (error instanceof Unauthorized) throw error
    if (!(error instanceof Failure) || error.status >= 500) logFault(service, mounted.operation, state, error)
    const { status, headers, body } = refusal(error, service.settings.baseUrl, service.now().toISOString())
    return { status, headers, text: body }
  }
}
