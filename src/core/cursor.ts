import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto'
import { Failure } from './failure.ts'

const signatureBytes = 12
const filterHashBytes = 6

export type CursorScope = {
  /** The feed or search, with its version: `domains1`. */
  feed: string
  /** What the cursor is bound to; page sizes and ceilings stay out of it. */
  filters: Record<string, unknown>
  /** Signed with a key of its own, as feeds are (§4.2, §9), and not with the installation's secret itself. */
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

/** Made of a secret once: for each cursor anew it takes longer than the signature. */
const keys = new WeakMap<Buffer, KeyObject>()

function keyOf(secret: Buffer): KeyObject {
  const known = keys.get(secret)
  if (known !== undefined) return known
  const key = createSecretKey(secret)
  keys.set(secret, key)
  return key
}

const secretApart = (feed: string, secret: Buffer) =>
  createHmac('sha256', secret).update(`feed ${feed}`).digest()

/** What was made of a secret: the same bytes for every page, by which cursors know their key again, too. */
const secretsApart = new WeakMap<Buffer, Map<string, Buffer>>()

function secretOf({ feed, hasOwnKey }: CursorScope, secret: Buffer): Buffer {
  if (hasOwnKey !== true) return secret
  const ofSecret = secretsApart.get(secret) ?? new Map<string, Buffer>()
  const known = ofSecret.get(feed)
  if (known !== undefined) return known
  const made = secretApart(feed, secret)
  secretsApart.set(secret, ofSecret.set(feed, made))
  return made
}

function sign(text: string, secret: Buffer): string {
  const digest = createHmac('sha256', keyOf(secret)).update(text).digest()
  return digest.subarray(0, signatureBytes).toString('base64url')
}

/** An opaque, signed position in a feed: `<feed>_<payload>.<signature>`. */
export function sealCursor(scope: CursorScope, position: readonly string[], secret: Buffer): string {
  const payload = Buffer.from(JSON.stringify([filterHash(scope), ...position])).toString('base64url')
  const text = `${scope.feed}_${payload}`
  return `${text}.${sign(text, secretOf(scope, secret))}`
}

/** The position that a cursor holds; wrong or altered ones and those of other filters are refused by name. */
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
  // Compared as text: decoding would forgive letters that were added to a signature.
  const given = Buffer.from(signature)
  const expected = Buffer.from(sign(text, secret))
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Whether some list or feed of this service made it, of whichever key. */
function isOfThisService(text: string, signature: string, secret: Buffer): boolean {
  const [feed = ''] = text.split('_', 1)
  return [secret, secretApart(feed, secret)].some(each => isSigned(text, signature, each))
}

function refusedCursor(isGenuine: boolean): Failure {
  const details = { parameter: 'after' }
  if (!isGenuine) return new Failure('invalid_cursor', { details })
  const message = 'That cursor was made for another list; send the next_cursor that this operation answered.'
  return new Failure('invalid_cursor', { message, details })
}
