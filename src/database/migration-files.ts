import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const migrationsDirectory = fileURLToPath(new URL('../../database/migrations', import.meta.url))

export type MigrationFile = {
  /** The name without `.sql`, as the database records it. */
  name: string
  sql: string
  sha256: string
}

/**
 * Returns the files in order. Fails on a file with another name, which would otherwise be skipped silently.
 */
export async function readMigrations(directory: string): Promise<MigrationFile[]> {
  const names = (await readdir(directory)).filter(name => !name.startsWith('.')).sort()
  const files: MigrationFile[] = []
  for (const fileName of names) {
    if (!/^\d{4}_[a-z0-9_.]+\.sql$/.test(fileName)) {
      throw new Error(`${join(directory, fileName)} is not a migration name: use NNNN_what_it_does.sql`)
    }
    const before = files.at(-1)
    if (before?.name.slice(0, 4) === fileName.slice(0, 4)) {
      throw new Error(`${before.name}.sql and ${fileName} have the same number; give the later one the next.`)
    }
    // A checkout on Windows may change line ends.
    const sql = (await readFile(join(directory, fileName), 'utf8')).replaceAll('\r\n', '\n')
    const sha256 = createHash('sha256').update(sql).digest('hex')
    files.push({ name: fileName.slice(0, -'.sql'.length), sql, sha256 })
  }
  if (files.length === 0) throw new Error(`${directory} contains no migrations`)
  return files
}
