import { randomUUID } from 'node:crypto'

/** Where the random bits of a UUID begin, behind time and version. */
const randomAt = 15

/**
 * A UUID of version 7: 48 bits of time, 74 random ones. Time first keeps the insertions of one moment on one index
 * page; PostgreSQL's own uuidv7() needs 18, and the id must be known before the first attempt to settle.
 */
export function newSettlementId(nowMs: number = Date.now()): string {
  const time = nowMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(randomAt)}`
}
