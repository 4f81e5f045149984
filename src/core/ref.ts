import { createHash, randomFillSync } from 'node:crypto'

export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The most of 256 that 62 divides. */
const fairBytes = 248
const pool = new Uint8Array(4096)
let next = pool.length

function randomByte(): number {
  if (next === pool.length) {
    randomFillSync(pool)
    next = 0
  }
  return pool[next++] as number
}

/** Uniformly random base62 characters: bytes that would favour the first ones are thrown away. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    const byte = randomByte()
    if (byte < fairBytes) text += base62[byte % base62.length]
  }
  return text
}

export type RefPrefix = 'acc' | 'co' | 'con' | 'dom' | 'key' | 'lic' | 'pl' | 'snap' | 'res'

/** An opaque, non-guessable handle such as `co_4h8…`: 20 base62 characters, 119 bits. */
export function newRef(prefix: RefPrefix): string {
  return `${prefix}_${randomBase62(20)}`
}

const derivedLength = 24

/**
 * A ref that follows from what it names, such as `sig_…`: the same parts give the same ref, on every installation and for
 * ever. 24 base62 characters of a SHA-256, 142 bits.
 */
export function derivedRef(prefix: 'sig', parts: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  let rest = BigInt(`0x${digest}`)
  let text = ''
  while (text.length < derivedLength) {
    text += base62[Number(rest % 62n)]
    rest /= 62n
  }
  return `${prefix}_${text}`
}
