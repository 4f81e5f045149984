import { createMeteringMetrics } from '../http/metrics.ts'
import type { OpenedService } from '../http/open-service.ts'
import { preparePartitions } from '../metering/housekeeping.ts'

const everyMs = 30_000

/**
 * What a process that answers has to do by itself, because nobody else can: before anything is served, this month's
 * partitions, and then again and again its own settlements whose outcome nobody was told. All other recurring work is
 * done by the workers (housekeeping-tasks.ts).
 */
export async function startHousekeeping(service: OpenedService): Promise<{ stop(): Promise<void> }> {
  createMeteringMetrics(service.metrics.registry, service)
  await preparePartitions(service.live.database, service.now())
  let round: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    round = round.then(() =>
      followUpUnknown(service).catch(error => {
        service.log.warn({ err: error }, 'settlements of unknown outcome will be looked up again')
      }),
    )
  }, everyMs)
  return {
    stop: async () => {
      clearInterval(timer)
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
