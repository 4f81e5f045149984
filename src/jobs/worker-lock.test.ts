import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { withClient } from '../../test/harness/client.ts'
import { createTestDatabase } from '../../test/harness/database.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { createLogger } from '../config/logger.ts'
import { openWorld } from '../database/open.ts'
import { startWorker } from './worker.ts'

type Lock = { key: string; pid: number; granted: boolean; since: string | null }

test('a worker is known to be alive again after a late end of its former connection', async () => {
  const { connection, drop } = await createTestDatabase()
  onTestFinished(drop)
  const world = openWorld('public', { connection })
  onTestFinished(() => world.close())
  const worker = await startWorker({ connection, tasks: [], log: createLogger('silent') })
  onTestFinished(() => worker.stop())
  const locks = async (what: string, areSo: (locks: Lock[]) => boolean) =>
    eventually(what, async () => {
      const { rows } = await sql<Lock>`
        select (classid::bigint << 32 | objid::bigint)::text as key, pid, granted, waitstart::text as since
          from pg_locks
         where locktype = 'advisory'
           and database = (select oid from pg_database where datname = current_database())`.execute(
        world.database,
      )
      return areSo(rows) ? rows : null
    })
  const [own] = (await locks('the worker has its lock', rows => rows.length === 1)) ?? []
  await withClient(connection, async former => {
    // This connection is next in the queue, and so has the lock when the worker's connection ends.
    const has = former.query('select pg_advisory_lock($1)', [own?.key])
    await locks('it waits', rows => rows.length === 2)
    await sql`select pg_terminate_backend(${own?.pid})`.execute(world.database)
    await has
    const waits = new Set<string>()
    await locks('the worker has given up once, and waits again', rows => {
      for (const { granted, since } of rows) if (!granted && since !== null) waits.add(since)
      return waits.size === 2
    })
  })
  const [again] = (await locks('the worker has its lock', rows => rows[0]?.granted === true)) ?? []
  expect(again?.key).toBe(own?.key)
})
