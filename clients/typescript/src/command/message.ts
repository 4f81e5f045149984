/** The members of a JSON-RPC 2.0 message that the relay reads. */
export type Message = {
  id?: unknown
  method?: unknown
  params?: {
    name?: unknown
    arguments?: Record<string, unknown>
    requestId?: unknown
    requestState?: unknown
    _meta?: Record<string, unknown>
  }
  result?: { protocolVersion?: unknown; structuredContent?: { credits_charged?: unknown } }
  error?: { code?: unknown }
}

/** Returns null if the text is not a message. */
export function parseMessage(text: string | null): Message | null {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

const versionKey = 'io.modelcontextprotocol/protocolVersion'

/**
 * Returns the members that messages since 2026-07-28 repeat in headers; null for a message of an older
 * protocol.
 */
export function headersOf({ method, params }: Message): Record<string, string> | null {
  const version = params?._meta?.[versionKey]
  if (typeof version !== 'string') return null
  return {
    'mcp-protocol-version': version,
    'mcp-method': encode(method),
    ...(params?.name !== undefined && { 'mcp-name': encode(params.name) }),
  }
}

/** Encodes a value for a header, which can have only ASCII. */
function encode(value: unknown): string {
  const text = String(value)
  return /^[\w./-]*$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}
