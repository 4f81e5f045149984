import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileStore } from '@baize/files'
import { sql } from 'kysely'
import { demoDirectory } from '../../src/core/demo-directory.ts'
import type { Database, World } from '../../src/database/open.ts'
import { importFiles } from '../../src/dataset/index.ts'
import { importStream } from '../../src/journal/events-store.ts'
import { discardSnapshot, findStream, sourceFileFrom, syncRegister } from '../../src/registers/index.ts'

const registersDirectory = join(demoDirectory, 'registers')
const readAtTime = 'T05:00:00Z'

/** `discardedBecause` is the reason why the snapshot was discarded a day later. */
type DemoSnapshot = { stream: string; takenAt: Date; files: string[]; discardedBecause?: string }

const discardedFile = 'discarded.txt'
const dayMs = 86_400_000

export async function demoFiles(): Promise<string[]> {
  const names = await readdir(demoDirectory)
  return names
    .filter(name => name.endsWith('.ndjson'))
    .sort()
    .map(name => join(demoDirectory, name))
}

/** Reads demo/registers/<stream>/<day>/<file> in the order of days. The file `discarded.txt` has a reason. */
export async function demoSnapshots(): Promise<DemoSnapshot[]> {
  const paths = await readdir(registersDirectory, { recursive: true })
  const snapshots = new Map<string, DemoSnapshot>()
  for (const path of paths.sort()) {
    const [stream, day, file] = path.split(/[\\/]/)
    if (stream === undefined || day === undefined || file === undefined) continue
    const key = `${day} ${stream}`
    const snapshot = snapshots.get(key) ?? { stream, takenAt: new Date(`${day}${readAtTime}`), files: [] }
    const inFull = join(registersDirectory, path)
    if (file === discardedFile) snapshot.discardedBecause = (await readFile(inFull, 'utf8')).trim()
    else snapshot.files.push(inFull)
    snapshots.set(key, snapshot)
  }
  return [...snapshots.keys()].sort().map(key => snapshots.get(key) as DemoSnapshot)
}

export async function importDemo(world: World, files: FileStore, now = new Date()): Promise<void> {
  const report = await importFiles(world, await demoFiles(), { mode: 'strict', files, now })
  if (report.rejected > 0) throw new Error(`demo/ is rejected: ${JSON.stringify(report.rejects)}`)
}

/** Syncs each snapshot at its own time, so that the result does not depend on the moment of loading. */
export async function syncDemoRegisters(world: World): Promise<void> {
  for (const { stream: key, takenAt, files, discardedBecause: reason } of await demoSnapshots()) {
    const stream = findStream(key)
    if (stream === undefined) throw new Error(`demo/registers names ${key}, which is not a stream`)
    const sources = await Promise.all(files.map(sourceFileFrom))
    const {
      status,
      reasons,
      snapshot_ref: snapshotRef,
    } = await syncRegister(world, stream, sources, { takenAt, now: takenAt })
    if (status !== 'applied') throw new Error(`${key} of ${takenAt.toISOString()} is ${status}: ${reasons}`)
    if (reason === undefined || snapshotRef === null) continue
    await discardSnapshot(world, { snapshotRef, reason, now: new Date(takenAt.getTime() + dayMs) })
  }
}

/**
 * Sets guessable refs, so that documented examples work everywhere. This is safe, because the demo is free.
 */
export async function setDemoRefs(database: Database): Promise<void> {
  await sql`
    update companies company
       set company_ref = 'co_' || left(md5('company ' || named.identity_key), 20)
      from (
        select distinct on (company_id) company_id,
               case when stream = ${importStream} then identity_key
                    else stream || ' ' || identity_key end as identity_key
          from company_identities
         order by company_id, stream <> ${importStream}, stream collate "C", identity_key collate "C"
      ) named
     where named.company_id = company.id`.execute(database)
  await sql`update domains set domain_ref = 'dom_' || left(md5('domain ' || domain), 20)`.execute(database)
  await sql`
    update contacts
       set contact_ref = 'con_'
             || left(md5('contact ' || company_key || ' ' || coalesce(profile_key, name_key)), 20)
  `.execute(database)
  await sql`update licenses set license_ref = 'lic_' || left(md5('license ' || record_key), 20)`.execute(
    database,
  )
  await sql`
    update register_snapshots set snapshot_ref = 'snap_' || left(md5('snapshot ' || stream || ' ' || id), 20)
  `.execute(database)
  const changeRef = (number: string) => sql`'vc_' || left(md5('change ' || ${sql.ref(number)}), 24)`
  await sql`
    update verdict_changes change
       set correction_of = ${changeRef('earlier.number')}
      from verdict_changes earlier
     where earlier.change_ref = change.correction_of`.execute(database)
  await sql`update verdict_changes set change_ref = ${changeRef('number')}`.execute(database)
}
