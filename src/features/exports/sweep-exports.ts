import type { FileStore } from '@baize/files'
import type { Database } from '../../database/open.ts'
import type { ExportAttempt } from './attempt.ts'
import { attemptsWithFile, listPastExpiry, markExpired } from './export-store.ts'

const exportFolder = 'exports'

const attemptFile = /^exports\/\d+-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\./

/** Each attempt has its own file, so that two attempts never write the same one. */
export const attemptFileName = ({ id, attemptId, format }: ExportAttempt): string =>
  `${filesOf(id)}${attemptId}.${format}`

const filesOf = (id: number) => `${exportFolder}/${id}-`

/** Returns the id of the attempt that wrote a file, complete or partial, or null for other files. */
const attemptIdOf = (fileName: string): string | null => attemptFile.exec(fileName)?.[1] ?? null

export async function expireExports(database: Database, files: FileStore, now: Date): Promise<number> {
  const past = await listPastExpiry(database, now)
  for (const { id, file_name } of past) {
    // The file is removed first. After a crash in between, the general sweep removes what remains of the
    // export.
    await files.remove(file_name)
    await markExpired(database, id)
  }
  return past.length
}

/**
 * Removes files of killed or replaced attempts. It is safe while exports run, because a row stores its
 * attempt before the file is created.
 */
export function sweepExportFiles(database: Database, files: FileStore): Promise<number> {
  return sweep(database, files, () => true)
}

export function sweepFilesOfExport(database: Database, files: FileStore, id: number): Promise<number> {
  return sweep(database, files, name => name.startsWith(filesOf(id)))
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
    const attempts = names.map(attemptIdOf)
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
