import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withClient } from '../../test/harness/client.ts'
import { createBlankDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { migrate, pendingMigrations } from './migrate.ts'

let database: TestDatabase
let directory: TestDirectory

beforeEach(async () => {
  database = await createBlankDatabase()
  directory = await createTestDirectory()
  await write(
    '0001_stones',
    'create table stones (name text primary key);\ninsert into stones values (similarity($$a$$, $$a$$));',
  )
})
afterEach(async () => {
  await database.drop()
  await directory.remove()
})

const write = (name: string, sql: string) => writeFile(join(directory.path, `${name}.sql`), sql)
const run = () => migrate(database.connection, directory.path)
const pending = () => pendingMigrations(database.connection, directory.path)
const query = async (sql: string) => (await withClient(database.connection, client => client.query(sql))).rows

test('migrations create both schemas from the same files and use the extensions', async () => {
  const { applied } = await run()
  expect(applied).toEqual([
    { schema: 'public', name: '0001_stones' },
    { schema: 'demo', name: '0001_stones' },
  ])
  const rows = await query('select name from public.stones union all select name from demo.stones')
  expect(rows).toEqual([{ name: '1' }, { name: '1' }])
  const places = await query(
    `select extnamespace::regnamespace::text as schema from pg_extension where extname <> 'plpgsql'`,
  )
  expect(places).toEqual([{ schema: 'extensions' }, { schema: 'extensions' }])
})

test('a second run of the migrations changes nothing', async () => {
  await run()
  expect(await run()).toEqual({ applied: [] })
})

test('a later run applies only new migrations, in order', async () => {
  await run()
  await write('0003_size', 'alter table stones add size int;')
  await write('0002_colour', 'alter table stones add colour text;')
  expect((await run()).applied.map(({ name }) => name)).toEqual([
    '0002_colour',
    '0003_size',
    '0002_colour',
    '0003_size',
  ])
})

test('onPending is called before migrations run, and not without pending ones', async () => {
  await run()
  await write('0002_colour', 'alter table stones add colour text;')
  const reported: { names: string[]; columns: Promise<unknown[]> }[] = []
  const report = (pending: { name: string }[]) =>
    reported.push({
      names: pending.map(({ name }) => name),
      columns: query(`select from information_schema.columns where column_name = 'colour'`),
    })
  // A reader locks the table, so that the migration waits for the check.
  await withClient(database.connection, async reader => {
    await reader.query('begin; lock table public.stones in access share mode')
    const running = migrate(database.connection, directory.path, report)
    await expect.poll(() => reported.length).toBe(1)
    expect(reported[0]?.names).toEqual(['0002_colour', '0002_colour'])
    expect(await reported[0]?.columns).toEqual([])
    await reader.query('commit')
    await running
  })
  await migrate(database.connection, directory.path, report)
  expect(reported).toHaveLength(1)
})

test('if the migrations of one schema are rejected, the other schema is unchanged', async () => {
  await run()
  await query(`insert into demo.applied_migrations values ('0009_of_a_later_release', '')`)
  await write('0002_colour', 'alter table stones add colour text;')
  await expect(run()).rejects.toThrow(/newer than this Baize: schema demo/)
  expect(await query(`select from information_schema.columns where column_name = 'colour'`)).toEqual([])
})

test('five simultaneous starts apply each migration once', async () => {
  const reports = await Promise.all(Array.from({ length: 5 }, run))
  expect(reports.flatMap(report => report.applied)).toHaveLength(2)
})

test('pendingMigrations changes nothing', async () => {
  expect(await pending()).toHaveLength(2)
  expect(await query(`select from pg_namespace where nspname in ('demo', 'extensions')`)).toEqual([])
  await run()
  expect(await pending()).toEqual([])
})

test('a failing migration rolls back, keeps earlier ones, and names file and line', async () => {
  await write('0002_bad', 'create table half (id int);\n\nselect nonsense;')
  await expect(run()).rejects.toThrow(
    '0002_bad.sql, line 3, failed on schema public: column "nonsense" does not exist',
  )
  expect(await query(`select to_regclass('half') as half, to_regclass('stones')::text as stones`)).toEqual([
    { half: null, stones: 'stones' },
  ])
  await write('0002_bad', 'create table half (id int);')
  expect((await run()).applied).toHaveLength(3)
})

test('a migration edited after it ran is rejected; changed line ends are accepted', async () => {
  await run()
  await write(
    '0001_stones',
    'create table stones (name text primary key);\r\ninsert into stones values (similarity($$a$$, $$a$$));',
  )
  expect(await pending()).toEqual([])
  await write('0001_stones', 'create table stones (name text);')
  await expect(run()).rejects.toThrow(/0001_stones\.sql was edited after it had run.*a new migration/)
  await expect(pending()).rejects.toThrow(/was edited/)
})

test('a database newer than the code is rejected', async () => {
  await write('0002_later', 'create table later (id int);')
  await run()
  await rm(join(directory.path, '0002_later.sql'))
  await expect(run()).rejects.toThrow(/newer than this Baize.*0002_later/)
})

test('a migration with a lower number than one that has already run is rejected', async () => {
  await write('0003_size', 'alter table stones add size int;')
  await run()
  await write('0002_colour', 'alter table stones add colour text;')
  await expect(run()).rejects.toThrow(/0002_colour\.sql comes before 0003_size/)
})

test('duplicate numbers and other file names are rejected', async () => {
  await write('0001_again', 'select 1;')
  await expect(run()).rejects.toThrow('0001_again.sql and 0001_stones.sql have the same number')
  await rm(join(directory.path, '0001_again.sql'))
  await mkdir(join(directory.path, 'drafts'))
  await expect(run()).rejects.toThrow(/drafts is not a migration name/)
})

test('an extension in another schema is rejected with the statement that moves it', async () => {
  await query('create extension pg_trgm')
  await expect(run()).rejects.toThrow('alter extension pg_trgm set schema extensions')
})

test('a database that was created before release 0.1.0 is refused and stays as it is', async () => {
  // These tables are those of a database before 0.1.0, whose history had another name.
  await query('create table accounts (id int); create table kysely_migration_checksum (name text)')
  const objects = () =>
    query(
      'select nspname::text as name from pg_namespace union all select relname from pg_class order by name',
    )
  const before = await objects()
  const refused =
    /^The database was created before release 0\.1\.0 .* Use a new DATA_DIR, or an empty database/
  await expect(pending()).rejects.toThrow(refused)
  await expect(run()).rejects.toThrow(refused)
  expect(await objects()).toEqual(before)
})
