import { createHash, randomFillSync } from 'node:crypto'

export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The largest multiple of 62 below 256. */
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

/** Ignores bytes of `fairBytes` and above, which would favour the first characters. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    const byte = randomByte()
    if (byte < fairBytes) text += base62[byte % base62.length]
  }
  return text
}

export type RefPrefix =
  | 'acc'
  | 'bd'
  | 'co'
  | 'con'
  | 'dom'
  | 'enr'
  | 'key'
  | 'lic'
  | 'lr'
  | 'pl'
  | 'snap'
  | 'rec'
  | 'msg'
  | 'reg'
  | 'res'
  | 'usr'

/** Returns a random ref such as `co_4h8…`: 20 base62 characters, 119 bits. */
export function newRef(prefix: RefPrefix): string {
  return `${prefix}_${randomBase62(20)}`
}

const derivedLength = 24

/** Derives the same ref from the same parts: 24 base62 characters of a SHA-256, 142 bits. */
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
