import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto'
import { Failure } from './failure.ts'

const signatureBytes = 12
const filterHashBytes = 6

export type CursorScope = {
  /** The name and version of the feed or search, such as `domains1`. */
  feed: string
  /** The parameters that must not change between pages; page size and `max_credits` may. */
  filters: Record<string, unknown>
  /** Whether the cursor is signed with a key derived for this feed (§4.2, §9). */
  hasOwnKey?: boolean
}

function filterHash(scope: CursorScope): string {
  const members = Object.keys(scope.filters)
    .filter(name => scope.filters[name] !== undefined)
    .sort()
    .map(name => [name, scope.filters[name]])
  const digest = hash('sha256', JSON.stringify([scope.feed, members]), 'buffer')
  return digest.subarray(0, filterHashBytes).toString('base64url')
}

/** KeyObjects are cached, because creating one takes longer than signing. */
const keyObjects = new WeakMap<Buffer, KeyObject>()

function signingKeyOf(secret: Buffer): KeyObject {
  const cached = keyObjects.get(secret)
  if (cached !== undefined) return cached
  const key = createSecretKey(secret)
  keyObjects.set(secret, key)
  return key
}

const deriveSecret = (feed: string, secret: Buffer) =>
  createHmac('sha256', secret).update(`feed ${feed}`).digest()

/** Derived secrets by feed. They are reused, because `keyObjects` finds a KeyObject by its Buffer. */
const derivedSecrets = new WeakMap<Buffer, Map<string, Buffer>>()

function secretOf({ feed, hasOwnKey }: CursorScope, secret: Buffer): Buffer {
  if (hasOwnKey !== true) return secret
  const ofSecret = derivedSecrets.get(secret) ?? new Map<string, Buffer>()
  const cached = ofSecret.get(feed)
  if (cached !== undefined) return cached
  const derived = deriveSecret(feed, secret)
  derivedSecrets.set(secret, ofSecret.set(feed, derived))
  return derived
}

function sign(text: string, secret: Buffer): string {
  const digest = createHmac('sha256', signingKeyOf(secret)).update(text).digest()
  return digest.subarray(0, signatureBytes).toString('base64url')
}

/** Returns an opaque, signed position in a feed: `<feed>_<payload>.<signature>`. */
export function sealCursor(scope: CursorScope, position: readonly string[], secret: Buffer): string {
  const payload = Buffer.from(JSON.stringify([filterHash(scope), ...position])).toString('base64url')
  const text = `${scope.feed}_${payload}`
  return `${text}.${sign(text, secretOf(scope, secret))}`
}

/** Returns the position in the cursor; throws `invalid_cursor` or `cursor_filter_mismatch`. */
export function openCursor(scope: CursorScope, cursor: string, secret: Buffer): string[] {
  const dot = cursor.lastIndexOf('.')
  const text = cursor.slice(0, Math.max(dot, 0))
  const signature = cursor.slice(dot + 1)
  const prefix = `${scope.feed}_`
  if (!text.startsWith(prefix) || !isSigned(text, signature, secretOf(scope, secret)))
    throw refusedCursor(isOfThisService(text, signature, secret))
  const payload = Buffer.from(text.slice(prefix.length), 'base64url').toString()
  const [hash, ...position] = JSON.parse(payload) as string[]
  if (hash !== filterHash(scope))
    throw new Failure('cursor_filter_mismatch', { details: { parameter: 'after' } })
  return position
}

function isSigned(text: string, signature: string, secret: Buffer): boolean {
  // Signatures are compared as text, because decoding ignores characters after a signature.
  const given = Buffer.from(signature)
  const expected = Buffer.from(sign(text, secret))
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function isOfThisService(text: string, signature: string, secret: Buffer): boolean {
  const [feed = ''] = text.split('_', 1)
  return [secret, deriveSecret(feed, secret)].some(each => isSigned(text, signature, each))
}

function refusedCursor(isGenuine: boolean): Failure {
  const details = { parameter: 'after' }
  if (!isGenuine) return new Failure('invalid_cursor', { details })
  const message = 'The cursor belongs to another list; send the next_cursor of this operation.'
  return new Failure('invalid_cursor', { message, details })
}
