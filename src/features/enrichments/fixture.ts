import { openFileStore } from '@baize/files'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { createTestDirectory } from '../../../test/harness/directory.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import {
  type Customer,
  type Response,
  startService,
  type TestService,
  type TestServiceOptions,
} from '../../../test/harness/service.ts'
import { createLogger } from '../../config/logger.ts'
import type { Database } from '../../database/open.ts'
import { openService } from '../../http/open-service.ts'
import { buildServer } from '../../http/server.ts'
import { startWorker } from '../../jobs/index.ts'
import { verifyBalances, verifySettlements } from '../../metering/ledger.ts'
import { type ClaimedCheck, listOpenChecks } from './checks-store.ts'
import { verifyChecks } from './enrichments-store.ts'
import { claimCheck, finishCheck } from './finish-check.ts'

type Found = { section: string; value_key: string; value?: object }

/** A service for tests. Its checks visit no site, and end when the test says so. */
export type CheckService = TestService & {
  resolve(customer: Customer, query: string, headers?: Record<string, string>): Promise<Response>
  /** Sends `POST /v1/enrichments`. */
  enrich(customer: Customer, body: unknown, headers?: Record<string, string>): Promise<Response>
  /** Returns the open checks as soon as there are `count`. */
  open(count?: number): Promise<ClaimedCheck[]>
  /** Resolves as soon as `count` requests wait in this process. */
  waiting(count: number): Promise<void>
  /** Ends all open checks, as completed or with a failure. */
  end(failure?: string | null): Promise<number[]>
  /** Gives a check a reading with these findings. */
  find(checkId: number, findings: readonly Found[]): Promise<number>
  account(customer: Customer): Promise<{ credits_used: number; credits_reserved: number }>
  expectConsistentBooks(): Promise<void>
}

export async function startCheckService(options: TestServiceOptions = {}): Promise<CheckService> {
  const service = await startService({ world: 'demo', ...options })
  const { database } = service.service.live
  const { now, waits } = service.service

  async function end(failure: string | null = null): Promise<number[]> {
    const ended: number[] = []
    for (const { checkId } of await listOpenChecks(database)) {
      const claimed = await claimCheck(database, checkId, now())
      if (claimed === null) continue
      await database
        .transaction()
        .execute(async tx =>
          finishCheck(tx, claimed, { failure, readingId: await readingOf(tx, checkId), now: now() }),
        )
      ended.push(checkId)
    }
    return ended
  }

  return {
    ...service,
    end,
    resolve: (customer, query, headers = {}) => customer.ask(`/v1/domains/resolve?${query}`, { headers }),
    enrich: (customer, body, headers = {}) =>
      customer.ask('/v1/enrichments', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      }),
    open: async (count = 1) => {
      const isOpen = async () => (await listOpenChecks(database)).length === count
      await eventually(`${count} checks are open`, isOpen)
      return listOpenChecks(database)
    },
    waiting: async count => {
      await eventually(`${count} requests wait`, () => waits.count === count)
    },
    find: (checkId, findings) => insertFindings(database, checkId, findings),
    account: async customer => (await customer.ask('/v1/account')).body.data,
    async expectConsistentBooks() {
      expect(await verifyBalances(database)).toEqual([])
      expect(await verifySettlements(database)).toEqual([])
      expect(await verifyChecks(database)).toEqual([])
    },
  }
}

/** A finding that is enough for an available launch profile. */
export const registration: Found = {
  section: 'registration',
  value_key: '',
  value: {
    registrar: 'Registrar Inc.',
    registered_at: '2019-01-02T00:00:00.000Z',
    updated_at: null,
    expires_at: null,
    domain_statuses: ['active'],
    registrant: { disclosure_status: 'redacted', name: null, organization: null, country_code: null },
  },
}

export async function insertFindings(
  database: Database,
  checkId: number,
  findings: readonly Found[],
): Promise<number> {
  const { rows } = await sql<{ reading_id: number }>`
    with reading as (
      insert into site_readings (check_id, rules_version, read_at)
      select id, 'a version', requested_at from site_checks where id = ${checkId}
      returning id, check_id, read_at
    ), finding as (
      insert into site_findings (reading_id, section, value_key, domain_id, value, rule, strength, seen_at)
      select reading.id, section, value_key, checked.domain_id, coalesce(value, '{}'), 'a rule', 3, read_at
        from reading
        join site_checks checked on checked.id = reading.check_id
       cross join jsonb_to_recordset(${JSON.stringify(findings)}::jsonb)
               as found (section text, value_key text, value jsonb)
    )
    update site_checks set reading_id = reading.id from reading where site_checks.id = reading.check_id
    returning reading_id`.execute(database)
  return rows[0]?.reading_id as number
}

async function readingOf(database: Database, checkId: number): Promise<number | null> {
  const { rows } = await sql<{ reading_id: number | null }>`
    select reading_id from site_checks where id = ${checkId}`.execute(database)
  return rows[0]?.reading_id ?? null
}

/** Starts and stops a worker, because the first worker creates the queue. */
export async function createQueue({ database }: TestService): Promise<void> {
  const log = createLogger('silent')
  const worker = await startWorker({ connection: database.connection, tasks: [], log })
  await worker.stop()
}

/** Starts a second service on the same database. Close it before the first. */
export async function startBeside({ database, service }: TestService) {
  const directory = await createTestDirectory()
  const beside = openService({
    connection: database.connection,
    settings: service.settings,
    files: openFileStore({ kind: 'folder', path: directory.path }),
    log: createLogger('silent'),
  })
  const server = await buildServer(beside)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    waits: beside.waits,
    async close() {
      await server.close()
      await beside.close()
      await directory.remove()
    },
  }
}
