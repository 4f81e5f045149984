import { isIP } from 'node:net'

export const passkeysWork = (baseUrl: string): boolean => relyingPartyOf(baseUrl) !== null

/** Browsers bind passkeys to a host name, and to https except on localhost. null: this address has none. */
export function relyingPartyOf(baseUrl: string): { id: string; origin: string; name: string } | null {
  const { hostname, origin, protocol } = new URL(baseUrl)
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0
  const isSecure = protocol === 'https:' || hostname === 'localhost'
  return isName && isSecure ? { id: hostname, origin, name: 'Baize' } : null
}
