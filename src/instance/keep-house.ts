import { lapseLicenses } from '../features/domains/index.ts'
import type { OpenedService } from '../http/open-service.ts'
import { preparePartitions, purgeOld } from '../metering/housekeeping.ts'
import { sweepReservations } from '../metering/reservations.ts'

const everyMs = 30_000

/**
 * Work that recurs: months' partitions, purging by age, licenses whose end has passed, reservations whose owner is gone. Every process does it, and
 * each step is safe beside the others'; the first round is done before anything is served.
 */
export async function keepHouse(service: OpenedService): Promise<{ stop(): Promise<void> }> {
  const { database } = service.live
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
        await sweepReservations(database, service.settler, now)
        await purgeOld(database, now)
        await lapseOncePerDay(now)
      } catch (error) {
        service.log.warn({ err: error }, 'housekeeping will be tried again')
      }
    })
  }, everyMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await round
    },
  }
}
