import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto'
import { Failure } from './failure.ts'

const signatureBytes = 12
const filterHashBytes = 6

export type CursorScope = {
  /** The feed or search, with its version: `domains1`. */
  feed: string
  /** What the cursor is bound to; page sizes and ceilings stay out of it. */
  filters: Record<string, unknown>
}

function filterHash(scope: CursorScope): string {
  const members = Object.keys(scope.filters)
    .filter(name => scope.filters[name] !== undefined)
    .sort()
    .map(name => [name, scope.filters[name]])
  const digest = hash('sha256', JSON.stringify([scope.feed, members]), 'buffer')
  return digest.subarray(0, filterHashBytes).toString('base64url')
}

/** Made of a secret once: for each cursor anew it takes longer than the signature. */
const keys = new WeakMap<Buffer, KeyObject>()

function keyOf(secret: Buffer): KeyObject {
  const known = keys.get(secret)
  if (known !== undefined) return known
  const key = createSecretKey(secret)
  keys.set(secret, key)
  return key
}

function sign(text: string, secret: Buffer): string {
  const digest = createHmac('sha256', keyOf(secret)).update(text).digest()
  return digest.subarray(0, signatureBytes).toString('base64url')
}

/** An opaque, signed position in a feed: `<feed>_<payload>.<signature>`. */
export function sealCursor(scope: CursorScope, position: readonly string[], secret: Buffer): string {
  const payload = Buffer.from(JSON.stringify([filterHash(scope), ...position])).toString('base64url')
  const text = `${scope.feed}_${payload}`
  return `${text}.${sign(text, secret)}`
}

/** The position that a cursor holds; wrong or altered ones and those of other filters are refused by name. */
export function openCursor(scope: CursorScope, cursor: string, secret: Buffer): string[] {
  const dot = cursor.lastIndexOf('.')
  const text = cursor.slice(0, Math.max(dot, 0))
  // Compared as text: decoding would forgive letters that were added to a signature.
  const given = Buffer.from(cursor.slice(dot + 1))
  const expected = Buffer.from(sign(text, secret))
  const genuine = given.length === expected.length && timingSafeEqual(given, expected)
  if (!genuine) throw new Failure('invalid_cursor', { details: { parameter: 'after' } })
  if (!text.startsWith(`${scope.feed}_`)) {
    throw new Failure('invalid_cursor', {
      message: 'That cursor was made for another list; send the next_cursor that this operation answered.',
      details: { parameter: 'after' },
    })
  }
  const payload = Buffer.from(text.slice(scope.feed.length + 1), 'base64url').toString()
  const [hash, ...position] = JSON.parse(payload) as string[]
  if (hash !== filterHash(scope))
    throw new Failure('cursor_filter_mismatch', { details: { parameter: 'after' } })
  return position
}
