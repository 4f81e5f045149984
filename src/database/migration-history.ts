import type pg from 'pg'
import { UnfitDatabase } from './errors.ts'
import type { MigrationFile } from './migration-files.ts'
import type { WorldName } from './pool.ts'

/**
 * Kysely remembers which migrations ran, not what they said: that stands here, so that an edit is noticed. The names
 * begin alike, by which the picture and the generated types tell bookkeeping from the schema.
 */
export const checksumTable = 'kysely_migration_checksum'

export type AppliedMigration = { name: string; sha256: string }

/** What has been applied to one schema, oldest first; nothing when it was never migrated. */
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

/** The files that are still to run. Refuses a history that these files cannot carry on. */
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
        `The database is newer than this Baize: schema ${schema} has had the migration ${name}, which is not here. ` +
          'Run the release that made it, or a later one; migrations go forward only.',
      )
    }
    if (file.sha256 !== sha256) {
      throw new UnfitDatabase(
        `${name}.sql was edited after it had run on schema ${schema}. What ran cannot be changed: put the file back ` +
          'as it was, and write the change as a new migration with the next number.',
      )
    }
  }
  const pending = files.filter(file => !applied.some(({ name }) => name === file.name))
  const late = pending.find(file => file.name < last)
  if (late) {
    throw new UnfitDatabase(
      `${late.name}.sql comes before ${last}, which has run already; give it the next free number.`,
    )
  }
  return pending
}
