import type { FileStore } from '@baize/files'
import type { Database } from '../../database/open.ts'
import { logoFolder, storedName } from './kinds.ts'
import { readUnreferenced, tryLockLogoSweep } from './logo-sweep-store.ts'

/** Younger files stay, because files may be copied by hand before their dump is imported. */
const ageMsMin = 60 * 60_000
const filesAtOnce = 100
const sweptMax = 5_000

export async function sweepLogoFiles(database: Database, files: FileStore, now: Date): Promise<number> {
  const modifiedBefore = now.getTime() - ageMsMin
  let swept = 0
  let old: string[] = []
  for await (const { name, modifiedAt } of files.list(logoFolder)) {
    if (modifiedAt.getTime() >= modifiedBefore) continue
    old.push(name.slice(storedName('').length))
    if (old.length < filesAtOnce) continue
    swept += await sweepUnreferenced(database, files, old)
    if (swept >= sweptMax) return swept
    old = []
  }
  return old.length === 0 ? swept : swept + (await sweepUnreferenced(database, files, old))
}

async function sweepUnreferenced(
  database: Database,
  files: FileStore,
  fileNames: readonly string[],
): Promise<number> {
  const candidates = await readUnreferenced(database, fileNames)
  if (candidates.length === 0) return 0
  return database.transaction().execute(async tx => {
    if (!(await tryLockLogoSweep(tx))) return 0
    const unreferenced = await readUnreferenced(tx, candidates)
    for (const fileName of unreferenced) await files.remove(storedName(fileName))
    return unreferenced.length
  })
}
