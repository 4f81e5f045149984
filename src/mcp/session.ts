import { openCursor, sealCursor } from '../core/cursor.ts'
import { randomBase62 } from '../core/ref.ts'
import { dayMs } from '../core/time.ts'

/** The client of an MCP session, as its `initialize` named it. Later requests do not repeat it. */
export type McpClient = { name: string | null; version: string | null; canBeAsked: boolean }

export type McpSession = {
  id: string
  client: McpClient
  /** The budget that `initialize` was sent with; null if it had no budget. */
  budget: number | null
}

/** Reads `initialize`, or the envelope of a stateless request. The text is untrusted. */
export function clientOf({
  clientInfo,
  capabilities,
}: {
  clientInfo?: unknown
  capabilities?: unknown
}): McpClient {
  const { name, version } = (clientInfo ?? {}) as { name?: unknown; version?: unknown }
  const { elicitation } = (capabilities ?? {}) as { elicitation?: unknown }
  return { name: textOrNull(name), version: textOrNull(version), canBeAsked: hasForms(elicitation) }
}

const textOrNull = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)

/** Returns whether the client shows forms. `{}` meant forms in older protocols. */
function hasForms(elicitation: unknown): boolean {
  if (typeof elicitation !== 'object' || elicitation === null) return false
  return 'form' in elicitation || Object.keys(elicitation).length === 0
}

const idCharacters = 20
const nameCharactersMax = 100

/** Signs sessions with a separate secret, so that a cursor of a list is not a session. */
const scopeOf = (accountId: number) => ({ feed: 'mcp1', filters: { accountId }, hasOwnKey: true })

/**
 * Returns the `Mcp-Session-Id` of a new session. It contains the session's facts, so that any process can
 * serve it. Settling stores what the session has spent.
 */
export function issueSession(
  accountId: number,
  { client, budget }: Omit<McpSession, 'id'>,
  now: Date,
  secret: Buffer,
): string {
  const { name, version, canBeAsked } = client
  const texts = [name, version].map(text => text?.slice(0, nameCharactersMax) ?? '')
  const facts = [...texts, canBeAsked ? '1' : '0', budget === null ? '' : String(budget)]
  const position = [randomBase62(idCharacters), String(now.getTime()), ...facts]
  return sealCursor(scopeOf(accountId), position, secret)
}

/** Returns null if the session has ended, was not issued by this service, or belongs to another account. */
export function openSession(
  accountId: number,
  text: string,
  { now, days, secret }: { now: Date; days: number; secret: Buffer },
): McpSession | null {
  const position = readPosition(accountId, text, secret)
  if (position === null) return null
  const [id = '', issuedAtMs, name, version, canBeAsked, budget = ''] = position
  if (now.getTime() - Number(issuedAtMs) > days * dayMs) return null
  return {
    id,
    client: { name: name || null, version: version || null, canBeAsked: canBeAsked === '1' },
    budget: budget === '' ? null : Number(budget),
  }
}

function readPosition(accountId: number, text: string, secret: Buffer): string[] | null {
  try {
    return openCursor(scopeOf(accountId), text, secret)
  } catch {
    return null
  }
}
