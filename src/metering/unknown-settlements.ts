import { sql } from 'kysely'
import type { Database } from '../database/open.ts'
import type { SettleItem } from './settle-statement.ts'

/** A settlement whose answer was lost, and that of every attempt to send it again. */
export type UnknownSettlement = {
  settlementId: string
  accountId: number
  kind: SettleItem['kind']
  credits: number
  requestId: string | null
  lostAtMs: number
}

export type FollowedSettlement = UnknownSettlement & { stands: boolean }

const keptMax = 10_000
/** The server may still be at work on a statement that was cut off; it gives statements up after 10 s. */
const lookUpAfterMs = 15_000

/**
 * The settlements that ended in OutcomeUnknown, until the database can be asked whether they stand. It is for the
 * operator: nothing is charged or given back by it, for the client was told to send the request again.
 */
export class UnknownSettlements {
  #kept: UnknownSettlement[] = []
  readonly counts = { unknown: 0, stands: 0, absent: 0, forgotten: 0 }

  keep(items: readonly SettleItem[], nowMs: number): void {
    this.counts.unknown += items.length
    for (const { settlementId, accountId, kind, credits, requestId = null } of items) {
      this.#kept.push({ settlementId, accountId, kind, credits, requestId, lostAtMs: nowMs })
    }
    const forgotten = this.#kept.splice(0, Math.max(0, this.#kept.length - keptMax))
    this.counts.forgotten += forgotten.length
  }

  /** Asks what became of those that were lost long enough ago; fails, and keeps them, while the database is away. */
  async followUp(database: Database, nowMs: number): Promise<FollowedSettlement[]> {
    const due = this.#kept.filter(({ lostAtMs }) => nowMs - lostAtMs >= lookUpAfterMs)
    if (due.length === 0) return []
    const { rows } = await sql<{ settlement_id: string }>`
      select settlement_id
        from settlements
       where settlement_id = any (${due.map(({ settlementId }) => settlementId)}::uuid[])`.execute(database)
    const standing = new Set(rows.map(row => row.settlement_id))
    const done = new Set(due)
    this.#kept = this.#kept.filter(lost => !done.has(lost))
    return due.map(lost => {
      const stands = standing.has(lost.settlementId)
      this.counts[stands ? 'stands' : 'absent'] += 1
      return { ...lost, stands }
    })
  }
}
