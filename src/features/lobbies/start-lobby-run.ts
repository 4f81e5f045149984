import { Failure } from '../../core/failure.ts'
import type { Observe } from '../../core/observe.ts'
import { dayMs } from '../../core/time.ts'
import type { Database, Transaction } from '../../database/open.ts'
import { storedAnswersDays } from '../../metering/idempotency.ts'
import { startReserved, storeReservation } from '../../metering/job-credits.ts'
import { prices } from '../../metering/pricing.ts'
import {
  countFailedRuns,
  deleteVisit,
  findRecentFailure,
  findRunOfKey,
  insertRun,
  insertVisit,
  lockOpenVisit,
  queueVisit,
  type Target,
} from './lobby-store.ts'
import type { RunState } from './schemas.ts'

export const lobbyTask = { name: 'see_lobby', attemptsMax: 3 } as const
export const visitKey = (visitId: number) => `lobby:${visitId}`
export const runCredits = prices['lobby.run'].credits

/** A lobby that could not be read is visited again at the earliest after this time. */
const retryFailedAfterMs = 5 * 60_000
const failedRunsMax = 20
const startsTriedMax = 5

export type RunRequest = Target & {
  suppliers: readonly string[]
  accountId: number
  keyId: number | null
  now: Date
}
export type StartedRun = { ref: string; status: RunState; creditsQuoted: number }

/**
 * Starts a visit, joins an open one, or names one that has just failed. Each account that starts or joins
 * reserves what the run costs. It fails with 429 if the balance is too low, and then starts nothing.
 */
export async function startLobbyRun(
  database: Database,
  observe: Pick<Observe, 'reserve' | 'release' | 'idempotencyKey' | 'requestId' | 'client'>,
  request: RunRequest,
): Promise<StartedRun> {
  return startReserved(database, observe, 'lobby', async (tx, reserve) => {
    const { requestId, client, idempotencyKey } = observe
    const stored = await runOfKey(tx, idempotencyKey, request)
    if (stored !== null) return stored
    const { visitId, isOpen } = await chooseVisit(tx, request)
    const { id, ref, isNew } = await insertRun(tx, { ...request, visitId, requestId, client, idempotencyKey })
    if (!isOpen) return { ref, status: 'failed', creditsQuoted: 0 }
    if (!isNew) return { ref, status: 'queued', creditsQuoted: 0 }
    const reserved = await reserve({ credits: runCredits, note: 'lobby run', now: request.now })
    await storeReservation(tx, reserved, { table: 'lobby_runs', id })
    return { ref, status: 'queued', creditsQuoted: runCredits }
  })
}

/** A retry of the request that started a run gets that run. */
async function runOfKey(
  tx: Transaction,
  key: string | null,
  { accountId, now, domain, url, device }: RunRequest,
): Promise<StartedRun | null> {
  if (key === null) return null
  const after = new Date(now.getTime() - storedAnswersDays * dayMs)
  const run = await findRunOfKey(tx, accountId, key, after)
  if (run === undefined) return null
  if (run.domain !== domain || run.url !== url || run.device !== device)
    throw new Failure('idempotency_key_reused', { details: { header: 'Idempotency-Key' } })
  return {
    ref: run.ref,
    status: run.state,
    creditsQuoted: run.isPaid && run.state !== 'failed' ? runCredits : 0,
  }
}

async function chooseVisit(
  tx: Transaction,
  request: RunRequest,
): Promise<{ visitId: number; isOpen: boolean }> {
  const { accountId, now } = request
  if ((await countFailedRuns(tx, accountId, new Date(now.getTime() - dayMs))) >= failedRunsMax)
    throw new Failure('lobby_runs_failed', {
      details: { failed: failedRunsMax, hours: 24 },
      retryAfterSeconds: 3_600,
    })
  for (let tried = 0; tried < startsTriedMax; tried++) {
    const inserted = await insertVisit(tx, request, now)
    if (inserted === null) {
      const open = await lockOpenVisit(tx, request)
      if (open !== null) return { visitId: open, isOpen: true }
      continue // The open visit ended between the two statements.
    }
    const failed = await findRecentFailure(tx, request, new Date(now.getTime() - retryFailedAfterMs))
    if (failed !== null) {
      await deleteVisit(tx, inserted)
      return { visitId: failed, isOpen: false }
    }
    const { name: task, attemptsMax } = lobbyTask
    await queueVisit(tx, { task, key: visitKey(inserted), visitId: inserted, attemptsMax })
    return { visitId: inserted, isOpen: true }
  }
  throw new Error(`no lobby run of ${request.domain} was started or joined`)
}
