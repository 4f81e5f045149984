import { openCursor, sealCursor } from '../core/cursor.ts'
import { randomBase62 } from '../core/ref.ts'

/** The client of an MCP session, as its `initialize` named it. Later requests do not repeat it. */
export type McpClient = { name: string | null; version: string | null; canBeAsked: boolean }

export type McpSession = {
  id: string
  client: McpClient
  /** That `initialize` was sent with; null: none. */
  budget: number | null
}

/** Of `initialize`, or of the envelope of a stateless request; a stranger's. */
export function clientOf({
  clientInfo,
  capabilities,
}: {
  clientInfo?: unknown
  capabilities?: unknown
}): McpClient {
  const { name, version } = (clientInfo ?? {}) as { name?: unknown; version?: unknown }
  const { elicitation } = (capabilities ?? {}) as { elicitation?: unknown }
  return { name: textOf(name), version: textOf(version), canBeAsked: hasForms(elicitation) }
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)

/** `{}` meant forms before there were other kinds. */
function hasForms(elicitation: unknown): boolean {
  if (typeof elicitation !== 'object' || elicitation === null) return false
  return 'form' in elicitation || Object.keys(elicitation).length === 0
}

const idCharacters = 20
const nameCharactersMax = 100
const dayMs = 86_400_000

/** Signed with a secret of its own: a cursor of a list is no session. */
const scopeOf = (accountId: number) => ({ feed: 'mcp1', filters: { accountId }, hasOwnKey: true })

/**
 * The text of a new session's `Mcp-Session-Id`. It has all that is known of the session, so that any process
 * serves it; what it has spent is stored by settling.
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

/** null: it was not issued by this service, or for another account, or it has ended. */
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
