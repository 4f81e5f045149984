import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withClient } from '../../test/harness/client.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { type Customer, type Response, startService, type TestService } from '../../test/harness/service.ts'
import { verifyAll } from '../verify/index.ts'

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

/**
 * What a request is answered while another session holds a table, and the statement that waits for it is
 * ended so.
 */
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
      // A transaction sees the sessions of its first look, and the one that waits may be newer.
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

describe('a failure below an operation charges nothing', () => {
  test('internal_error: an unexpected error is a 500 that reveals nothing', async () => {
    const customer = await service.customer()
    await run(client => client.query('alter table blocklist_entries rename to misplaced'))
    const path = '/v1/domains/search?verdict=blocklisted&since=2020-01-01T00:00:00Z'
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

  test('search_unavailable: a search that takes too long answers 503 with Retry-After', async () => {
    const customer = await service.customer()
    // A cancelled statement and a timed-out one have the same error code.
    const response = await askWhileLocked(customer, searchOne, 'domain_listings', 'pg_cancel_backend')
    expect(response.status).toBe(503)
    expect(response.body.errors).toEqual({ code: 'search_unavailable', details: {} })
    expect(response.headers.get('retry-after')).toBe('2')
    expect(await used(customer)).toBe(0)
    expect((await customer.ask(searchOne)).status).toBe(200)
  })

  test('service_unavailable: while the database is down; requests succeed once it is back', async () => {
    const customer = await service.customer()
    const response = await askWhileLocked(customer, resolveOne, 'domains', 'pg_terminate_backend')
    expect(response.status).toBe(503)
    expect(response.body.errors).toEqual({ code: 'service_unavailable', details: {} })
    expect(response.headers.get('retry-after')).toBe('2')
    expect(await used(customer)).toBe(0)
    expect((await customer.ask(resolveOne)).status).toBe(200)
  })

  test.each(['40P01', '40001'])(
    'service_unavailable: so does one that gives a transaction up for another (%s)',
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

  test('service_unavailable: a locked account; other accounts do not wait long', async () => {
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

  test('a settlement whose connection dies is charged once, and its customer is answered', async () => {
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
