import type { Charge, Writes } from '../core/operation.ts'
import type { UsageFacts } from './usage.ts'

/** What one settling does to one account. The four kinds of the database function `settle`. */
export type SettleItem = {
  kind: 'charge' | 'grant' | 'reserve' | 'release'
  accountId: number
  settlementId: string
  credits: number
  /** For `reserve`: less than this is a refusal. For `charge`: what the balance has to cover, whatever is charged. */
  creditsMin?: number
  /** For `charge`: the reservation that it settles from, and closes. For `release`: the one that it closes. */
  reservationId?: string
  /** For `reserve`: until when it holds unless renewed. */
  leaseUntil?: Date
  /** For `release`: a lease that goes on beyond this was renewed, and stays. */
  leaseEndedBefore?: Date
  /** Why: the purpose of a reservation, the words of a grant. */
  note?: string
  requestId?: string
  charges?: readonly Charge[]
  /** The answer that is kept under the client's Idempotency-Key. */
  answer?: { status: number; idempotency?: { key: string; fingerprint: Buffer; body: string } }
  usage?: UsageFacts
  /** Rows that come with the charge, or not at all. */
  writes?: Writes
}

export type SettleOutcome = {
  outcome: 'settled' | 'quota_exceeded' | 'replayed' | 'reused' | 'busy' | 'unknown_account' | 'not_released'
  /** Credits that moved: charged, granted or reserved. */
  moved: number
  /** The account as the batch leaves it; granted is null where no quota is enforced. */
  granted: number | null
  used: number
  reserved: number
  stored_status: number | null
  stored_body: string | null
}

const text = `
  select item, outcome, moved, granted, used, reserved, stored_status, stored_body
    from settle($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
                $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30)`

/** Runs one statement: on a pool, or inside a transaction. */
export type RunStatement = (text: string, values: unknown[]) => Promise<SettleOutcome[]>

/** One round trip: the items as parallel arrays in, one outcome an item out, in the items' order. */
export function settleOnce(
  run: RunStatement,
  items: readonly SettleItem[],
  skipBusy = false,
): Promise<SettleOutcome[]> {
  const accounts = [...new Set(items.map(item => item.accountId))].sort((a, b) => a - b)
  const positions = new Map(accounts.map((account, index) => [account, index + 1]))
  const usage: [number[], Date[], string[], number[], string[], string[], (string | null)[]] = [
    [],
    [],
    [],
    [],
    [],
    [],
    [],
  ]
  const lines: [number[], string[], number[], number[]] = [[], [], [], []]
  const writes: [number[], string[], string[]] = [[], [], []]
  items.forEach((item, index) => {
    const number = index + 1
    if (item.usage !== undefined) {
      usage[0].push(number)
      usage[1].push(item.usage.requestedAt)
      usage[2].push(item.usage.endpoint)
      usage[3].push(item.usage.durationMs)
      usage[4].push(item.usage.requestParams)
      usage[5].push(item.usage.source)
      usage[6].push(item.usage.client === null ? null : JSON.stringify(item.usage.client))
    }
    for (const line of item.charges ?? []) {
      lines[0].push(number)
      lines[1].push(line.key)
      lines[2].push(line.units)
      lines[3].push(line.credits_charged)
    }
    if (item.writes !== undefined) {
      writes[0].push(number)
      writes[1].push(JSON.stringify(item.writes.export))
      writes[2].push(JSON.stringify(item.writes.job))
    }
  })
  const values = [
    accounts,
    skipBusy,
    new Date(),
    items.map(item => positions.get(item.accountId)),
    items.map(item => item.kind),
    items.map(item => item.settlementId),
    items.map(item => item.credits),
    items.map(item => item.creditsMin ?? 0),
    items.map(item => item.reservationId ?? null),
    items.map(item => item.leaseUntil ?? item.leaseEndedBefore ?? null),
    items.map(item => item.note ?? null),
    items.map(item => item.requestId ?? null),
    items.map(item => item.answer?.idempotency?.key ?? null),
    items.map(item => item.answer?.idempotency?.fingerprint ?? null),
    items.map(item => item.answer?.status ?? null),
    items.map(item => item.answer?.idempotency?.body ?? null),
    ...usage,
    ...lines,
    ...writes,
  ]
  return run(text, values)
}
