import type { FileStore } from '../core/file-store.ts'
import { sweepLogoFiles } from '../features/logos/index.ts'
import type { Task } from '../jobs/index.ts'

/** Listing a bucket is a network request, so it is not done every minute. */
const sweepEveryMs = 60 * 60_000

export type LogoTaskOptions = { files: FileStore; now: () => Date }

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
        const removed = await sweepLogoFiles(database, files, now())
        sweptAtMs = performance.now()
        if (removed > 0) log.info({ files: removed }, 'unreferenced logo files were removed')
      },
    },
  ]
}
