/** The code of a worker thread that reads columns of sites, because files can be slow or hostile. */
import { answerTasks } from '@baize/threads/body'
import { Refusal } from '../source/source-file.ts'
import { readSites, type Sites } from './read-sites.ts'

export type SitesTask = { bytes: Uint8Array; wanted: string | undefined }
export type SitesAnswer = { ok: true; sites: Sites } | { ok: false; problem: string }

answerTasks(async ({ bytes, wanted }: SitesTask): Promise<SitesAnswer> => {
  try {
    return { ok: true, sites: await readSites(bytes, wanted) }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, problem: error.message }
    throw error
  }
})
