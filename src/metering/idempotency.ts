import { createHash } from 'node:crypto'
import type { PointRead } from '../database/batch-reader.ts'
import type { World } from '../database/open.ts'

const keyPattern = /^[\x21-\x7e]{1,255}$/

/** 1 to 255 visible ASCII characters (contract section 5). */
export function isIdempotencyKey(text: string): boolean {
  return keyPattern.test(text)
}

/**
 * What makes two requests the same: method, path and the validated parameters with defaults filled, lists sorted and
 * domains canonical, max_credits included. SHA-256.
 */
export function fingerprint(method: string, path: string, input: Record<string, unknown>): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, path, members(input)]))
    .digest()
}

/** The members of an object in the order of their names, those of objects in it likewise. */
function members(input: object): unknown[] {
  return Object.entries(input)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => [name, inOneOrder(value)])
}

function inOneOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOneOrder).sort()
  return typeof value === 'object' && value !== null ? members(value) : value
}

/** The function `settle` and the look-up below say the same in SQL; purging follows at leisure. */
export const storedAnswersDays = 7

export type StoredAnswer = {
  account_id: number
  idempotency_key: string
  fingerprint: Buffer
  status: number
  body: string
}

export const storedAnswers: PointRead<StoredAnswer> = {
  name: 'stored_answers',
  text: `
    select record.account_id, record.idempotency_key, record.fingerprint, record.status, record.body
      from unnest($1::text[]) as wanted (place)
     cross join lateral (
       select *
         from idempotency_records
        where account_id = split_part(wanted.place, ' ', 1)::bigint
          and idempotency_key = split_part(wanted.place, ' ', 2)
       offset 0
     ) record
     where record.created_at > now() - interval '${storedAnswersDays} days'`,
  keyOf: row => `${row.account_id} ${row.idempotency_key}`,
  from: 'primary',
}

/** The answer that was given under this key in the last 7 days (contract section 5); keys hold no blanks, so that account and key make one text. */
export function findStoredAnswer(
  world: World,
  accountId: number,
  key: string,
): Promise<StoredAnswer | undefined> {
  return world.readByKey(storedAnswers, `${accountId} ${key}`)
}
