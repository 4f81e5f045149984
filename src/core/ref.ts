import { randomFillSync } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const pool = new Uint8Array(4096)
let next = pool.length

function randomByte(): number {
  if (next === pool.length) {
    randomFillSync(pool)
    next = 0
  }
  return pool[next++] as number
}

/** Uniformly random base62 characters: bytes past the last whole multiple of 62 are thrown away. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    const byte = randomByte()
    if (byte < 248) text += alphabet[byte % 62]
  }
  return text
}

export type RefPrefix = 'acc' | 'co' | 'dom' | 'key' | 'lic' | 'snap' | 'res'

/** An opaque, non-guessable handle such as `co_4h8…`: 20 base62 characters, 119 bits. */
export function newRef(prefix: RefPrefix): string {
  return `${prefix}_${randomBase62(20)}`
}
