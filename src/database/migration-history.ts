import type pg from 'pg'
import { UnfitDatabase } from './errors.ts'
import type { MigrationFile } from './migration-files.ts'
import type { WorldName } from './pool.ts'

/** What has run, and as which text. Generated files omit tables whose names begin with kysely. */
export const checksumTable = 'kysely_migration_checksum'

export type AppliedMigration = { name: string; sha256: string }

/** Oldest first. */
export async function readHistory(client: pg.ClientBase, schema: WorldName): Promise<AppliedMigration[]> {
  const table = `${schema}.${checksumTable}`
  const found = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
    table,
  ])
  if (!found.rows[0]?.exists) return []
  const { rows } = await client.query<AppliedMigration>(
    `select name, sha256 from ${table} order by name collate "C"`,
  )
  return rows
}

/** Fails if the files cannot continue this history. */
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
