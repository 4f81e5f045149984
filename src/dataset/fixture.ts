import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileStore } from '@baize/files'
import { openFileStore } from '@baize/files'
import { sql } from 'kysely'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { createTestDirectory } from '../../test/harness/directory.ts'
import { emptyTables } from '../../test/harness/empty-tables.ts'
import { openWorld, type World } from '../database/open.ts'
import { readEvents } from '../journal/index.ts'
import { dumpWorld } from './dump/dump-world.ts'
import { type ImportOptions, importFiles } from './import-files.ts'
import type { ImportReport } from './import-report.ts'
import { type RecordedImport, replayImport } from './index.ts'

export type Line = Record<string, unknown>

export const loadedAt = new Date('2026-05-05T05:05:05.000Z')
export const later = new Date('2027-05-05T05:05:05.000Z')

export type TestWorld = {
  world: World
  /** A test can open a second World with this connection, as another process does. */
  connection: TestDatabase['connection']
  url: string
  /** Writes the lines to a new file and loads it. Strings are written unchanged. */
  load(lines: readonly (Line | string)[], options?: Partial<ImportOptions>): Promise<ImportReport>
  write(lines: readonly (Line | string)[]): Promise<string>
  directory: string
  files: FileStore
  dump(): Promise<string[]>
  empty(): Promise<void>
  close(): Promise<void>
}

/** Tables that reference these tables are emptied too. */
const emptied = [
  'companies',
  'company_identities',
  'domains',
  'domain_listings',
  'domain_counts',
  'domain_companies',
  'licenses',
  'license_states',
  'authorisations',
  'blocklist_entries',
  'observations',
  'platforms',
  'platform_readings',
  'logo_subjects',
  'logo_names',
  'logo_stale_companies',
  'logos',
  'register_streams',
  'accounts',
  'api_keys',
  'account_balances',
  'dataset_events',
  'verdict_changes',
  'former_authorisations',
  'former_blocklist_entries',
  'former_license_states',
  'former_licensee_states',
  'former_domain_companies',
  'kept_files',
  'kept_chunks',
  'signals',
  'signal_counts',
  'signal_months',
  'signal_totals',
]

export async function openTestWorld(): Promise<TestWorld> {
  const database = await createTestDatabase()
  const world = openWorld('public', { connection: database.connection })
  const { path: directory, remove } = await createTestDirectory()
  const store = openFileStore({ kind: 'folder', path: join(directory, 'store') })
  let files = 0

  async function write(lines: readonly (Line | string)[]): Promise<string> {
    files += 1
    const file = join(directory, `${files}.ndjson`)
    await writeFile(
      file,
      lines.map(line => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
    )
    return file
  }

  return {
    world,
    connection: database.connection,
    url: database.url,
    write,
    directory,
    files: store,
    async load(lines, options = {}) {
      return importFiles(world, [await write(lines)], {
        mode: 'strict',
        now: loadedAt,
        files: store,
        ...options,
      })
    },
    async dump() {
      const lines: string[] = []
      await dumpWorld(world, line => void lines.push(line))
      return lines
    },
    async empty() {
      await emptyTables(world.database, emptied)
      await sql`update signal_sequence set last_number = 0`.execute(world.database)
    },
    async close() {
      await world.close()
      await database.drop()
      await remove()
    },
  }
}

export async function recordedImports({ world }: TestWorld) {
  const events: { kind: string; at: Date; detail: RecordedImport }[] = []
  for await (const { kind, at, detail } of readEvents(world.database)) {
    events.push({ kind, at, detail: detail as RecordedImport })
  }
  return events
}

export async function replayImports(from: TestWorld, to: TestWorld): Promise<void> {
  for (const { detail, at } of await recordedImports(from)) {
    await replayImport(to.world, from.world.database, detail, { now: at })
  }
}
