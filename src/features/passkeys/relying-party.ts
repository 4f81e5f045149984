import { isIP } from 'node:net'

export const passkeysWork = (baseUrl: string): boolean => relyingPartyOf(baseUrl) !== null

/**
 * Returns the relying party of an address; null if passkeys do not work there. Browsers bind them to a host
 * name, and require https except on localhost.
 */
export function relyingPartyOf(baseUrl: string): { id: string; origin: string; name: string } | null {
  const { hostname, origin, protocol } = new URL(baseUrl)
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0
  const isSecure = protocol === 'https:' || hostname === 'localhost'
  return isName && isSecure ? { id: hostname, origin, name: 'Baize' } : null
}

const answerCharactersMax = 20_000

/** Reads a passkey's answer from a browser as JSON, or returns null. The library verifies it. */
export function readAnswer<Answer extends { id: string }>(text: string): Answer | null {
  if (text.length > answerCharactersMax) return null
  try {
    const answer: unknown = JSON.parse(text)
    const isAnswer = typeof answer === 'object' && answer !== null && 'id' in answer
    return isAnswer && typeof answer.id === 'string' ? (answer as unknown as Answer) : null
  } catch {
    return null
  }
}
