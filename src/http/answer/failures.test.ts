import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withClient } from '../../../test/harness/client.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import {
  type Customer,
  type Response,
  startService,
  type TestService,
} from '../../../test/harness/service.ts'
import { verifyAll } from '../../verify/index.ts'

const resolveOne = '/v1/domains/resolve?domain=casino.example'
const searchOne = '/v1/domains/search?verdict=licensed'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const run = <Result>(work: (client: pg.Client) => Promise<Result>) =>
  withClient(service.database.connection, work)

async function used(customer: Customer): Promise<number> {
  return (await customer.ask('/v1/account')).body.data.credits_used
}

/** Sends a request while another session locks a table, and ends the statement that waits for the lock. */
async function askWhileLocked(
  customer: Customer,
  path: string,
  table: string,
  end: string,
): Promise<Response> {
  return run(async client => {
    await client.query(`begin; lock table ${table} in access exclusive mode`)
    const answer = customer.ask(path)
    await eventually('a statement waits, and is ended', async () => {
      // A transaction keeps its first view of the sessions, but the waiting one may be newer.
      await client.query('select pg_stat_clear_snapshot()')
      const { rowCount } = await client.query(
        `select ${end}(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'
            and application_name = 'baize public'`,
      )
      return rowCount
    })
    await client.query('rollback')
    return answer
  })
}

describe('a failure below an operation', () => {
  test('an unexpected error answers internal_error, reveals nothing and charges nothing', async () => {
    const customer = await service.customer()
    await run(client => client.query('alter table blocklist_entries rename to misplaced'))
    const path = '/v1/domains/search?verdict=blocklisted&dropped_before=2030-01-01T00:00:00Z'
    const response = await customer
      .ask(path)
      .finally(() => run(client => client.query('alter table misplaced rename to blocklist_entries')))
    expect(response.status).toBe(500)
    expect(response.body).toEqual({
      success: false,
      message: 'The request failed. Nothing was charged.',
      errors: { code: 'internal_error', details: {} },
      doc_url: 'http://baize.test/docs/errors/internal_error',
      timestamp: expect.any(String),
    })
    expect(response.text).not.toMatch(/blocklist_entries|relation|select/)
    expect(await used(customer)).toBe(0)
    expect((await customer.ask(path)).status).toBe(200)
  })

  test('a search that takes too long answers search_unavailable, a 503 with Retry-After', async () => {
    const customer = await service.customer()
    // A cancelled statement and a timed-out one have the same error code.
    const response = await askWhileLocked(customer, searchOne, 'domain_listings', 'pg_cancel_backend')
    expect(response.status).toBe(503)
    expect(response.body.errors).toEqual({ code: 'search_unavailable', details: {} })
    expect(response.headers.get('retry-after')).toBe('2')
    expect(await used(customer)).toBe(0)
    expect((await customer.ask(searchOne)).status).toBe(200)
  })

  test('requests answer service_unavailable while the database is down, and succeed afterwards', async () => {
    const customer = await service.customer()
    const response = await askWhileLocked(customer, resolveOne, 'domains', 'pg_terminate_backend')
    expect(response.status).toBe(503)
    expect(response.body.errors).toEqual({ code: 'service_unavailable', details: {} })
    expect(response.headers.get('retry-after')).toBe('2')
    expect(await used(customer)).toBe(0)
    expect((await customer.ask(resolveOne)).status).toBe(200)
  })

  test.each(['40P01', '40001'])(
    'a request whose transaction the database gives up (%s) answers service_unavailable',
    async code => {
      const customer = await service.customer()
      const path = '/v1/companies/search?q=nobody'
      await run(client =>
        client.query(`
        alter table dataset_version rename to misplaced;
        create function given_up() returns setof misplaced language plpgsql as
          'begin raise exception using errcode = ''${code}''; end';
        create view dataset_version as select * from given_up()`),
      )
      const response = await customer.ask(path).finally(() =>
        run(client =>
          client.query(`
          drop view dataset_version;
          drop function given_up;
          alter table misplaced rename to dataset_version`),
        ),
      )
      expect(response.status).toBe(503)
      expect(response.body.errors).toEqual({ code: 'service_unavailable', details: {} })
      expect(response.headers.get('retry-after')).toBe('2')
      expect(await used(customer)).toBe(0)
      expect((await customer.ask(path)).status).toBe(200)
    },
  )

  test('a locked account gets service_unavailable, and other accounts do not wait long', async () => {
    const [locked, free] = await Promise.all([service.customer(), service.customer()])
    const [busy, served] = await run(async client => {
      await client.query('begin')
      await client.query(
        `select from account_balances
          where account_id = (select id from accounts where account_ref = $1) for update`,
        [locked.accountRef],
      )
      const answers = await Promise.all([
        locked.ask(resolveOne, { headers: { 'idempotency-key': 'once' } }),
        free.ask(resolveOne),
      ])
      await client.query('rollback')
      return answers
    })
    expect([busy.status, busy.body.errors.code, busy.headers.get('retry-after')]).toEqual([
      503,
      'service_unavailable',
      '1',
    ])
    expect(served.status).toBe(200)
    const retried = await locked.ask(resolveOne, { headers: { 'idempotency-key': 'once' } })
    expect([retried.status, retried.headers.get('idempotency-replayed')]).toEqual([200, null])
    expect(await used(locked)).toBe(1)
  })

  test('a charge whose connection dies is made once, and its customer gets the answer', async () => {
    const customer = await service.customer()
    const response = await askWhileLocked(customer, resolveOne, 'ledger_entries', 'pg_terminate_backend')
    expect([response.status, response.headers.get('x-credits-charged')]).toEqual([200, '1'])
    expect(await used(customer)).toBe(1)
    expect(await verifyAll(service.service.live)).toMatchObject({ ok: true })
  })
})

test('readiness reports why the database is down; liveness does not depend on it', async () => {
  expect((await service.ask('/readyz')).status).toBe(200)
  await run(client => client.query('alter table dataset_version rename to misplaced'))
  try {
    const { status, headers, body } = await service.ask('/readyz')
    expect([status, headers.get('retry-after')]).toEqual([503, '2'])
    expect(body).toEqual({ status: 'not_ready', reason: 'the database does not respond' })
    expect((await service.ask('/healthz')).status).toBe(200)
  } finally {
    await run(client => client.query('alter table misplaced rename to dataset_version'))
  }
})

describe('readiness to settle charges', () => {
  /** Makes writes to a table fail as PostgreSQL reports a full disk. Reads still work. */
  async function whileFull(table: string, work: () => Promise<void>): Promise<void> {
    await run(client =>
      client.query(`
        create function full_disk() returns trigger language plpgsql as
          $$ begin
               raise exception 'could not extend file: No space left on device' using errcode = '53100';
             end $$;
        create trigger full_disk before insert or update on ${table} for each row
          execute function full_disk()`),
    )
    try {
      await work()
    } finally {
      await run(client => client.query('drop function full_disk cascade'))
    }
  }
  const reasonOf = async () => (await service.ask('/readyz')).body.reason as string | undefined
  const isReady = async () => (await service.ask('/readyz')).status === 200

  test('on a full disk readiness is 503 before a charge fails, and reads are still answered', async () => {
    await eventually('it is ready', isReady)
    await whileFull('settling_probes', async () => {
      const reason = await eventually('it is not ready', reasonOf)
      expect(reason).toBe('charges cannot be settled: could not extend file: No space left on device')
      expect((await service.ask('/healthz')).status).toBe(200)
      expect((await service.ask('/readyz')).headers.get('retry-after')).toBe('2')
    })
    await eventually('it is ready again', isReady)
  })

  test('after a failed charge readiness is 503 at once, and 200 after the next settled charge', async () => {
    const customer = await service.customer()
    const charge = () => customer.ask(resolveOne)
    await whileFull('ledger_entries', async () => {
      expect((await charge()).status).toBe(503)
      expect(await reasonOf()).toBe('charges fail: could not extend file: No space left on device')
    })
    expect((await charge()).status).toBe(200)
    expect(await isReady()).toBe(true)
  })
})
