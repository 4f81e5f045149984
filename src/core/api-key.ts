import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { base62, randomBase62 } from './ref.ts'

/** The shared key of the demo world (§5 rule 5). */
export const demoKey = 'client_demo'

const shape = /^client_[0-9A-Za-z]{38}$/
const randomLength = 32
const checksumLength = 6

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let digit = 0; digit < checksumLength; digit++) {
    text = base62[rest % base62.length] + text
    rest = Math.floor(rest / base62.length)
  }
  return text
}

/** A key is `client_`, 32 random base62 characters and a checksum of 6 (contract section 4). */
export function newApiKey(): string {
  const body = randomBase62(randomLength)
  return `client_${body}${checksum(body)}`
}

/** Checks form and checksum, so that a mistyped key costs no query. */
export function isWellFormedKey(key: string): boolean {
  if (!shape.test(key)) return false
  const body = key.slice('client_'.length, -checksumLength)
  return checksum(body) === key.slice(-checksumLength)
}

/** The database stores keys only in this form. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
