import { randomFillSync } from 'node:crypto'

const random = new Uint8Array(4096)
let next = random.length

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * A UUID of version 7: 48 bits of time, 74 random ones. Time first keeps the insertions of one moment on one index
 * page; PostgreSQL's own uuidv7() needs 18, and the id must be known before the first attempt to settle.
 */
export function newSettlementId(nowMs: number = Date.now()): string {
  if (next + 10 > random.length) {
    randomFillSync(random)
    next = 0
  }
  const time = nowMs.toString(16).padStart(12, '0')
  const bytes = random.subarray(next, next + 10)
  next += 10
  const at = (index: number) => bytes[index] as number
  const pair = (index: number) => (hex[at(index)] as string) + hex[at(index + 1)]
  const version = hex[0x70 | (at(0) & 0x0f)] as string
  const variant = hex[0x80 | (at(2) & 0x3f)] as string
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}${hex[at(1)]}-${variant}${hex[at(3)]}-${pair(4)}${pair(6)}${pair(8)}`
}
