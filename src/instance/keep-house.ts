import { lapseLicenses } from '../features/domains/index.ts'
import { createMeteringMetrics } from '../http/metrics.ts'
import type { OpenedService } from '../http/open-service.ts'
import { preparePartitions, purgeOld } from '../metering/housekeeping.ts'
import { sweepReservations } from '../metering/reservations.ts'

const everyMs = 30_000

/**
 * Work that recurs: months' partitions, settlements whose outcome nobody was told, reservations whose owner is gone,
 * licenses whose end has passed, purging by age. Every process does it, and each step is safe beside the others'; the
 * first round is done before anything is served.
 */
export async function keepHouse(service: OpenedService): Promise<{ stop(): Promise<void> }> {
  const { database } = service.live
  const stopping = new AbortController()
  createMeteringMetrics(service.metrics.registry, service)
  await preparePartitions(database, service.now())
  let lapsedDay = ''
  const lapseOncePerDay = async (now: Date) => {
    const day = now.toISOString().slice(0, 10)
    if (day === lapsedDay) return
    await lapseLicenses(database)
    lapsedDay = day
  }
  let round: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    round = round.then(async () => {
      try {
        const now = service.now()
        await preparePartitions(database, now)
        await followUpUnknown(service)
        await sweepReservations(database, service.settler, now)
        await lapseOncePerDay(now)
        // Last, because it may take a while.
        await purgeOld(database, now, { signal: stopping.signal })
      } catch (error) {
        service.log.warn({ err: error }, 'housekeeping will be tried again')
      }
    })
  }, everyMs)
  return {
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await round
    },
  }
}

/** Tells the operator what became of charges that were cut off; their clients learn it by sending the request again. */
async function followUpUnknown(service: OpenedService): Promise<void> {
  for (const {
    settlementId,
    accountId,
    kind,
    credits,
    requestId,
    stands,
  } of await service.settler.unknown.followUp(service.live.database, Date.now())) {
    service.log.warn(
      { settlement_id: settlementId, account_id: accountId, kind, credits, request_id: requestId, stands },
      stands ? 'a settlement that was cut off stands' : 'a settlement that was cut off did not happen',
    )
  }
}
