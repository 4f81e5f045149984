import type { FileStore } from '../../core/file-store.ts'
import type { Database } from '../../database/open.ts'
import { listPastExpiry, markExpired, wantedAttempts } from './export-store.ts'
import { attemptOf, exportFolder } from './file-names.ts'

/** Takes the files of exports whose 24 hours are over; says how many. */
export async function expireExports(database: Database, files: FileStore, now: Date): Promise<number> {
  const past = await listPastExpiry(database, now)
  for (const { id, file_name } of past) {
    // In this order: a file whose row no longer names it would be found by the sweep alone.
    await files.remove(file_name)
    await markExpired(database, id)
  }
  return past.length
}

const askedAtOnce = 500

/**
 * Takes the files that nobody names: those of attempts that were killed, or replaced. An attempt stands in its export's
 * row before its file is begun, so that what is listed here and not wanted there never will be.
 */
export async function sweepExportFiles(database: Database, files: FileStore): Promise<number> {
  let swept = 0
  let names: string[] = []
  async function sweep() {
    const attempts = names.map(attemptOf)
    const wanted = await wantedAttempts(
      database,
      attempts.filter(attempt => attempt !== null),
    )
    for (const [index, name] of names.entries()) {
      const attempt = attempts[index] as string | null
      if (attempt !== null && wanted.has(attempt)) continue
      await files.remove(name)
      swept += 1
    }
    names = []
  }
  for await (const { name } of files.list(exportFolder)) {
    names.push(name)
    if (names.length === askedAtOnce) await sweep()
  }
  if (names.length > 0) await sweep()
  return swept
}
