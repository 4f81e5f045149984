import { sumLedgerDays, sumUsageDays } from '../../features/account/index.ts'
import { recordCoverage } from '../../features/coverage/index.ts'
import { lapseLicenses } from '../../features/facts/index.ts'
import { deleteExpiredChallenges } from '../../features/passkeys/index.ts'
import { sweepSuppressed } from '../../features/people/index.ts'
import { purgePortfolioFiles } from '../../features/portfolios/index.ts'
import { purgeRequests } from '../../features/prospect-lists/index.ts'
import {
  deleteEndedSessions,
  deleteExpiredDrafts,
  deleteExpiredLinks,
} from '../../features/sessions/index.ts'
import type { Task } from '../../jobs/index.ts'
import { preparePartitions, purgeMcpSessions, purgeOld, purgeUsage } from '../../metering/housekeeping.ts'
import { oneByOneSettler } from '../../metering/ledger.ts'
import { releaseExpired } from '../../metering/reservations.ts'
import { listAlerts, recordFacts } from '../../registers/index.ts'
import { oncePerDay, recurring } from './recurring-task.ts'

export type HousekeepingTaskOptions = {
  now: () => Date
  /** The months of usage records to retain besides the current one; null for all. */
  usageKeepMonths: number | null
}

export function housekeepingTasks({ now, usageKeepMonths }: HousekeepingTaskOptions): Task[] {
  return [
    recurring('prepare_months', async ({ world }) => {
      await preparePartitions(world.database, now())
    }),
    recurring('sweep_reservations', async ({ world: { database }, log }) => {
      const swept = await releaseExpired(database, oneByOneSettler(database), now())
      if (swept > 0) log.warn({ reservations: swept }, 'reservations of dead processes were released')
    }),
    recurring('sweep_suppressed', async ({ world: { database }, log }) => {
      const answers = await sweepSuppressed(database, now())
      if (answers > 0) log.info({ answers }, 'suppressed people were removed from stored answers')
    }),
    recurring('purge_requests', async ({ world: { database }, log }) => {
      const requests = await purgeRequests(database, now())
      if (requests > 0) log.info({ requests }, 'unanswered requests for prospect lists were deleted')
    }),
    recurring('record_coverage', async ({ world }) => {
      await recordFacts(world)
      await recordCoverage(world.database, now())
    }),
    recurring(
      'report_registers',
      oncePerDay(now, async ({ world: { database }, log }) => {
        for (const { kind, ...alert } of await listAlerts(database, now()))
          log.warn({ alert: kind, ...alert }, registerAlerts[kind])
      }),
    ),
    recurring('sum_usage', async ({ world: { database }, signal }) => {
      await sumUsageDays(database, now(), signal)
      await sumLedgerDays(database, now(), signal)
    }),
    recurring('purge_sessions', async ({ world: { database } }) => {
      await deleteEndedSessions(database, now())
      await deleteExpiredDrafts(database, now())
      await deleteExpiredLinks(database, now())
      await deleteExpiredChallenges(database, now())
      await purgeMcpSessions(database, now())
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
      const files = await purgePortfolioFiles(database, now())
      if (files > 0) log.info({ files }, 'uploaded files of portfolios were deleted after 30 days')
      // The purge is last, because it may take minutes.
      await purgeOld(database, now(), { signal })
    }),
  ]
}

const registerAlerts = {
  held: 'a register snapshot awaits approval',
  stale: 'a register was not confirmed for three times its usual interval',
  failing: 'a register cannot be fetched',
  layout_changed: 'the layout of a register has changed',
} as const
