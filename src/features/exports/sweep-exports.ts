import type { FileStore } from '../../core/file-store.ts'
import type { Database } from '../../database/open.ts'
import { attemptsWithFile, listPastExpiry, markExpired } from './export-store.ts'
import { attemptOf, exportFolder, isFileOf } from './file-names.ts'

export async function expireExports(database: Database, files: FileStore, now: Date): Promise<number> {
  const past = await listPastExpiry(database, now)
  for (const { id, file_name } of past) {
    // The file first: after a crash the general sweep removes a file without a row.
    await files.remove(file_name)
    await markExpired(database, id)
  }
  return past.length
}

/**
 * Removes files of killed or replaced attempts. Safe while exports run: a row stores its attempt before the
 * file is created.
 */
export function sweepExportFiles(database: Database, files: FileStore): Promise<number> {
  return sweep(database, files, () => true)
}

export function sweepFilesOfExport(database: Database, files: FileStore, id: number): Promise<number> {
  return sweep(database, files, name => isFileOf(id, name))
}

const filesAtOnce = 500

async function sweep(
  database: Database,
  files: FileStore,
  isSelected: (name: string) => boolean,
): Promise<number> {
  let swept = 0
  let names: string[] = []
  async function sweepNames() {
    const attempts = names.map(attemptOf)
    const needed = await attemptsWithFile(
      database,
      attempts.filter(attempt => attempt !== null),
    )
    for (const [index, name] of names.entries()) {
      const attempt = attempts[index] as string | null
      if (attempt !== null && needed.has(attempt)) continue
      await files.remove(name)
      swept += 1
    }
    names = []
  }
  for await (const { name } of files.list(exportFolder)) {
    if (!isSelected(name)) continue
    names.push(name)
    if (names.length === filesAtOnce) await sweepNames()
  }
  if (names.length > 0) await sweepNames()
  return swept
}
