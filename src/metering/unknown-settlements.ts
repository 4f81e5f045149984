import { sql } from 'kysely'
import type { Database } from '../database/open.ts'
import type { SettleItem } from './settle-statement.ts'

/** A settlement whose outcome was lost in every attempt. */
export type UnknownSettlement = {
  settlementId: string
  accountId: number
  kind: SettleItem['kind']
  credits: number
  requestId: string | null
  lostAtMs: number
}

export type FollowedSettlement = UnknownSettlement & { stands: boolean }

const pendingMax = 10_000
/** Exceeds the 10 s for which PostgreSQL may run a statement after its connection is lost. */
const lookUpAfterMs = 15_000
const longCommitSeconds = 10

/**
 * Settlements that ended in OutcomeUnknown, until the database shows whether they were committed. They
 * serve the operator's log and metrics; clients learn the outcome by a retry.
 */
export class UnknownSettlements {
  #pending: UnknownSettlement[] = []
  readonly counts = { unknown: 0, stands: 0, absent: 0, forgotten: 0 }

  add(items: readonly SettleItem[], nowMs: number): void {
    this.counts.unknown += items.length
    for (const { settlementId, accountId, kind, credits, requestId = null } of items) {
      this.#pending.push({ settlementId, accountId, kind, credits, requestId, lostAtMs: nowMs })
    }
    const forgotten = this.#pending.splice(0, Math.max(0, this.#pending.length - pendingMax))
    this.counts.forgotten += forgotten.length
  }

  /**
   * Looks up settlements that were lost long enough ago; throws while the database is down. A commit that
   * waits for a standby, which has no time limit, is not visible, so that nothing counts as absent meanwhile.
   */
  async followUp(database: Database, nowMs: number): Promise<FollowedSettlement[]> {
    const due = this.#pending.filter(({ lostAtMs }) => nowMs - lostAtMs >= lookUpAfterMs)
    if (due.length === 0) return []
    const waits = await aCommitWaits(database)
    const { rows } = await sql<{ settlement_id: string }>`
      select settlement_id
        from settlements
       where settlement_id = any (${due.map(({ settlementId }) => settlementId)}::uuid[])`.execute(database)
    const committed = new Set(rows.map(row => row.settlement_id))
    const known = due.filter(({ settlementId }) => !waits || committed.has(settlementId))
    const done = new Set(known)
    this.#pending = this.#pending.filter(lost => !done.has(lost))
    return known.map(lost => {
      const stands = committed.has(lost.settlementId)
      this.counts[stands ? 'stands' : 'absent'] += 1
      return { ...lost, stands }
    })
  }
}

/** The user of the service sees the waits of its own connections. */
async function aCommitWaits(database: Database): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`
    select exists (
      select
        from pg_stat_activity
       where wait_event = 'SyncRep' and xact_start < now() - make_interval(secs => ${longCommitSeconds})
    ) as waits`.execute(database)
  return rows[0]?.waits ?? false
}
