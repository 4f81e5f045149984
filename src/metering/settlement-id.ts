import { randomUUID } from 'node:crypto'

/** The position of the random bits in a UUID, after time and version. */
const randomAt = 15

/**
 * Returns a UUID of version 7: 48 bits of time, 74 random ones. Insertions of one moment are on one index
 * page. Node creates it, because the id must be known before the first attempt to settle.
 */
export function newSettlementId(nowMs: number = Date.now()): string {
  const time = nowMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(randomAt)}`
}
