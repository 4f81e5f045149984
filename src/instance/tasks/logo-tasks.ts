import type { FileStore } from '@baize/files'
import { sweepLogoFiles } from '../../features/logos/index.ts'
import type { Task } from '../../jobs/index.ts'
import { atMostEvery, recurring } from './recurring-task.ts'

const sweepEveryMs = 60 * 60_000

export const sweepLogos = ({ files, now }: { files: FileStore; now: () => Date }): Task =>
  recurring(
    'sweep_logo_files',
    atMostEvery(sweepEveryMs, async ({ world: { database }, log }) => {
      const removed = await sweepLogoFiles(database, files, now())
      if (removed > 0) log.info({ files: removed }, 'unreferenced logo files were removed')
    }),
  )
