import type { FileStore } from '@baize/files'
import type { Renderer } from '@baize/renderer'
import { type LookSettings, openRdapBootstrap } from '@baize/site-visitor'
import { userAgentOf } from '../../config/program.ts'
import type { Settings } from '../../config/settings.ts'
import { dayMs } from '../../core/time.ts'
import { sweepTurns } from '../../database/turns-store.ts'
import { checkTask, failLostChecks } from '../../features/enrichments/index.ts'
import { findJobs, type Task } from '../../jobs/index.ts'
import {
  type CheckReport,
  deleteCaptures,
  openLookTools,
  refreshSites,
  runCheck,
  sweepBodies,
} from '../../observation/index.ts'
import { atMostEvery, recurring } from './recurring-task.ts'

export const checksAtOnceMax = 8
const retryAfterMs = 2_000
const purgeEveryMs = 60 * 60_000

export type CheckTaskOptions = {
  settings: Pick<Settings, 'baseUrl' | 'network' | 'observation'>
  files: FileStore
  now: () => Date
  renderer: Renderer
  onCheck?: (report: CheckReport) => void
}

/** `refreshes` keeps the list of RDAP servers up to date, which a single command need not do. */
export function lookSettingsOf(
  { baseUrl, network, observation }: CheckTaskOptions['settings'],
  { now, refreshes, renderer }: { now: () => Date; refreshes: boolean; renderer: Renderer | null },
): LookSettings {
  const userAgent = userAgentOf(baseUrl)
  const source = observation.rdapBootstrap
  const rdap = openRdapBootstrap({ network, userAgent, source, now }, { refreshes })
  return { network, userAgent, rdap, renderer }
}

/** Runs in a separate worker, so that checks and registers do not wait for each other. */
export function checkSites({
  settings,
  files,
  now,
  renderer,
  onCheck,
}: CheckTaskOptions): Task<{ check: number }> {
  const look = lookSettingsOf(settings, { now, refreshes: true, renderer })
  return {
    name: checkTask.name,
    attemptsMax: checkTask.attemptsMax,
    retryAfterMs,
    async run({ check }, { world, log, signal }) {
      const openTools = (limit: AbortSignal) =>
        openLookTools(look, { database: world.database, now, signal: limit })
      const { userAgent } = look
      const report = await runCheck(check, { world, files, openTools, userAgent, now, signal })
      if (report === null) return
      onCheck?.(report)
      const { checkId, outcome, waitedMs, lookedMs } = report
      log.debug({ check: checkId, ...outcome, waited_ms: waitedMs, looked_ms: lookedMs }, 'site checked')
    },
  }
}

/** Starts background checks, and deletes captures after their retention. */
export function tendSites({ settings, files, now }: CheckTaskOptions): Task[] {
  const { isOn, perDay, captureRetentionDays } = settings.observation
  return [
    recurring('refresh_sites', async ({ world }) => {
      if (isOn) await refreshSites(world, perDay, now())
    }),
    recurring(
      'purge_captures',
      atMostEvery(purgeEveryMs, async ({ world: { database }, log }) => {
        await sweepTurns(database)
        const before = new Date(now().getTime() - captureRetentionDays * dayMs)
        const captures = await deleteCaptures(database, before)
        const bodies = await sweepBodies(database, files, now())
        if (captures + bodies > 0) log.info({ captures, bodies }, 'old captures of sites were deleted')
      }),
    ),
  ]
}

/** Closes checks whose job is gone, and releases their credits. */
export function tendChecks({ now }: { now: () => Date }): Task {
  return recurring('tend_checks', async ({ world: { database }, log }) => {
    for (const { checkId, failure } of await failLostChecks(database, findJobs, now()))
      log.error({ check: checkId, reason: failure }, 'a check of a site failed; nothing was charged')
  })
}
