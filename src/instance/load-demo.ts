import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { FileStore } from '@baize/files'
import { type ImageFormat, imageFileName } from '@baize/images'
import { demoDirectory } from '../core/demo-directory.ts'
import type { World } from '../database/open.ts'
import { demoAccount, findAccount, importAccount } from '../features/account/index.ts'
import { storedName } from '../features/logos/index.ts'
import { insertDemoPortfolio } from '../features/portfolios/index.ts'
import { demoDigest, insertDemoRows, storeDemoDigest, withDemoLock } from './demo-store.ts'

/**
 * `npm run generate` writes this file from the other files of demo/, because importing those takes seconds.
 */
export const demoRowsFile = join(demoDirectory, 'rows.sql')
const logosDirectory = join(demoDirectory, 'logos')

/** The time of the import in the generated rows. Each installation replaces it by its own time. */
export const demoImportedAt = '2026-11-01T12:34:56.789Z'

/** Reloads the demo schema unless exactly these rows are loaded. Concurrent starts load them once. */
export async function loadDemo(world: World, files: FileStore, now = new Date()): Promise<void> {
  const rows = await readFile(demoRowsFile, 'utf8')
  const digest = createHash('sha256').update(rows).digest('hex')
  if ((await demoDigest(world.database)) === digest) return
  await withDemoLock(world, async () => {
    if ((await demoDigest(world.database)) === digest) return
    await storeLogoFiles(files)
    await world.database.transaction().execute(async tx => {
      await insertDemoRows(tx, rows.replaceAll(demoImportedAt, now.toISOString()))
      await importAccount(tx, demoAccount, undefined)
      const account = await findAccount(tx, demoAccount.key)
      if (account !== undefined) await insertDemoPortfolio(tx, account.id, now)
      await storeDemoDigest(tx, digest)
    })
  })
}

/** Stores the images of demo/ as an import would. */
async function storeLogoFiles(files: FileStore): Promise<void> {
  for (const name of await readdir(logosDirectory)) {
    const image = await readFile(join(logosDirectory, name))
    const format = extname(name).slice(1) as ImageFormat
    await files.put(storedName(imageFileName(image, format)), Readable.from([image]))
  }
}
