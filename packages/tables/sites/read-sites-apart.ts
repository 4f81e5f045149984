import { ThreadPool } from '@baize/threads'
import { Refusal } from '../source/source-file.ts'
import type { ExtendedTable, Extension } from './extend-table.ts'
import type { Sites } from './read-sites.ts'
import type { SitesAnswer, SitesTask } from './sites-thread.ts'

const cpuMsMax = 10_000

const threads = new ThreadPool<SitesTask, SitesAnswer>(new URL('./sites-thread.ts', import.meta.url), {
  threadsMax: 1,
  taskCpuMsMax: cpuMsMax,
  taskMsMax: 3 * cpuMsMax,
  idleMsMax: 10_000,
  resources: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 },
})

/** Reads a column of sites in a thread, within limits of time and memory. Throws a Refusal. */
export const readSitesApart = (bytes: Uint8Array, wanted?: string) =>
  runApart({ bytes, wanted }) as Promise<Sites>

/** Adds columns to a table of sites in that thread. Throws a Refusal. */
export const extendTableApart = (bytes: Uint8Array, wanted: string | undefined, extension: Extension) =>
  runApart({ bytes, wanted, extension }) as Promise<ExtendedTable>

async function runApart(task: SitesTask): Promise<Sites | ExtendedTable> {
  const answer = await threads.run(task)
  if (answer === null) throw new Refusal('The file takes too long to read. Send fewer rows, or CSV.')
  if (!answer.ok) throw new Refusal(answer.problem)
  return answer.sites
}
