/** What a request says of the software that sent it (§2.15); null where nothing was said. */
export type ClientFacts = {
  client_version?: string
  mcp_tool_name?: string
  connector_session_id?: string
  mcp_client_name?: string
  mcp_client_version?: string
}

/** Who names a tool or a client of MCP speaks through it. */
export function sourceOf(client: ClientFacts | null): 'api' | 'mcp' {
  return (client?.mcp_tool_name ?? client?.mcp_client_name ?? client?.mcp_client_version) ? 'mcp' : 'api'
}

/** A usage record before its settlement decides status and credits. */
export type UsageFacts = {
  requestedAt: Date
  endpoint: string
  durationMs: number
  /** JSON text, filtered and bounded by requestParams(). */
  requestParams: string
  /** `mcp`: asked through a tool of an MCP client; `job`: asked for earlier, and delivered now. */
  source: 'api' | 'mcp' | 'job'
  client: ClientFacts | null
}

const requestParamsBytesMax = 8_192
/** How secrets are called: `author` and `authorized` are none, nor is `design`. */
const secretWords =
  'key|token|secret|passw|pwd|auth(?!or)|authorization|sig(?:nature)?(?![a-z])|credential|session'
const secretNames = new RegExp(secretWords, 'i')
/**
 * Keys of ours, bearer tokens, the user's part of a URL, which an address of a mailbox begins with too, and what URLs carry
 * under a name of secrets, behind `?` or `#`.
 */
const secretValues = new RegExp(
  [
    /client_[0-9A-Za-z]{8,}/,
    /bearer\s+\S+/,
    /(?:^|\/\/)[^/?#\s:]*:[^/?#\s@]*@/,
    /(?:^|[\s/])[^/?#\s@]+@[^/?#\s@]+\.[^/?#\s@]/,
    new RegExp(`[?&#][^?=&#\\s]*(?:${secretWords})[^?=&#\\s]{0,32}=`),
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
)

/**
 * The parameters of a request as its usage record keeps them (§2.15): secrets, and addresses of mailboxes, are blotted out by
 * name and by look, and what would be larger than 8,192 bytes of JSON becomes `{"_truncated": true}`.
 */
export function requestParams(input: Record<string, unknown>): string {
  const filtered: Record<string, unknown> = {}
  for (const name of Object.keys(input)) filtered[shownText(name)] = withoutSecrets(name, input[name])
  const text = JSON.stringify(filtered)
  if (Buffer.byteLength(text) > requestParamsBytesMax) return '{"_truncated":true}'
  // PostgreSQL's json takes no NUL; a request that carries one is kept as the escape it was sent with.
  return text.replaceAll('\\u0000', '\\\\u0000')
}

/** A name or a text, unless it looks like a secret. */
export function shownText(text: string): string {
  return secretValues.test(text) ? '[filtered]' : text
}

function withoutSecrets(name: string, value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    if (Array.isArray(value)) return value.map(each => withoutSecrets(name, each))
    return Object.fromEntries(
      Object.entries(value).map(([inner, each]) => [shownText(inner), withoutSecrets(inner, each)]),
    )
  }
  if (secretNames.test(name) && value !== null) return '[filtered]'
  return typeof value === 'string' ? shownText(value) : value
}
