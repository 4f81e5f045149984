/** Reads pages in worker threads, so that no hostile page can stop the process. */

import { availableParallelism } from 'node:os'
import { Share, ThreadPool } from '@baize/threads'
import type { RobotsTask } from '../robots/allowed-url.ts'
import type { PageSource } from './page-fields.ts'
import type { PageThreadAnswer, PageThreadTask } from './page-thread.ts'
import type { PageReading, PageTask } from './read-page.ts'

/** Limits the processor time of one page. */
export const pageMsMax = 2_000
/** Limits the processor time of all pages of one check. */
const siteMsMax = 6_000
/** Limits the threads of a machine with many cores: each takes 70 to 90 MB. */
const threadsMax = 4

const threads = new ThreadPool<PageThreadTask, PageThreadAnswer>(
  new URL('./page-thread.ts', import.meta.url),
  {
    threadsMax: Math.min(threadsMax, availableParallelism()),
    taskCpuMsMax: pageMsMax,
    shareCpuMsMax: siteMsMax,
    /** A page uses its processor time first, even on a machine that is busy with more important work. */
    taskMsMax: 120_000,
    idleMsMax: 30_000,
    resources: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 },
  },
)

/** Reads the pages of one site. Several sites take turns, so that a slow page delays its own site alone. */
export type PageReader = {
  /**
   * Resolves to null if the page exceeds the limits of time and memory, or cannot be parsed. It then
   * confirms nothing.
   */
  readPage(
    source: PageSource,
    domain: string,
    pageType?: PageTask['pageType'],
    isDrawn?: boolean,
  ): Promise<PageReading | null>
  /**
   * Removes suppliers, content networks and social networks from the domains. It asks a thread, because only
   * threads load the rules.
   */
  ownDomainsOf(domains: string[]): Promise<string[]>
  /** Returns whether robots.txt allows a URL; false if the file exceeds the limits. */
  isUrlAllowed(task: RobotsTask): Promise<boolean>
}

/** Opens a reader. An aborted signal rejects all its readings. */
export function openPageReader(signal?: AbortSignal): PageReader {
  const turn = { share: new Share(), signal }
  // A root is read once for the choice of pages and for its findings.
  const roots = new WeakMap<Uint8Array, Promise<PageReading | null>>()

  const readPage: PageReader['readPage'] = (source, domain, pageType = null, isDrawn = false) => {
    const isKept = pageType === null && !isDrawn
    const stored = isKept ? roots.get(source.body) : undefined
    if (stored !== undefined) return stored
    const { url, status, headers } = source
    // Copies the bytes, because sending a view of a larger buffer would copy all of it.
    const body = new Uint8Array(source.body)
    const task = { source: { url, status, headers, body }, domain, pageType, isDrawn }
    const reading = threads.run(task, turn)
    if (isKept) roots.set(source.body, reading as Promise<PageReading | null>)
    return reading as Promise<PageReading | null>
  }

  return {
    readPage,
    ownDomainsOf: async domains => ((await threads.run({ domains }, turn)) as string[] | null) ?? [],
    isUrlAllowed: async ({ body, ...robots }) =>
      (await threads.run({ robots: { ...robots, body: new Uint8Array(body) } }, turn)) === true,
  }
}
