import { createHash } from 'node:crypto'
import { openPool } from '@baize/postgres'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBlankDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { createExternalDatabase, noExternalPostgres } from '../../test/harness/external-postgres.ts'
import { accountFigures } from '../features/account/account-store.ts'
import { authenticatedKeys } from '../features/account/key-store.ts'
import { verdictRows } from '../features/domains/domain-store.ts'
import { signedVerdictRows } from '../features/domains/evidence-store.ts'
import { verdictKey, verdictsThen } from '../features/domains/verdicts-then-store.ts'
import { storedAnswers } from '../metering/idempotency.ts'
import { charge } from '../metering/pricing.ts'
import { type SettleItem, type SettleOutcome, settleOnce } from '../metering/settle-statement.ts'
import { newSettlementId } from '../metering/settlement-id.ts'
import { migrate } from './migrate.ts'

// Plans are made while vacuumed tables are empty, and reused while the tables grow. Autovacuum would
// invalidate them, and is off.

const external = await createExternalDatabase()
if (external === null) console.warn(noExternalPostgres)

const rows = 20_000
const asked = 30
const past = { knownAt: new Date('2026-02-01'), asOf: '2026-01-15', day: '2026-01-15' }
/** Limits the rows read per table: the requested ones, and some that an index scan may read in addition. */
const readsMax = 4 * asked

const grown = `
  insert into accounts (account_ref, name, plan)
  select 'acc_' || number, 'grown', 'growth' from generate_series(1, ${rows}) as number;
  insert into account_balances (account_id, granted) select id, 1000 from accounts;
  insert into api_keys (key_ref, account_id, key_sha256, last_four)
  select 'key_' || id, id, sha256(id::text::bytea), 'last' from accounts;
  insert into settlements select gen_random_uuid(), id, 'charge', 0, now() from accounts;
  insert into idempotency_records
  select id, 'key', '\\x00', gen_random_uuid(), 200, 'answer', 0, now() from accounts;
  insert into reservations
  select ('00000000-0000-4000-8000-' || lpad(id::text, 12, '0'))::uuid, id, 0, 'grown',
         now() + interval '1 hour', now()
    from accounts;
  insert into companies (company_ref, company_name, subject_kind)
  select 'com_' || number, 'grown', 'legal_entity' from generate_series(1, ${rows}) as number;
  insert into domains (domain_ref, domain, licensee_company_id)
  select 'dom_' || number, 'grown-' || number || '.example', number
    from generate_series(1, ${rows}) as number;
  insert into dataset_events (number, kind, at, committed_at)
  values (1, 'import', '2026-01-01', '2026-01-01');
  insert into licenses (license_ref, stream, record_key, jurisdiction, first_seen_at)
  select 'lic_' || number, 'grown', number, 'malta', '2026-01-01'
    from generate_series(1, ${rows}) as number;
  insert into license_states (license_id, status, known_from, known_to, to_event)
  select id, 'active', '2025-01-01', '2026-01-01', 1 from licenses;
  insert into license_states (license_id, status, known_from) select id, 'active', '2026-01-01' from licenses;
  insert into authorisations (stream, record_key, domain_id, market, license_id, published, counts,
                              first_seen_at, known_from)
  select 'grown', id, id, 'malta', id, 'grown', true, '2026-01-01', '2026-01-01' from licenses;`

async function readsOf(client: pg.Client | pg.PoolClient): Promise<Map<string, number>> {
  const { rows } = await client.query(
    `select relname, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as read
       from pg_stat_xact_user_tables where schemaname = 'public'`,
  )
  return new Map(rows.map(({ relname, read }) => [relname as string, Number(read)]))
}

async function readsDuring(client: pg.PoolClient, work: () => Promise<unknown>) {
  await client.query('begin')
  const before = await readsOf(client)
  await work()
  const after = await readsOf(client)
  await client.query('commit')
  return [...after].map(([table, read]) => ({ table, read: read - (before.get(table) ?? 0) }))
}

describe.each([
  ['the embedded server', () => createBlankDatabase()],
  ...(external === null ? [] : [['an external server', async () => external] as const]),
] as const)('point plans on %s', (_, createDatabase) => {
  let database: TestDatabase
  let points: pg.Pool
  let charges: pg.Pool
  let admin: pg.Pool

  beforeAll(async () => {
    database = await createDatabase()
    await migrate(database.connection)
    const one = { connectionsMax: 1 }
    admin = openPool(database.connection, 'public', one)
    points = openPool(database.connection, 'public', { ...one, isByKey: true })
    charges = openPool(database.connection, 'public', one)
    await admin.query('vacuum analyze')
  })
  afterAll(async () => {
    for (const pool of [points, charges, admin]) await pool.end()
    await database.drop()
  })

  const numbers = Array.from({ length: asked }, (_, index) => (index + 1) * 500)

  test('point reads and charges read only the requested rows, however large the tables are', async () => {
    const reads: { read: { name: string; text: string }; keys: string[] }[] = [
      { read: accountFigures, keys: numbers.map(String) },
      { read: authenticatedKeys, keys: numbers.map(number => sha256Hex(String(number))) },
      { read: storedAnswers, keys: numbers.map(number => `${number} key`) },
      { read: verdictRows, keys: numbers.map(number => `grown-${number}.example`) },
      { read: verdictsThen, keys: numbers.map(number => verdictKey(`grown-${number}.example`, past)) },
      { read: signedVerdictRows, keys: numbers.map(number => `grown-${number}.example`) },
    ]
    const reader = await points.connect()
    const charger = await charges.connect()
    try {
      const ask = ({ name, text }: { name: string; text: string }, keys: string[]) =>
        reader.query({ name, text, values: [keys] })
      const settle = (items: SettleItem[], skipBusy = false) =>
        settleOnce(
          async (text, values) => (await charger.query<SettleOutcome>({ name: 'settle', text, values })).rows,
          items,
          skipBusy,
        )
      for (const { read, keys } of reads) await ask(read, keys)
      for (const skipBusy of [false, true]) await settle(batch(numbers), skipBusy)
      await admin.query(grown)

      for (const { read, keys } of reads) {
        const reads = await readsDuring(reader, async () => {
          expect((await ask(read, keys)).rows).toHaveLength(asked)
        })
        expect({ read: read.name, beyond: reads.filter(each => each.read > readsMax) }).toEqual({
          read: read.name,
          beyond: [],
        })
      }
      for (const skipBusy of [false, true]) {
        const reads = await readsDuring(charger, async () => {
          const outcomes = await settle(batch(numbers), skipBusy)
          expect(outcomes.map(({ outcome }) => outcome)).toEqual(numbers.map(() => 'settled'))
        })
        expect(reads.filter(each => each.read > readsMax)).toEqual([])
      }
    } finally {
      reader.release(true)
      charger.release(true)
    }
  })
})

const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex')

function batch(accounts: readonly number[]): SettleItem[] {
  return accounts.map((accountId, index) => ({
    kind: 'charge',
    accountId,
    settlementId: newSettlementId(),
    credits: 1,
    charges: [charge('domain.search_row', 1)],
    answer: {
      status: 200,
      idempotency: { key: newSettlementId(), fingerprint: Buffer.from('print'), body: 'answer' },
    },
    ...(index % 2 === 0
      ? { reservationId: `00000000-0000-4000-8000-${String(accountId).padStart(12, '0')}` }
      : {}),
  }))
}
