import { lapseLicenses } from '../features/facts/index.ts'
import { sweepSuppressed } from '../features/people/index.ts'
import { purgeRequests } from '../features/prospect-lists/index.ts'
import type { Task, TaskContext } from '../jobs/index.ts'
import { preparePartitions, purgeOld, purgeUsage } from '../metering/housekeeping.ts'
import { oneByOneSettler } from '../metering/ledger.ts'
import { sweepReservations } from '../metering/reservations.ts'

export type HousekeepingTaskOptions = {
  now: () => Date
  /** Whole months of usage records that are kept beside the running one; null: all. */
  usageKeepMonths: number | null
}

/** What keeps the house in order, begun each minute and done by one of all the workers. */
export function housekeepingTasks({ now, usageKeepMonths }: HousekeepingTaskOptions): Task[] {
  return [
    recurring('prepare_months', async ({ world }) => {
      await preparePartitions(world.database, now())
    }),
    recurring('sweep_reservations', async ({ world: { database }, log }) => {
      const swept = await sweepReservations(database, oneByOneSettler(database), now())
      if (swept > 0) log.warn({ reservations: swept }, 'reservations whose owner is gone were released')
    }),
    recurring('sweep_suppressed', async ({ world: { database }, log }) => {
      const answers = await sweepSuppressed(database, now())
      if (answers > 0) log.info({ answers }, 'answers that were under way lost people who are suppressed')
    }),
    recurring('purge_requests', async ({ world: { database }, log }) => {
      const requests = await purgeRequests(database, now())
      if (requests > 0) log.info({ requests }, 'requests for prospect lists that nobody took were deleted')
    }),
    recurring(
      'lapse_licenses',
      oncePerDay(now, async ({ world }) => {
        await lapseLicenses(world.database)
      }),
    ),
    recurring('purge_old', async ({ world: { database }, log, signal }) => {
      if (usageKeepMonths !== null) {
        const { months, rows } = await purgeUsage(database, now(), usageKeepMonths)
        if (months.length > 0 || rows > 0) log.info({ months, rows }, 'old usage records were deleted')
      }
      // Last, because it may take a while.
      await purgeOld(database, now(), { signal })
    }),
  ]
}

type Work = (context: TaskContext) => Promise<void>

function recurring(name: string, work: Work): Task {
  return {
    name,
    attemptsMax: 1,
    retryAfterMs: 0,
    everyMinute: true,
    run: (_payload, context) => work(context),
  }
}

/** Once in each day that this process sees, and at its start: a day on which nobody ran is not missed. */
function oncePerDay(now: () => Date, work: Work): Work {
  let doneOn = ''
  return async context => {
    const day = now().toISOString().slice(0, 10)
    if (day === doneOn) return
    await work(context)
    doneOn = day
  }
}
