import { UnfitDatabase } from '@baize/postgres'
import type pg from 'pg'

const versionMin = 15

/**
 * The extensions have a separate schema, because both worlds use them and neither may see the other's
 * tables.
 */
const extensions = ['pg_trgm', 'unaccent'] as const

/** Creates the schemas and extensions. The caller has the migration lock. */
export async function prepareDatabase(client: pg.ClientBase): Promise<void> {
  await requireServer(client)
  await client.query('create schema if not exists extensions')
  for (const name of extensions) {
    await client.query(`create extension if not exists ${name} with schema extensions`)
  }
  await requireExtensionsSchema(client)
  await client.query('create schema if not exists demo')
}

async function requireServer(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string }>(
    `select current_setting('server_version_num')::int / 10000 as version,
            pg_encoding_to_char(encoding) as encoding
       from pg_database
      where datname = current_database()`,
  )
  const { version = 0, encoding = '' } = rows[0] ?? {}
  if (version < versionMin) {
    throw new UnfitDatabase(
      `Baize needs PostgreSQL ${versionMin} or newer; the server of DATABASE_URL is ${version}.`,
    )
  }
  if (encoding !== 'UTF8')
    throw new UnfitDatabase(
      `Baize needs a database with encoding UTF8; the encoding of DATABASE_URL is ${encoding}.`,
    )
}

/**
 * Refuses an extension in another schema, which `if not exists` accepts. The search path contains only
 * ours.
 */
async function requireExtensionsSchema(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string; schema: string }>(
    `select extname as name, nspname as schema
       from pg_extension extension
       join pg_namespace namespace on namespace.oid = extension.extnamespace
      where extname = any ($1) and nspname <> 'extensions'`,
    [extensions],
  )
  for (const { name, schema } of rows) {
    throw new UnfitDatabase(
      `The extension ${name} is in schema ${schema} of this database. ` +
        `Move it: alter extension ${name} set schema extensions`,
    )
  }
}
