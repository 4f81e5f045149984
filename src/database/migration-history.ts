import { UnfitDatabase } from '@baize/postgres'
import type pg from 'pg'
import type { MigrationFile } from './migration-files.ts'
import type { WorldName } from './open.ts'

/** This table lists the migrations that ran on a schema, with the checksums of their texts. */
export const historyTable = 'applied_migrations'

export type AppliedMigration = { name: string; sha256: string }

/** Returns the applied migrations, the oldest first. */
export async function readHistory(client: pg.ClientBase, schema: WorldName): Promise<AppliedMigration[]> {
  const table = `${schema}.${historyTable}`
  const found = await client.query<{ history: boolean; accounts: boolean }>(
    'select to_regclass($1) is not null as history, to_regclass($2) is not null as accounts',
    [table, `${schema}.accounts`],
  )
  const [exists] = found.rows
  if (!exists?.history && exists?.accounts)
    throw new UnfitDatabase(
      'The database was created before release 0.1.0 and cannot be opened; nothing was changed. ' +
        'Use a new DATA_DIR, or an empty database in DATABASE_URL.',
    )
  if (!exists?.history) return []
  const { rows } = await client.query<AppliedMigration>(
    `select name, sha256 from ${table} order by name collate "C"`,
  )
  return rows
}

/** Returns the files that have not run. Fails if they cannot continue this history. */
export function pendingFiles(
  schema: WorldName,
  applied: AppliedMigration[],
  files: MigrationFile[],
): MigrationFile[] {
  const byName = new Map(files.map(file => [file.name, file]))
  const last = applied.at(-1)?.name ?? ''
  for (const { name, sha256 } of applied) {
    const file = byName.get(name)
    if (file === undefined) {
      throw new UnfitDatabase(
        `The database is newer than this Baize: schema ${schema} has the migration ${name}, ` +
          'which this release lacks. Run the release that created it, or a later one. ' +
          'Migrations cannot be undone.',
      )
    }
    if (file.sha256 !== sha256) {
      throw new UnfitDatabase(
        `${name}.sql was edited after it had run on schema ${schema}. Restore the file, and ` +
          'write the change as a new migration with the next number.',
      )
    }
  }
  const pending = files.filter(file => !applied.some(({ name }) => name === file.name))
  const late = pending.find(file => file.name < last)
  if (late) {
    throw new UnfitDatabase(
      `${late.name}.sql comes before ${last}, which has already run. Give it the next free number.`,
    )
  }
  return pending
}
