import type { FileStore } from '../core/file-store.ts'
import { sweepLogoFiles } from '../features/logos/index.ts'
import type { Task } from '../jobs/index.ts'

/** A store that has to be asked over a network is not listed every minute. */
const sweepEveryMs = 60 * 60_000

export type LogoTaskOptions = { files: FileStore; now: () => Date }

/** What goes on with stored logos by itself. */
export function logoTasks({ files, now }: LogoTaskOptions): Task[] {
  let sweptAtMs = Number.NEGATIVE_INFINITY
  return [
    {
      name: 'sweep_logo_files',
      attemptsMax: 1,
      retryAfterMs: 0,
      everyMinute: true,
      async run(_payload, { world: { database }, log }) {
        if (performance.now() - sweptAtMs < sweepEveryMs) return
        const swept = await sweepLogoFiles(database, files, now())
        sweptAtMs = performance.now()
        if (swept > 0) log.info({ files: swept }, 'stored logos that nobody names were removed')
      },
    },
  ]
}
