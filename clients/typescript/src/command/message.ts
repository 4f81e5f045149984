/** A message of JSON-RPC 2.0, as far as it is read here. */
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

/** null: it is no message. */
export function parseMessage(text: string | null): Message | null {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

const versionKey = 'io.modelcontextprotocol/protocolVersion'

/** What messages since 2026-07-28 repeat in headers; null: it is of an older protocol. */
export function headersOf({ method, params }: Message): Record<string, string> | null {
  const version = params?._meta?.[versionKey]
  if (typeof version !== 'string') return null
  return {
    'mcp-protocol-version': version,
    'mcp-method': encode(method),
    ...(params?.name !== undefined && { 'mcp-name': encode(params.name) }),
  }
}

/** Headers have ASCII alone. */
function encode(value: unknown): string {
  const text = String(value)
  return /^[\w./-]*$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}
