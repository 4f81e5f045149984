import { openPool } from '@baize/postgres'
import type { Reading } from '@baize/registers'
import { sql } from 'kysely'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { withClient } from '../../../test/harness/client.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { createLogger } from '../../config/logger.ts'
import { openWorld, type World } from '../../database/open.ts'
import { createAccount, requireAccount } from '../../features/account/index.ts'
import { ensureUser } from '../../features/members/index.ts'
import {
  assignProspectList,
  cancelProspectList,
  createProspectList,
  listProspectListsForStaff,
  prepareProspectList,
  requestProspectList,
  unhandledRequestDays,
} from '../../features/prospect-lists/index.ts'
import { createLink, findSession, insertSession } from '../../features/sessions/index.ts'
import { startWorker } from '../../jobs/index.ts'
import { preparePartitions } from '../../metering/housekeeping.ts'
import { reserve } from '../../metering/reservations.ts'
import { Settler } from '../../metering/settle.ts'
import { fetchRegister } from '../../registers/acquire/fetch-register.ts'
import { writeProbe } from '../../registers/acquire/probes-store.ts'
import { entry, fakeStream, fileOf } from '../../registers/fixture.ts'
import { type Stream, syncRegister, watchRegister } from '../../registers/index.ts'
import { createRegisterMetrics } from '../metrics.ts'
import { housekeepingTasks } from './housekeeping-tasks.ts'

const probe = { reasons: [], foundUrl: null, mediaType: null, rows: null, newestDate: null }

let database: TestDatabase
let world: World
let now: Date

beforeAll(async () => {
  database = await createTestDatabase()
  world = openWorld('public', { connection: database.connection })
})
beforeEach(() => {
  now = new Date()
})
afterAll(async () => {
  await world.close()
  await database.drop()
})

const tasks = (usageKeepMonths: number | null = null) =>
  housekeepingTasks({ now: () => now, usageKeepMonths })

async function run(name: string, from = tasks()): Promise<void> {
  const task = from.find(each => each.name === name)
  if (task === undefined) throw new Error(`there is no task ${name}`)
  expect(task.everyMinute).toBe(true)
  const { signal } = new AbortController()
  await task.run({}, { world, log: createLogger('silent'), signal })
}

async function months(table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select child.relname as name
      from pg_inherits join pg_class child on child.oid = inhrelid
     where inhparent = ${table}::regclass
     order by 1`.execute(world.database)
  return rows.map(({ name }) => name.slice(table.length + 1)).filter(name => name !== 'default')
}

async function reserved(accountRef: string): Promise<number> {
  return (await requireAccount(world, accountRef)).reserved
}

async function abandonedReservation(): Promise<string> {
  const account = await createAccount(world, { name: 'x', plan: 'free', creditsGranted: 9 })
  const { id: accountId } = await requireAccount(world, account.account_ref)
  const pool = openPool(database.connection, 'public')
  await reserve(new Settler(pool), {
    accountId,
    credits: 4,
    creditsMin: 4,
    purpose: 'export',
    now: new Date(now.getTime() - 3_600_000),
  })
  await pool.end()
  return account.account_ref
}

test('the alerts of a register are logged once a day, and shown as metrics', async () => {
  const list = (key: string) => fakeStream(key, { covers: ['blocklist'] })
  const [stale, quarantined] = [list('otterland.blocklist'), list('heronia.blocklist')]
  const entries = (name: string, count: number) =>
    Array.from({ length: count }, (_, number) => entry(`${name}-${number}.example`))
  const sync = (stream: Stream, rows: Reading[], takenAt: Date) =>
    syncRegister(world, stream, [fileOf(...rows)], { takenAt, now: takenAt })
  const longAgo = new Date(now.getTime() - 4 * 86_400_000)
  await sync(stale, entries('otter', 40), longAgo)
  await sync(quarantined, entries('heron', 60), longAgo)
  await sync(quarantined, entries('heron', 10), now)
  await watchRegister(world, stale, { allowedHosts: [] })
  const refused = await fetchRegister(world, stale, {
    now,
    network: { allowedHosts: [], dnsServers: ['127.0.0.1:9'], caFile: null, connectTo: [], proxy: null },
  })
  await writeProbe(world.database, quarantined.key, { ...probe, at: now, changes: ['new column: Seat'] })

  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'warn' }, { write: line => void lines.push(JSON.parse(line)) })
  const from = tasks()
  const report = from.find(each => each.name === 'report_registers')
  const context = { world, log, signal: new AbortController().signal }
  await report?.run({}, context)
  await report?.run({}, context)
  expect(lines.map(({ stream, alert, reasons, changes }) => [stream, alert, reasons ?? changes])).toEqual([
    ['heronia.blocklist', 'held', expect.arrayContaining([expect.stringContaining('10 entries after 60')])],
    ['heronia.blocklist', 'stale', undefined],
    ['heronia.blocklist', 'layout_changed', ['new column: Seat']],
    ['otterland.blocklist', 'stale', undefined],
    ['otterland.blocklist', 'failing', refused.reasons],
  ])

  const registry = new Registry()
  createRegisterMetrics(registry, world.database)
  const shown = await registry.metrics()
  expect(shown).toContain(`baize_registers_stale{stream="otterland.blocklist"} ${longAgo.getTime() / 1_000}`)
  expect(shown).toContain('baize_registers_held{stream="heronia.blocklist"}')
  expect(shown).toContain('baize_registers_failing{stream="otterland.blocklist"} 1')
  expect(shown).toContain('baize_registers_layout_changed{stream="heronia.blocklist"} 1')
})

test('partitions of the next months are created in advance', async () => {
  now = new Date('2031-11-15T00:00:00Z')
  await run('prepare_months')
  for (const table of ['usage_records', 'ledger_entries'])
    expect(await months(table)).toEqual(expect.arrayContaining(['2031_11', '2031_12', '2032_01']))
})

test('reservations of dead processes are released', async () => {
  const accountRef = await abandonedReservation()
  expect(await reserved(accountRef)).toBe(4)
  await run('sweep_reservations')
  expect(await reserved(accountRef)).toBe(0)
})

test('a locked account does not delay other accounts, and its reservations are released later', async () => {
  const [busy, free] = [await abandonedReservation(), await abandonedReservation()]
  await withClient(database.connection, async client => {
    const { id } = await requireAccount(world, busy)
    await client.query('begin')
    await client.query('select from account_balances where account_id = $1 for update', [id])
    await run('sweep_reservations')
    expect([await reserved(busy), await reserved(free)]).toEqual([4, 0])
  })
  await run('sweep_reservations')
  expect(await reserved(busy)).toBe(0)
})

test('stored answers to requests are deleted after a week', async () => {
  const add = (key: string, days: number) =>
    sql`
    insert into idempotency_records
      (account_id, idempotency_key, fingerprint, settlement_id, status, body, credits, created_at)
    values (1, ${key}, '', gen_random_uuid(), 200, '', 0,
           ${new Date(now.getTime() - days * 86_400_000)})`.execute(world.database)
  await add('old', 9)
  await add('young', 6)
  await run('purge_old')
  const { rows } = await sql<{ key: string }>`
    select idempotency_key as key from idempotency_records`.execute(world.database)
  expect(rows).toEqual([{ key: 'young' }])
})

const form = {
  name: 'Ada Example',
  email: 'ada@gateway.example',
  company: 'Gateway Ltd',
  request: 'Operators in Denmark.',
}

test('unanswered requests of the public form are deleted after their retention, and no others', async () => {
  const asked = new Date(now.getTime() - unhandledRequestDays * 86_400_000)
  const { account_ref: account } = await createAccount(world, { name: 'x', plan: 'free', creditsGranted: 0 })
  for (let count = 0; count < 4; count++) await requestProspectList(world, form, asked)
  const [untaken, assigned, preparing, cancelled] = (await listProspectListsForStaff(world, {})).map(
    list => list.prospect_list_ref,
  ) as [string, string, string, string]
  await assignProspectList(world, assigned, account)
  await prepareProspectList(world, preparing)
  await cancelProspectList(world, cancelled)
  await createProspectList(world, account, { cadence: 'weekly', now: asked })
  const refs = async () => (await listProspectListsForStaff(world, {})).map(list => list.prospect_list_ref)
  const all = await refs()
  expect(all).toHaveLength(5)
  await run('purge_requests')
  expect(await refs()).toEqual(all)
  now = new Date(now.getTime() + 1)
  await run('purge_requests')
  expect(await refs()).toEqual(all.filter(ref => ref !== untaken))
  const { rows } = await sql`select from prospect_list_requests`.execute(world.database)
  expect(rows).toHaveLength(2)
})

async function useOn(...days: string[]): Promise<void> {
  for (const day of days) {
    await preparePartitions(world.database, new Date(day))
    await sql`
      insert into usage_records
        (account_id, requested_at, endpoint, status, credits, duration_ms, request_params, settlement_status,
          source)
      values (77, ${day}::date, 'show_account', 200, 0, 1, '{}', 'none', 'api')`.execute(world.database)
    await sql`
      insert into ledger_entries (account_id, settlement_id, kind, credits, recorded_at)
      values (77, gen_random_uuid(), 'grant', 1, ${day}::date)`.execute(world.database)
  }
}

async function daysOf(table: 'usage_records' | 'ledger_entries', moment: string): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select to_char(${sql.ref(moment)}, 'YYYY-MM-DD') as day
      from ${sql.table(table)}
     where account_id = 77
     order by 1`.execute(world.database)
  return rows.map(row => row.day)
}

test('usage records are deleted after the configured months, and ledger entries never', async () => {
  now = new Date('2030-06-15T12:00:00Z')
  const days = ['2029-12-31', '2030-03-31', '2030-04-01', '2030-06-15']
  await useOn(...days)
  await run('purge_old')
  expect(await daysOf('usage_records', 'requested_at')).toEqual(days)

  await run('purge_old', tasks(2))
  expect(await daysOf('usage_records', 'requested_at')).toEqual(['2030-04-01', '2030-06-15'])
  expect(await months('usage_records')).not.toContain('2030_03')
  expect(await months('usage_records')).toContain('2030_04')
  expect(await daysOf('ledger_entries', 'recorded_at')).toEqual(days)
  await sql`delete from usage_records where account_id = 77`.execute(world.database)
})

test('usage records outside any partition are deleted, and a partition in use is deleted later', async () => {
  now = new Date('2033-06-15T12:00:00Z')
  await useOn('2033-01-10')
  await sql`
    insert into usage_records
      (account_id, requested_at, endpoint, status, credits, duration_ms, request_params, settlement_status,
        source)
    values (77, '2019-01-01', 'show_account', 200, 0, 1, '{}', 'none', 'api')`.execute(world.database)
  await withClient(database.connection, async client => {
    await client.query('begin')
    await client.query('select from usage_records_2033_01')
    await run('purge_old', tasks(1))
    expect(await daysOf('usage_records', 'requested_at')).toEqual(['2033-01-10'])
  })
  await run('purge_old', tasks(1))
  expect(await daysOf('usage_records', 'requested_at')).toEqual([])
})

test('licenses lapse once a day, and the task is repeated if it fails', async () => {
  const lapsed = vi.spyOn(world.database, 'transaction')
  const same = tasks()
  now = new Date('2030-01-01T00:00:30Z')
  lapsed.mockImplementationOnce(() => {
    throw new Error('the database is away')
  })
  await expect(run('lapse_licenses', same)).rejects.toThrow('away')
  await run('lapse_licenses', same)
  await run('lapse_licenses', same)
  expect(lapsed).toHaveBeenCalledTimes(2)
  now = new Date('2030-01-02T00:00:30Z')
  await run('lapse_licenses', same)
  expect(lapsed).toHaveBeenCalledTimes(3)
  lapsed.mockRestore()
})

test('ended sessions and expired links are deleted, and valid ones stay', async () => {
  const { database: users } = world
  const user = await ensureUser(users, { email: 'otter@baize.test', now })
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  const sessions = { open: 11, idle: 12, ended: 14 * 24 }
  const ids = new Map<string, string>()
  for (const [name, hours] of Object.entries(sessions))
    ids.set(name, await insertSession(users, { userId: user.id, now: hoursAgo(hours) }))
  await users
    .updateTable('sessions')
    .set({ last_used_at: now })
    .where('created_at', '=', hoursAgo(sessions.ended))
    .execute()
  await createLink(users, user.email, new Date(now.getTime() - 9 * 60_000))
  await createLink(users, user.email, new Date(now.getTime() - 10 * 60_000))
  await run('purge_sessions')
  const left = await users.selectFrom('sessions').select('created_at').execute()
  expect(left.map(each => each.created_at)).toEqual([hoursAgo(sessions.open)])
  expect(await findSession(users, ids.get('open') ?? '', now)).not.toBeNull()
  expect(await users.selectFrom('sign_in_links').select('created_at').execute()).toHaveLength(1)
})

test('a worker runs the housekeeping tasks when they are due', async () => {
  const done: string[] = []
  const worker = await startWorker({
    connection: database.connection,
    tasks: tasks(),
    log: createLogger('silent'),
    onOutcome: (task, outcome) => done.push(`${task} ${outcome}`),
  })
  const taskNames = tasks().map(({ name }) => name)
  await sql`
    select graphile_worker.add_job(task, '{}'::json)
      from unnest(${taskNames}::text[]) as task`.execute(world.database)
  const names = [
    'lapse_licenses',
    'prepare_months',
    'purge_old',
    'purge_requests',
    'purge_sessions',
    'sweep_reservations',
    'sweep_suppressed',
  ]
  await eventually('all are done', () => names.every(name => done.includes(`${name} done`)))
  await worker.stop()
})
