import { createHash } from 'node:crypto'
import type { PointRead } from '@baize/postgres'
import type { RowOf, World } from '../database/open.ts'

const keyPattern = /^[\x21-\x7e]{1,255}$/

/** Accepts 1 to 255 visible ASCII characters (contract section 5). */
export function isIdempotencyKey(text: string): boolean {
  return keyPattern.test(text)
}

type Fingerprinted = { method: string; path: string; ordered?: readonly string[] }

/**
 * Returns a SHA-256 of method, path and validated parameters, `max_credits` included. Requests with equal
 * fingerprints are the same. Defaults are filled in, domains are canonical, and lists are sorted except
 * those in `ordered`.
 */
export function fingerprint(
  { method, path, ordered = [] }: Fingerprinted,
  input: Record<string, unknown>,
): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, path, members(input, ordered)]))
    .digest()
}

/** Returns the entries sorted by name, recursively. */
function members(input: object, ordered: readonly string[] = []): unknown[] {
  return Object.entries(input)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => [name, ordered.includes(name) ? value : withSortedLists(value)])
}

function withSortedLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedLists).sort()
  return typeof value === 'object' && value !== null ? members(value) : value
}

/** The function `settle` and the query below use the same number. Purging comes later. */
export const storedAnswersDays = 7

export type StoredAnswer = RowOf<
  'idempotency_records',
  'account_id' | 'idempotency_key' | 'fingerprint' | 'status' | 'body'
>

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
}

/** Finds the response of the last 7 days under this key, which has no blanks (contract section 5). */
export function findStoredAnswer(
  world: World,
  accountId: number,
  key: string,
): Promise<StoredAnswer | undefined> {
  return world.primary.readByKey(storedAnswers, `${accountId} ${key}`)
}
