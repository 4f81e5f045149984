import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { demoDirectory } from '../core/demo-directory.ts'
import type { FileStore } from '../core/file-store.ts'
import type { World } from '../database/open.ts'
import { demoAccount, importAccount } from '../features/account/index.ts'
import { endFactChange } from '../features/facts/index.ts'
import { demoDigest, emptyDemo, setDemoRefs, storeDemoDigest, withDemoLock } from './demo-store.ts'
import { importFiles } from './import-files.ts'

const registersDirectory = join(demoDirectory, 'registers')
const logosDirectory = join(demoDirectory, 'logos')

export async function demoFiles(): Promise<string[]> {
  const names = await readdir(demoDirectory)
  return names
    .filter(name => name.endsWith('.ndjson'))
    .sort()
    .map(name => join(demoDirectory, name))
}

export type DemoSnapshot = { stream: string; takenAt: Date; files: string[] }

const readAtTime = 'T05:00:00Z'

/** demo/registers/<stream>/<day>/<file>, in day order. */
export async function demoSnapshots(): Promise<DemoSnapshot[]> {
  const paths = await readdir(registersDirectory, { recursive: true })
  const snapshots = new Map<string, DemoSnapshot>()
  for (const path of paths.sort()) {
    const [stream, day, file] = path.split(/[\\/]/)
    if (stream === undefined || day === undefined || file === undefined) continue
    const key = `${day} ${stream}`
    const snapshot = snapshots.get(key) ?? { stream, takenAt: new Date(`${day}${readAtTime}`), files: [] }
    snapshot.files.push(join(registersDirectory, path))
    snapshots.set(key, snapshot)
  }
  return [...snapshots.keys()].sort().map(key => snapshots.get(key) as DemoSnapshot)
}

/** Applies a snapshot. Passed in, because dataset/ may not import registers/. */
type SyncDemo = (world: World, snapshot: DemoSnapshot) => Promise<void>

/** Reloads the demo schema unless these very files are loaded. Concurrent starts load it once. */
export async function loadDemo(
  world: World,
  sync: SyncDemo,
  store: FileStore,
  now = new Date(),
): Promise<void> {
  const files = await demoFiles()
  const snapshots = await demoSnapshots()
  const logos = (await readdir(logosDirectory)).sort().map(name => join(logosDirectory, name))
  const digest = await digestOf([...files, ...logos, ...snapshots.flatMap(snapshot => snapshot.files)])
  if ((await demoDigest(world.database)) === digest) return
  await withDemoLock(world, async () => {
    if ((await demoDigest(world.database)) === digest) return
    await emptyDemo(world.database)
    const report = await importFiles(world, files, { mode: 'strict', now, files: store })
    if (report.rejected > 0) throw new Error(`demo/ has invalid lines: ${JSON.stringify(report.rejects)}`)
    for (const snapshot of snapshots) await sync(world, snapshot)
    await world.database.transaction().execute(async tx => {
      await setDemoRefs(tx)
      await endFactChange(tx)
      await importAccount(tx, demoAccount)
    })
    await storeDemoDigest(world.database, digest)
  })
}

async function digestOf(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const file of files) {
    hash.update(relative(demoDirectory, file))
    hash.update(await readFile(file))
  }
  return hash.digest('hex')
}
