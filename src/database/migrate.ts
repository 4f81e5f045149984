import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'
import { type MigrationFile, migrationsDirectory, readMigrations } from './migration-files.ts'
import { checksumTable, pendingFiles, readHistory } from './migration-history.ts'
import { withMigrationLock } from './migration-lock.ts'
import type { WorldName } from './pool.ts'
import { prepareDatabase } from './prepare-database.ts'

export type SchemaMigration = { schema: WorldName; name: string }

export type MigrationReport = {
  applied: SchemaMigration[]
}

const schemas: readonly WorldName[] = ['public', 'demo']

/** Safe when several processes start together. Each migration is a transaction; they can take minutes. */
export async function migrate(
  connection: pg.PoolConfig,
  directory = migrationsDirectory,
  onPending: (pending: SchemaMigration[]) => void = () => {},
): Promise<MigrationReport> {
  const files = await readMigrations(directory)
  return withMigrationLock(connection, async client => {
    await prepareDatabase(client)
    const pending = await pendingOf(client, files)
    if (pending.length > 0) onPending(pending)
    const applied: SchemaMigration[] = []
    for (const schema of schemas) {
      if (!pending.some(each => each.schema === schema)) continue
      for (const name of await runPending(connection, schema, files)) applied.push({ schema, name })
    }
    return { applied }
  })
}

export async function migrateSchema(connection: pg.PoolConfig, schema: WorldName): Promise<void> {
  await runPending(connection, schema, await readMigrations(migrationsDirectory))
}

/** Fails where migrate() would reject the database's history. */
export async function pendingMigrations(
  connection: pg.PoolConfig,
  directory = migrationsDirectory,
): Promise<SchemaMigration[]> {
  const files = await readMigrations(directory)
  const client = new pg.Client(connection)
  client.on('error', () => {}) // the running query fails with it
  await client.connect()
  try {
    return await pendingOf(client, files)
  } finally {
    await client.end()
  }
}

async function pendingOf(client: pg.ClientBase, files: MigrationFile[]): Promise<SchemaMigration[]> {
  const pending: SchemaMigration[] = []
  for (const schema of schemas) {
    const history = await readHistory(client, schema)
    for (const { name } of pendingFiles(schema, history, files)) pending.push({ schema, name })
  }
  return pending
}

async function runPending(
  connection: pg.PoolConfig,
  schema: WorldName,
  files: MigrationFile[],
): Promise<string[]> {
  const pool = new pg.Pool({ ...connection, max: 1, options: `-c search_path=${schema},extensions` })
  pool.on('error', () => {})
  const database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    await sql`
      create table if not exists ${sql.table(checksumTable)}
        (name text primary key, sha256 text not null)`.execute(database)
    const migrations = Object.fromEntries(files.map(file => [file.name, asMigration(file, schema)]))
    const migrator = new Migrator({
      db: database,
      provider: { getMigrations: async () => migrations },
      migrationTableSchema: schema,
      nameComparator: (one, other) => (one < other ? -1 : 1),
    })
    const applied: string[] = []
    // One by one: Kysely would run all pending migrations in one transaction.
    for (;;) {
      const { error, results = [] } = await migrator.migrateUp()
      if (error) throw error
      if (results.length === 0) return applied
      applied.push(...results.map(result => result.migrationName))
    }
  } finally {
    await database.destroy()
  }
}

function asMigration({ name, sql: text, sha256 }: MigrationFile, schema: WorldName): Migration {
  return {
    async up(database: Kysely<unknown>) {
      try {
        await sql.raw(text).execute(database)
      } catch (error) {
        throw new Error(
          `${name}.sql${lineOf(error, text)} failed on schema ${schema}: ${(error as Error).message}`,
          {
            cause: error,
          },
        )
      }
      await sql`insert into ${sql.table(checksumTable)} (name, sha256) values (${name}, ${sha256})`.execute(
        database,
      )
    },
  }
}

/** PostgreSQL reports the position in characters. */
function lineOf(error: unknown, text: string): string {
  const position = Number((error as { position?: string }).position)
  return position > 0 ? `, line ${text.slice(0, position).split('\n').length},` : ''
}
