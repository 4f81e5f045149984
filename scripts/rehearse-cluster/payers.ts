import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { openPool } from '@baize/postgres'
import type { PoolConfig } from 'pg'
import { eventually } from '../../test/harness/eventually.ts'
import type { Service } from './start-service.ts'

const payersMany = 32
const afterRefusalMs = 100
const calmMs = 5_000
const flowsWithinMs = 180_000
const answerWithinMs = 60_000

export type Payers = {
  /** The Idempotency-Keys of the requests that were answered 200. */
  noted: ReadonlySet<string>
  untilNoted(count: number): Promise<void>
  forgetErrors(): void
  /** The time from the first to the last request that was not answered 200. */
  errorsMs(): number
  /** How often requests were answered with each status but 200; null is no answer. */
  refusals(): ReadonlyMap<number | null, number>
  /** The number of answers 503 without Retry-After. */
  unpromising(): number
  /** Waits until no request has failed for a while. */
  untilCalm(): Promise<void>
  stop(): Promise<void>
}

/**
 * Asks for paid verdicts, each with its own Idempotency-Key, and notes every 200. A request that fails is
 * repeated with its key until it is answered 200, so no request is lost while they flow.
 */
export function startPayers({ urls, key }: Pick<Service, 'urls' | 'key'>, payersCount = payersMany): Payers {
  const noted = new Set<string>()
  let errors: { firstMs: number; lastMs: number } | null = null
  let isOver = false
  let unpromising = 0
  let refusals = new Map<number | null, number>()
  const paying = Promise.all(
    Array.from({ length: payersCount }, async (_, index) => {
      let idempotencyKey = randomUUID()
      while (!isOver) {
        const status = await ask(urls[index % urls.length] as string, idempotencyKey)
        if (status === 200) {
          noted.add(idempotencyKey)
          idempotencyKey = randomUUID()
          continue
        }
        refusals.set(status, (refusals.get(status) ?? 0) + 1)
        const nowMs = Date.now()
        errors = { firstMs: errors?.firstMs ?? nowMs, lastMs: nowMs }
        await pause(afterRefusalMs)
      }
    }),
  )

  async function ask(url: string, idempotencyKey: string): Promise<number | null> {
    const answer = await fetch(`${url}/v1/domains/resolve?domain=cluster.example`, {
      headers: { 'x-api-key': key, 'idempotency-key': idempotencyKey },
      signal: AbortSignal.timeout(answerWithinMs),
    }).catch(() => null)
    if (answer?.status === 503 && !answer.headers.has('retry-after')) unpromising++
    await answer?.arrayBuffer().catch(() => {})
    return answer?.status ?? null
  }

  return {
    noted,
    untilNoted: async count => {
      await eventually('charges flow', () => noted.size >= count, flowsWithinMs)
    },
    forgetErrors: () => {
      errors = null
      refusals = new Map()
    },
    refusals: () => refusals,
    unpromising: () => unpromising,
    errorsMs: () => (errors === null ? 0 : errors.lastMs - errors.firstMs),
    untilCalm: async () => {
      await eventually(
        'no request fails',
        () => errors === null || Date.now() - errors.lastMs > calmMs,
        flowsWithinMs,
      )
    },
    stop: async () => {
      isOver = true
      await paying
    },
  }
}

/** The database of the ledger, and the account that pays. */
export type Ledger = { database: PoolConfig; accountRef: string }

/** A million charges and a busy machine need most of it. */
const countedWithinMs = 180_000

export type Count = { lost: number; doubled: number }

/** Compares the noted answers, and all charges of the ledger, with the stored answers. */
export function countCharges(ledger: Ledger, { noted }: Payers): Promise<Count> {
  const keys = [...noted]
  // On a busy machine a connection may take too long.
  const counting = () => count(ledger, keys).catch(() => null)
  return eventually('the charges are counted', counting, countedWithinMs) as Promise<Count>
}

async function count({ database, accountRef }: Ledger, keys: readonly string[]): Promise<Count> {
  const pool = openPool(database, 'public', { connectionsMax: 1 })
  try {
    await pool.query(`set statement_timeout = ${countedWithinMs}`)
    const { rows } = await pool.query<{ stored: number; doubled: number }>(
      `with account as (select id from accounts where account_ref = $2),
            answer as (
              select idempotency_key, settlement_id
                from idempotency_records
               where account_id = (select id from account) and idempotency_key = any ($1)),
            charge as (
              select settlement_id, count(*) as entries
                from ledger_entries
               where account_id = (select id from account) and kind = 'charge'
               group by settlement_id)
       select count(*) filter (where charge.entries >= 1) as stored,
              count(*) filter (where charge.entries > 1)
                + (select count(*) from charge) - (select count(*) from idempotency_records
                                                    where account_id = (select id from account)) as doubled
         from answer
         left join charge using (settlement_id)`,
      [keys, accountRef],
    )
    const { stored = 0, doubled = 0 } = rows[0] ?? {}
    return { lost: keys.length - stored, doubled }
  } finally {
    await pool.end()
  }
}
