import type { Settings } from '../config/settings.ts'
import { readVersion } from '../config/version.ts'
import type { FileStore } from '../core/file-store.ts'
import { sweepTurns } from '../database/turns-store.ts'
import { checkTask } from '../features/enrichments/index.ts'
import type { Task } from '../jobs/index.ts'
import {
  type CheckReport,
  deleteCaptures,
  type LookSettings,
  openLookTools,
  openRdapBootstrap,
  refreshSites,
  runCheck,
  sweepBodies,
} from '../observation/index.ts'
import { recurring } from './recurring-task.ts'

export const checksAtOnceMax = 8
const retryAfterMs = 2_000
const purgeEveryMs = 60 * 60_000
const dayMs = 24 * 60 * 60_000

export type CheckTaskOptions = {
  settings: Pick<Settings, 'baseUrl' | 'network' | 'observation'>
  files: FileStore
  now: () => Date
  onCheck?: (report: CheckReport) => void
}

type LookedAt = Pick<Settings, 'baseUrl' | 'network' | 'observation'>

/** `refreshes`: the list of RDAP servers is kept up to date, which a single command need not do. */
export function lookSettingsOf(
  { baseUrl, network, observation }: LookedAt,
  { now, refreshes }: { now: () => Date; refreshes: boolean },
): LookSettings {
  const userAgent = `Baize/${readVersion()} (+${baseUrl})`
  const source = observation.rdapBootstrap
  return { network, userAgent, rdap: openRdapBootstrap({ network, userAgent, source, now }, { refreshes }) }
}

/** Runs in a worker of its own, so that checks and registers do not wait for each other. */
export function checkSites({ settings, files, now, onCheck }: CheckTaskOptions): Task<{ check: number }> {
  const look = lookSettingsOf(settings, { now, refreshes: true })
  return {
    name: checkTask.name,
    attemptsMax: checkTask.attemptsMax,
    retryAfterMs,
    async run({ check }, { world, log, signal }) {
      const tools = openLookTools(look, { database: world.database, now, signal })
      const report = await runCheck(check, { world, files, tools, userAgent: look.userAgent, now })
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
  let purgedAtMs = Number.NEGATIVE_INFINITY
  return [
    recurring('refresh_sites', async ({ world }) => {
      if (isOn) await refreshSites(world, perDay, now())
    }),
    recurring('purge_captures', async ({ world: { database }, log }) => {
      if (performance.now() - purgedAtMs < purgeEveryMs) return
      await sweepTurns(database)
      const captures = await deleteCaptures(
        database,
        new Date(now().getTime() - captureRetentionDays * dayMs),
      )
      const bodies = await sweepBodies(database, files, now())
      purgedAtMs = performance.now()
      if (captures + bodies > 0) log.info({ captures, bodies }, 'old captures of sites were deleted')
    }),
  ]
}
