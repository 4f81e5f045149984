import type { FileStore } from '../../core/file-store.ts'
import type { Database } from '../../database/open.ts'
import { logoFolder, storedName } from './logo-file.ts'
import { readUnreferenced, tryLockLogoSweep } from './logo-sweep-store.ts'

/** What was copied there by hand, for a dump that is about to be loaded, gets so long. */
const ageMsMin = 60 * 60_000
const filesAtOnce = 100
/** What a sweep leaves the next one takes. */
const sweptMax = 5_000

/**
 * Takes the stored logos that no row names: of an import that was refused or killed, or of a demo world that was replaced.
 * Files of superseded, withdrawn and rejected images are named, and stay. Tells how many it took.
 */
export async function sweepLogoFiles(database: Database, files: FileStore, now: Date): Promise<number> {
  const modifiedBefore = now.getTime() - ageMsMin
  let swept = 0
  let old: string[] = []
  for await (const { name, modifiedAt } of files.list(logoFolder)) {
    if (modifiedAt.getTime() >= modifiedBefore) continue
    old.push(name.slice(storedName('').length))
    if (old.length < filesAtOnce) continue
    swept += await sweepUnnamed(database, files, old)
    if (swept >= sweptMax) return swept
    old = []
  }
  return old.length === 0 ? swept : swept + (await sweepUnnamed(database, files, old))
}

/** Asks twice: under the lock, under which nothing is stored, only where there is something to take. */
async function sweepUnnamed(
  database: Database,
  files: FileStore,
  fileNames: readonly string[],
): Promise<number> {
  const candidates = await readUnreferenced(database, fileNames)
  if (candidates.length === 0) return 0
  return database.transaction().execute(async tx => {
    if (!(await tryLockLogoSweep(tx))) return 0
    const unnamed = await readUnreferenced(tx, candidates)
    for (const fileName of unnamed) await files.remove(storedName(fileName))
    return unnamed.length
  })
}
