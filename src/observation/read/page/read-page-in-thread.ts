/** Reads pages in worker threads, so that no page of a stranger can stop the process. */

import { ThreadPool } from '../../../core/thread-pool.ts'
import type { PageSource } from './page-fields.ts'
import type { Answer, Task } from './page-thread.ts'
import type { PageReading, PageTask } from './read-page.ts'

/** Of processor time. */
export const pageMsMax = 2_000

const threads = new ThreadPool<Task, Answer>(new URL('./page-thread.ts', import.meta.url), {
  // A second one takes 90 MB, and time from verdicts. Eight checks read some eight pages a second.
  threadsMax: 1,
  /** It takes 0.3 s; a busy machine takes longer. */
  startMsMax: 30_000,
  taskCpuMsMax: pageMsMax,
  taskMsMax: 10_000,
  idleMsMax: 30_000,
  resources: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 },
})

/** null: the page exceeds the limits of time and memory, or cannot be parsed; it then confirms nothing. */
export async function readPageInThread(
  source: PageSource,
  domain: string,
  pageType: PageTask['pageType'] = null,
): Promise<PageReading | null> {
  const { url, status, headers } = source
  // A view of a larger buffer would be copied with all of it.
  const body = new Uint8Array(source.body)
  const answer = await threads.run({ source: { url, status, headers, body }, domain, pageType })
  return answer as PageReading | null
}

/** Without those of suppliers, content networks and social networks. The rules are loaded in threads only. */
export async function ownDomainsOf(domains: string[]): Promise<string[]> {
  return ((await threads.run({ domains })) as string[] | null) ?? []
}
