import type { Database, Transaction } from '../../database/open.ts'
import { chargeJob } from '../../metering/job-credits.ts'
import { transactionSettler } from '../../metering/ledger.ts'
import { charge } from '../../metering/pricing.ts'
import { release } from '../../metering/reservations.ts'
import {
  type ClaimedVisit,
  listOpenVisits,
  listPaidRuns,
  markEnded,
  type PaidRun,
  queueVisit,
  storeCharge,
  type VisitEnd,
} from './lobby-store.ts'
import { lobbyTask, runCredits, visitKey } from './start-lobby-run.ts'

/** Some attempts may have ended without a trace, as when a worker was killed. */
const attemptsMax = 5

/**
 * Ends a visit: charges each account that asked for it, or releases its credits. Returns false if another
 * worker has ended it; then nothing is charged.
 */
export async function finishVisit(
  database: Database,
  visit: ClaimedVisit,
  end: VisitEnd,
  now: Date,
): Promise<boolean> {
  return database.transaction().execute(async tx => {
    if (!(await markEnded(tx, visit.visitId, end, now))) return false
    for (const run of await listPaidRuns(tx, visit.visitId)) {
      const { accountId, reservationId } = run
      if ((end.games?.length ?? 0) > 0) await chargeRun(tx, run, visit, now)
      else await release(transactionSettler(tx), { accountId, reservationId })
    }
    return true
  })
}

async function chargeRun(tx: Transaction, run: PaidRun, { startedAt, device }: ClaimedVisit, now: Date) {
  await chargeJob(
    tx,
    { ...run, startedAt },
    {
      charges: [charge('lobby.run', 1)],
      note: `lobby run ${run.id}`,
      endpoint: 'create_lobby_run',
      params: { device },
      now,
    },
  )
  await storeCharge(tx, run.id, runCredits)
}

export const failedVisit = (reason: string, finalUrl: string | null = null): VisitEnd => ({
  state: 'failed',
  reason,
  finalUrl,
  sections: null,
  games: null,
})

export type FindLobbyJobs = (
  database: Database,
  keys: readonly string[],
) => Promise<{ key: string; state: string }[]>

/** Queues open visits whose job is missing. One fails if its job failed, or after too many attempts. */
export async function failLostVisits(
  database: Database,
  findJobs: FindLobbyJobs,
  now: Date,
): Promise<number[]> {
  const open = await listOpenVisits(database)
  const keys = open.map(({ visitId }) => visitKey(visitId))
  const jobs = new Map((open.length === 0 ? [] : await findJobs(database, keys)).map(job => [job.key, job]))
  const failed: number[] = []
  for (const visit of open) {
    const { visitId } = visit
    const job = jobs.get(visitKey(visitId))
    if (job !== undefined && job.state !== 'failed') continue
    if (job === undefined && visit.attempt < attemptsMax) {
      const { name: task, attemptsMax } = lobbyTask
      const queued = { task, key: visitKey(visitId), visitId, attemptsMax }
      await database.transaction().execute(tx => queueVisit(tx, queued))
    } else if (await finishVisit(database, visit, failedVisit('interrupted'), now)) failed.push(visitId)
  }
  return failed
}
