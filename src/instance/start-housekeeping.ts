import { createMeteringMetrics, createStandbyMetrics } from '../http/health/metrics.ts'
import type { OpenedService } from '../http/open-service.ts'
import { preparePartitions } from '../metering/housekeeping.ts'

const everyMs = 30_000

/** Starts the housekeeping of each serving process. Workers run all other tasks (housekeeping-tasks.ts). */
export async function startHousekeeping(service: OpenedService): Promise<{ stop(): Promise<void> }> {
  createMeteringMetrics(service.metrics.registry, service)
  createStandbyMetrics(service.metrics.registry, service.standbys)
  await preparePartitions(service.live.database, service.now())
  await checkStandbys(service)
  let round: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    round = round.then(() =>
      followUpUnknown(service).catch(error => {
        service.log.warn({ err: error }, 'settlements of unknown outcome could not be looked up; retrying')
      }),
    )
    round = round.then(() => checkStandbys(service).catch(() => {})) // /readyz reports an absent database.
  }, everyMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await round
    },
  }
}

/** Logs once when a failover may lose charges, and once when it no longer may. */
async function checkStandbys({ standbys, log }: OpenedService): Promise<void> {
  if (!(await standbys.check())) return
  if (standbys.warning === null) log.info('a standby has every charge before it is answered')
  else log.warn(standbys.warning)
}

/** Logs the outcome of interrupted charges. Clients see it when they retry the request. */
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
      stands ? 'an interrupted settlement was applied' : 'an interrupted settlement was not applied',
    )
  }
}
