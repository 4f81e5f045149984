import type { FileStore } from '../../core/file-store.ts'
import type { Database } from '../../database/open.ts'
import { listPastExpiry, markExpired, wantedAttempts } from './export-store.ts'
import { attemptOf, exportFolder, isFileOf } from './file-names.ts'

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

/**
 * Takes the files that nobody names: those of attempts that were killed, or replaced. An attempt stands in its export's
 * row before its file is begun, so that what is listed here and not wanted there never will be.
 */
export function sweepExportFiles(database: Database, files: FileStore): Promise<number> {
  return sweep(database, files, () => true)
}

/** The same for one export alone, when its next attempt begins. */
export function sweepFilesOfExport(database: Database, files: FileStore, id: number): Promise<number> {
  return sweep(database, files, name => isFileOf(id, name))
}

const askedAtOnce = 500

async function sweep(
  database: Database,
  files: FileStore,
  isMeant: (name: string) => boolean,
): Promise<number> {
  let swept = 0
  let names: string[] = []
  async function sweepNames() {
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
    if (!isMeant(name)) continue
    names.push(name)
    if (names.length === askedAtOnce) await sweepNames()
  }
  if (names.length > 0) await sweepNames()
  return swept
}
