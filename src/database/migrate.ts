import { requireSessions, ServerClient } from '@baize/postgres'
import type pg from 'pg'
import { type MigrationFile, migrationsDirectory, readMigrations } from './migration-files.ts'
import { historyTable, pendingFiles, readHistory } from './migration-history.ts'
import { withMigrationLock } from './migration-lock.ts'
import type { WorldName } from './open.ts'
import { prepareDatabase } from './prepare-database.ts'

export type SchemaMigration = { schema: WorldName; name: string }

export type MigrationReport = {
  applied: SchemaMigration[]
}

const schemas: readonly WorldName[] = ['public', 'demo']

/**
 * Applies migrations. It is safe when several processes start together. Each migration is a transaction and
 * can take minutes.
 */
export async function migrate(
  connection: pg.PoolConfig,
  directory = migrationsDirectory,
  onPending: (pending: SchemaMigration[]) => void = () => {},
): Promise<MigrationReport> {
  const files = await readMigrations(directory)
  await requireSessions(connection)
  return withMigrationLock(connection, async client => {
    // This check comes first, because it changes nothing and refuses databases that do not fit.
    const pending = await pendingOf(client, files)
    await prepareDatabase(client)
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

/** Fails if migrate() would reject the database's history. */
export async function pendingMigrations(
  connection: pg.PoolConfig,
  directory = migrationsDirectory,
): Promise<SchemaMigration[]> {
  const files = await readMigrations(directory)
  const client = new ServerClient(connection)
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
  const client = new ServerClient({ ...connection, settings: { search_path: `${schema},extensions` } })
  await client.connect()
  try {
    await client.query(
      `create table if not exists ${historyTable} (name text primary key, sha256 text not null)`,
    )
    const pending = pendingFiles(schema, await readHistory(client, schema), files)
    for (const file of pending) await runMigration(client, schema, file)
    return pending.map(file => file.name)
  } finally {
    await client.end() // Ending the connection rolls back uncommitted changes.
  }
}

async function runMigration(
  client: pg.ClientBase,
  schema: WorldName,
  { name, sql, sha256 }: MigrationFile,
): Promise<void> {
  await client.query('begin')
  try {
    await client.query(sql)
  } catch (error) {
    throw new Error(
      `${name}.sql${lineOf(error, sql)} failed on schema ${schema}: ${(error as Error).message}`,
      { cause: error },
    )
  }
  await client.query(`insert into ${historyTable} (name, sha256) values ($1, $2)`, [name, sha256])
  await client.query('commit')
}

/** Converts PostgreSQL's position, which counts characters, to a line. */
function lineOf(error: unknown, text: string): string {
  const position = Number((error as { position?: string }).position)
  return position > 0 ? `, line ${text.slice(0, position).split('\n').length},` : ''
}
