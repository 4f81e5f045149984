import type { ClientFacts } from '../core/client-facts.ts'

export function sourceOf(client: ClientFacts | null): 'api' | 'mcp' {
  return (client?.mcp_tool_name ?? client?.mcp_client_name ?? client?.mcp_client_version) ? 'mcp' : 'api'
}

/** A usage record before its settlement decides status and credits. */
export type UsageFacts = {
  requestedAt: Date
  endpoint: string
  durationMs: number
  /** The JSON text from requestParams(). */
  requestParams: string
  /** `mcp` means an MCP client; `job`, a request that was made earlier and is delivered now. */
  source: 'api' | 'mcp' | 'job'
  client: ClientFacts | null
  /** The key of the request, or of the request that a job serves; null for the dashboard. */
  keyId: number | null
}

const requestParamsBytesMax = 8_192
/** Names of secrets. `author`, `authorized` and `design` are not among them. */
const secretWords =
  'key|token|secret|passw|pwd|auth(?!or)|authorization|sig(?:nature)?(?![a-z])|credential|session'
const secretNames = new RegExp(secretWords, 'i')
/** Matches API keys, bearer tokens, credentials and secret parameters in URLs, and e-mail addresses. */
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
 * Returns the parameters for a usage record, as JSON (§2.15). Secrets and e-mail addresses are replaced, by
 * name and by pattern. More than 8,192 bytes become `{"_truncated": true}`. `recorded` limits the
 * parameters.
 */
export function requestParams(input: Record<string, unknown>, recorded?: readonly string[]): string {
  const text = JSON.stringify(withoutSecrets('', recorded === undefined ? input : only(recorded, input), 0))
  if (Buffer.byteLength(text) > requestParamsBytesMax) return '{"_truncated":true}'
  // NUL stays escaped, because PostgreSQL's json cannot contain it.
  return text.replaceAll('\\u0000', '\\\\u0000')
}

const only = (names: readonly string[], input: Record<string, unknown>) =>
  Object.fromEntries(names.filter(name => Object.hasOwn(input, name)).map(name => [name, input[name]]))

/** Returns `[filtered]` if the text looks like a secret. */
export function shownText(text: string): string {
  return secretValues.test(text) ? '[filtered]' : text.toWellFormed()
}

/** Limits the depth, because a refused body may be nested deeper than the stack. */
const nestedMax = 32

function withoutSecrets(name: string, value: unknown, depth: number): unknown {
  if (typeof value === 'object' && value !== null) {
    if (depth > nestedMax) return '[nested]'
    if (Array.isArray(value)) return value.map(each => withoutSecrets(name, each, depth + 1))
    return Object.fromEntries(
      Object.entries(value).map(([inner, each]) => [
        shownText(inner),
        withoutSecrets(inner, each, depth + 1),
      ]),
    )
  }
  if (secretNames.test(name) && value !== null) return '[filtered]'
  return typeof value === 'string' ? shownText(value) : value
}
