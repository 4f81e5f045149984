import type { FileStore } from '../core/file-store.ts'
import type { World } from '../database/open.ts'
import { type DemoSnapshot, loadDemo } from '../dataset/index.ts'
import { findStream, sourceFileFrom, syncRegister } from '../registers/index.ts'

export function loadDemoWorld(world: World, files: FileStore, now = new Date()): Promise<void> {
  return loadDemo(world, syncDemoSnapshot, files, now)
}

/** Syncs at the time of the snapshot, so that the demo world does not depend on when it is loaded. */
export async function syncDemoSnapshot(world: World, snapshot: DemoSnapshot): Promise<void> {
  const { takenAt, files } = snapshot
  const stream = findStream(snapshot.stream)
  if (stream === undefined) throw new Error(`demo/registers names ${snapshot.stream}, which is not a stream`)
  const sources = await Promise.all(files.map(sourceFileFrom))
  const report = await syncRegister(world, stream, sources, { takenAt, now: takenAt })
  if (report.status !== 'applied')
    throw new Error(
      `demo/ cannot be loaded: ${snapshot.stream} of ${takenAt.toISOString()} is ${report.status}: ` +
        report.reasons.join('; '),
    )
}
