import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadLines } from '../../test/harness/load-lines.ts'
import { startService, type TestService } from '../../test/harness/service.ts'
import type { Transaction } from '../database/open.ts'
import { deriveVerdicts } from '../features/domains/index.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const licenses = 600

/** Returns how many index entries of authorisations this transaction has read. */
async function entriesRead(tx: Transaction): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select sum(pg_stat_get_xact_tuples_returned(indexrelid)) as read
      from pg_index
     where indrelid = 'authorisations'::regclass`.execute(tx)
  return Number(rows[0]?.read)
}

test('derived verdicts read only the authorisations of their domains, even without statistics', async () => {
  const { live } = service.service
  const lines = Array.from({ length: licenses }, (_, number) => ({
    kind: 'license',
    jurisdiction: 'mga',
    license_number: `L-${number}`,
    authorized_domains: [`plan-${number}.example`],
  }))
  await loadLines(live, lines)
  const read = await live.database.transaction().execute(async tx => {
    const { rows } = await sql<{ id: number }>`select id from domains where domain like 'plan-%'`.execute(tx)
    const before = await entriesRead(tx)
    const now = new Date()
    const ids = rows.map(({ id }) => id)
    await deriveVerdicts(tx, ids, { cause: 'import', occurredAt: now, now })
    return (await entriesRead(tx)) - before
  })
  expect(read).toBeGreaterThanOrEqual(licenses)
  expect(read).toBeLessThan(10 * licenses)
})
