import { BaizeError } from './api-error.ts'

/** The key set of `/.well-known/jwks.json`. */
export type KeySet = { keys: readonly Record<string, unknown>[] }
export type Receipt = { answer_sha256: string; items?: string[] } & Record<string, unknown>

/**
 * Verifies a receipt without a network. Returns what it says; throws a BaizeError if it does not verify, or
 * does not belong to `answer`: a response, its `data`, or one verdict of a batch.
 */
export async function verifyReceipt(receipt: string, keys: KeySet, answer?: unknown): Promise<Receipt> {
  const [head = '', body = '', signature = '', ...more] = receipt.trim().split('.')
  const header = parsed(head) as { alg?: unknown; typ?: unknown; kid?: unknown }
  if (more.length > 0 || header.alg !== 'EdDSA' || header.typ !== 'baize-receipt+jwt')
    throw new BaizeError('This is not a receipt of Baize.')
  const key = keys.keys.find(each => each.kid === header.kid)
  if (key === undefined) throw new BaizeError(`The key set has no key ${header.kid}.`)
  if (key.revoked !== undefined) throw new BaizeError(`The key ${header.kid} is revoked; it proves nothing.`)
  const { subtle } = globalThis.crypto
  const { kty, crv, x } = key as { kty: string; crv: string; x: string }
  const imported = await subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify'])
  const signed = new TextEncoder().encode(`${head}.${body}`)
  if (!(await subtle.verify('Ed25519', imported, bytesOf(signature), signed)))
    throw new BaizeError('The signature does not verify.')
  const payload = parsed(body) as Receipt
  if (answer !== undefined) await requireAnswer(payload, answer)
  return payload
}

async function requireAnswer(payload: Receipt, answer: unknown): Promise<void> {
  const { data = answer } = answer as { data?: unknown }
  const { receipt: _, ...rest } = data as Record<string, unknown>
  const digest = await sha256(canonicalJson(rest))
  if (digest !== payload.answer_sha256 && payload.items?.includes(digest) !== true)
    throw new BaizeError('The receipt does not belong to this answer.')
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), each => each.charCodeAt(0))
  } catch {
    throw new BaizeError('This is not a receipt of Baize.')
  }
}

function parsed(text: string): object {
  const bytes = bytesOf(text)
  try {
    return Object(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    throw new BaizeError('This is not a receipt of Baize.')
  }
}

async function sha256(text: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map(byte => byte.toString(16).padStart(2, '0')).join('')
}

/** Writes the form of RFC 8785. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join(',')}}`
}
