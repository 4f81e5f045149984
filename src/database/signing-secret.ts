import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

const secretBytes = 32

/** Created once. When processes start together, the first one's secret is stored. */
export async function signingSecret(database: Kysely<Tables>, purpose: string): Promise<Buffer> {
  await sql`
    insert into signing_secrets (purpose, secret)
    values (${purpose}, ${randomBytes(secretBytes)})
    on conflict (purpose) do nothing`.execute(database)
  const row = await database
    .selectFrom('signing_secrets')
    .select('secret')
    .where('purpose', '=', purpose)
    .executeTakeFirstOrThrow()
  return row.secret
}
