import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { World } from '../database/open.ts'
import { demoAccount, importAccount } from '../features/account/index.ts'
import { demoDigest, emptyDemo, keepDemoDigest, nameDemoRefs, withDemoLock } from './demo-store.ts'
import { importFiles } from './import-files.ts'

const demoDirectory = fileURLToPath(new URL('../../demo/', import.meta.url))

/** The files of the fictional world, in the order of their names. */
export async function demoFiles(): Promise<string[]> {
  const names = await readdir(demoDirectory)
  return names
    .filter(name => name.endsWith('.ndjson'))
    .sort()
    .map(name => join(demoDirectory, name))
}

/**
 * Makes the demo schema hold what demo/ says: a world of other files is emptied and loaded anew, so that no fact of an
 * earlier release stays behind. Of processes that start at once, one loads and the others find it done.
 */
export async function loadDemo(world: World, now = new Date()): Promise<void> {
  const files = await demoFiles()
  const hash = createHash('sha256')
  for (const file of files) hash.update(await readFile(file))
  const digest = hash.digest('hex')
  if ((await demoDigest(world.database)) === digest) return
  await withDemoLock(world, async () => {
    if ((await demoDigest(world.database)) === digest) return
    await emptyDemo(world.database)
    const report = await importFiles(world, files, { mode: 'strict', now })
    if (report.rejected > 0) throw new Error(`demo/ cannot be loaded: ${JSON.stringify(report.rejects)}`)
    await nameDemoRefs(world.database)
    await world.database.transaction().execute(tx => importAccount(tx, demoAccount))
    await keepDemoDigest(world.database, digest)
  })
}
