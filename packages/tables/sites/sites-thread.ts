/** The code of a worker thread that reads columns of sites, because files can be slow or hostile. */
import { answerTasks } from '@baize/threads/body'
import { Refusal } from '../source/source-file.ts'
import { type ExtendedTable, type Extension, extendTable } from './extend-table.ts'
import { readSites, type Sites } from './read-sites.ts'

export type SitesTask = { bytes: Uint8Array; wanted: string | undefined; extension?: Extension }
export type SitesAnswer = { ok: true; sites: Sites | ExtendedTable } | { ok: false; problem: string }

answerTasks(async ({ bytes, wanted, extension }: SitesTask): Promise<SitesAnswer> => {
  try {
    const work = extension === undefined ? readSites(bytes, wanted) : extendTable(bytes, wanted, extension)
    return { ok: true, sites: await work }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, problem: error.message }
    throw error
  }
})
