import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { drawSchema } from '../scripts/generated/schema-sql.ts'
import { createLogger } from '../src/config/logger.ts'
import { readSettings } from '../src/config/settings.ts'
import { migrate } from '../src/database/migrate.ts'
import { migrationsDirectory, readMigrations } from '../src/database/migration-files.ts'
import { openWorld } from '../src/database/open.ts'
import { createKey } from '../src/features/account/index.ts'
import { endFactChange } from '../src/features/facts/index.ts'
import { catchUpSearch } from '../src/features/search/index.ts'
import { verifyVerdictChanges } from '../src/features/verdict-changes/index.ts'
import { serve } from '../src/instance/serve.ts'
import { verifyAll } from '../src/verify/index.ts'
import { withClient } from './harness/client.ts'
import { createBlankDatabase, type TestDatabase } from './harness/database.ts'
import { createTestDirectory, type TestDirectory } from './harness/directory.ts'
import { freePort } from './harness/program.ts'

const baseline = '0001_baseline_0.1.0'
/**
 * Every database stores this checksum. A schema change is a new migration, never an edit of the baseline.
 */
const baselineSha256 = '3625a2da8430c82542c6fbf9df88ef5bcb1eeddb14d489ff8af52d2af62affde'
const rowsOfRelease = fileURLToPath(new URL('releases/0.1.0/rows.sql.gz', import.meta.url))
const laterMigration = fileURLToPath(new URL('releases/later_migration.sql', import.meta.url))

let database: TestDatabase
let directory: TestDirectory
beforeEach(async () => {
  database = await createBlankDatabase()
  directory = await createTestDirectory()
  await addMigration(baseline)
  await migrate(database.connection, directory.path)
  const rows = gunzipSync(await readFile(rowsOfRelease)).toString()
  await withClient({ ...database.connection, options: '-c search_path=public,extensions' }, client =>
    client.query(rows),
  )
})
afterEach(async () => {
  await database.drop()
  await directory.remove()
})

const addMigration = (name: string, file = join(migrationsDirectory, `${name}.sql`)) =>
  copyFile(file, join(directory.path, `${name}.sql`))

const query = async <Row extends pg.QueryResultRow>(text: string) =>
  (await withClient(database.connection, client => client.query<Row>(text))).rows

test('a database of release 0.1.0 opens, verifies and answers as before', async () => {
  // The service deletes answers to a key after 7 days, so they are made current.
  await query('update idempotency_records set created_at = now()')
  const answers = await query<{ idempotency_key: string; body: string }>(
    'select idempotency_key, body from idempotency_records order by idempotency_key',
  )
  const variables = { DATA_DIR: directory.path, DATABASE_URL: database.url, PORT: String(await freePort()) }
  const settings = readSettings(variables)
  const instance = await serve(settings, createLogger('silent'), { jobs: false })
  try {
    const { live } = instance.service
    expect(await verifyAll(live, database.connection)).toMatchObject({ ok: true })
    const [account] = await query<{ account_ref: string }>('select account_ref from accounts')
    const { api_key } = await createKey(live, account?.account_ref as string)
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(new URL(path, settings.baseUrl), {
        headers: { 'x-api-key': api_key, ...headers },
      })
      expect(response.status).toBe(200)
      return response.text()
    }
    expect(answers).toHaveLength(2)
    for (const { idempotency_key: path, body } of answers)
      expect(await ask(path, { 'idempotency-key': path })).toBe(body)
    expect(await query('select used, reserved from account_balances')).toEqual([{ used: '6', reserved: '0' }])
    const { next_cursor, domains } = JSON.parse(answers[0]?.body as string).data
    const next = await ask(`/v1/domains/search?verdict=blocklisted&per_page=2&after=${next_cursor}`)
    const names = (rows: { domain: string }[]) => rows.map(row => row.domain)
    expect(new Set([...names(domains), ...names(JSON.parse(next).data.domains)]).size).toBe(4)
  } finally {
    await instance.stop()
  }
})

test('the baseline is unchanged, and all migrations together create database/schema.sql', async () => {
  const [first, ...later] = await readMigrations(migrationsDirectory)
  expect(first).toMatchObject({ name: baseline, sha256: baselineSha256 })
  for (const { name } of later) {
    await addMigration(name)
    const { applied } = await migrate(database.connection, directory.path)
    expect(applied).toEqual([
      { schema: 'public', name },
      { schema: 'demo', name },
    ])
  }
  const committed = await readFile(new URL('../database/schema.sql', import.meta.url), 'utf8')
  expect(await drawSchema(database.connection)).toBe(committed)
})

test.each(['SIA Laimz', '«ООО» Рога', 'A/S Lotto', 'Αριάδνη', 'Aktiebolaget Spel', 'A.S. Roma'])(
  'the search row of a name that is read anew is rebuilt after the upgrade: %s',
  async name => {
    const [company] = await query<{ id: string }>(
      'select id from companies where merged_into is null limit 1',
    )
    await query(`update companies set company_name = '${name}' where id = ${company?.id}`)
    await query('delete from search_stale')
    for (const { name } of (await readMigrations(migrationsDirectory)).slice(1)) await addMigration(name)
    await migrate(database.connection, directory.path)
    const stale = await query<{ id: string }>("select id from search_stale where subject = 'company'")
    expect(stale).toContainEqual(company)
  },
)

test('descriptions of registers lose the keys that a later release refuses', async () => {
  const described = await readFile(new URL('../docs/examples/jersey-operators.yaml', import.meta.url), 'utf8')
  const stored = described.replace(
    'rows_min: 3',
    'rows_min: 3\nrows_complete: 90 # half\nremoved_share_max: 0.02',
  )
  await query(
    `insert into described_registers values ('jersey.operators', $description$${stored}$description$, now())`,
  )
  for (const { name } of (await readMigrations(migrationsDirectory)).slice(1)) await addMigration(name)
  await migrate(database.connection, directory.path)
  const [row] = await query<{ description: string }>('select description from described_registers')
  expect(row?.description).toBe(described)
})

test('the end of a license that an earlier release gave to the event before gets its own', async () => {
  const lapses = '0029_lapses_of_licenses'
  const names = (await readMigrations(migrationsDirectory)).slice(1).map(({ name }) => name)
  for (const name of names.filter(each => each < lapses)) await addMigration(name)
  await migrate(database.connection, directory.path)
  // Event 7 is the last snapshot, which licensed one site. The license of the other one ended a day ago.
  await query(`update license_states set status = null, expires_at = current_date - 1
                where license_number = 'SPA/MF 9901/2024' and known_to is null`)
  await query(`
    insert into verdict_changes (number, change_ref, domain_id, verdict_before, licensed_by_before,
                                 blocked_by_before, verdict_after, licensed_by_after, blocked_by_after,
                                 markets, cause, occurred_at, detected_at, event)
    select 1, 'vc_of_the_snapshot', id, 'no_record', '[]', '[]', verdict, licensed_by, blocked_by,
           array['au_northern_territory'], 'register', event.at, event.at, number
      from domains, dataset_events event
     where domain = 'kickybird.example' and number = 7
    union all
    select 2, 'vc_of_the_lapse', id, verdict, licensed_by, blocked_by, 'no_record', '[]', '[]',
           array['brazil'], 'register', now(), now(), 7
      from domains
     where domain = 'capivaradasorte.example'`)
  await query(`update domains set verdict = 'no_record', licensed_by = '[]'
                where domain = 'capivaradasorte.example'`)
  await query(`insert into dataset_events (number, kind, at, detail) values (8, 'lapse', now(), '{}')`)

  const live = openWorld('public', { connection: database.connection, onError: () => {} })
  try {
    const differences = async () =>
      (await verifyVerdictChanges(live.database)).differences.map(({ what }) => what)
    expect(await differences()).toEqual(['vc_of_the_lapse'])
    for (const name of names) await addMigration(name)
    await migrate(database.connection, directory.path)
    expect(await query('select change_ref, event::int from verdict_changes order by number')).toEqual([
      { change_ref: 'vc_of_the_snapshot', event: 7 },
      { change_ref: 'vc_of_the_lapse', event: 8 },
    ])
    expect(await differences()).toEqual([])
  } finally {
    await live.close()
  }
})

test('a migration that changes a table and empties search rows leaves a valid database', async () => {
  for (const { name } of (await readMigrations(migrationsDirectory)).slice(1)) await addMigration(name)
  await addMigration('9999_later', laterMigration)
  await migrate(database.connection, directory.path)
  const live = openWorld('public', { connection: database.connection, onError: () => {} })
  try {
    expect((await verifyAll(live)).ok).toBe(false)
    expect(await catchUpSearch(live, endFactChange)).toBe(true)
    expect(await verifyAll(live)).toMatchObject({ ok: true })
    expect(await query('select from domains where labels is null')).toEqual([])
  } finally {
    await live.close()
  }
})
