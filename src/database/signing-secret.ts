import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

const secretBytes = 32

/**
 * Returns the secret, which is created once. When processes start together, the first one's secret is
 * stored. A stored secret is only read, because read-only transactions ask for it, too.
 */
export async function signingSecret(database: Kysely<Tables>, purpose: string): Promise<Buffer> {
  const stored = database.selectFrom('signing_secrets').select('secret').where('purpose', '=', purpose)
  const found = await stored.executeTakeFirst()
  if (found !== undefined) return found.secret
  await sql`
    insert into signing_secrets (purpose, secret)
    values (${purpose}, ${randomBytes(secretBytes)})
    on conflict (purpose) do nothing`.execute(database)
  return (await stored.executeTakeFirstOrThrow()).secret
}
