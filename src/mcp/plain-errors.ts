import { ProtocolErrorCode, Server } from '@modelcontextprotocol/server'

type Transport = Parameters<Server['connect']>[0]
type Sent = Parameters<Transport['send']>[0]
type RpcFailure = { code: number; message: string }

/**
 * A server whose errors are its own sentences. The SDK answers unreadable parameters with the list of its
 * validator as an internal error, and other errors with their own message.
 */
export class PlainServer extends Server {
  hasRefused = false
  /** Receives the messages of the SDK that clients must not see. */
  onInternalError: (error: Error) => void = () => {}

  override connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport)
    transport.send = (message, options) => send(this.#plain(message), options)
    return super.connect(transport)
  }

  #plain(message: Sent): Sent {
    if (!('error' in message)) return message
    this.hasRefused = true
    const { error } = message
    if (error.code !== ProtocolErrorCode.InternalError) return message
    this.onInternalError(new Error(error.message))
    return { ...message, error: plainError(error) }
  }
}

type Issue = { path: string[]; expected?: unknown }

function plainError({ code, message }: RpcFailure): RpcFailure {
  const issue = firstIssue(message)
  if (issue === undefined) return { code, message: 'The request failed.' }
  const place = issue.path.join('.')
  const kind = typeof issue.expected === 'string' ? expectedKinds[issue.expected] : undefined
  const problem = kind === undefined ? 'is not valid' : `must be ${kind}`
  return { code: ProtocolErrorCode.InvalidParams, message: `"${place}" ${problem}.` }
}

const expectedKinds: Record<string, string> = {
  string: 'a string',
  object: 'an object',
  record: 'an object',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
}

/** The validator's message is its issues as JSON. */
function firstIssue(message: string): Issue | undefined {
  try {
    const [issue] = JSON.parse(message) as Issue[]
    return Array.isArray(issue?.path) ? issue : undefined
  } catch {
    return undefined
  }
}
