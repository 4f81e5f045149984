import { ThreadPool } from '@baize/threads'
import { Refusal } from '../source/source-file.ts'
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
export async function readSitesApart(bytes: Uint8Array, wanted?: string): Promise<Sites> {
  const answer = await threads.run({ bytes, wanted })
  if (answer === null) throw new Refusal('The file takes too long to read. Send fewer rows, or CSV.')
  if (!answer.ok) throw new Refusal(answer.problem)
  return answer.sites
}
