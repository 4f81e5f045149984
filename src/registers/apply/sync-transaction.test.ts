import type { Reading, Stream } from '@baize/registers'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../../test/harness/eventually.ts'
import { verifyListings, verifyVerdicts } from '../../features/domains/index.ts'
import {
  authorisation,
  day,
  entry,
  fakeStream,
  fileOf,
  openTestWorld,
  syncApproved,
  type TestWorld,
} from '../fixture.ts'
import { syncRegister } from './sync-register.ts'

let testWorld: TestWorld

beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterEach(async () => {
  const { differences } = await verifyVerdicts(testWorld.world.database)
  const counts = await verifyListings(testWorld.world.database)
  await testWorld.empty()
  expect({ differences, counts }).toEqual({ differences: [], counts: [] })
})
afterAll(() => testWorld.close())

const poland = fakeStream('poland.blocklist')

function sync(stream: Stream, takenAt: Date, ...readings: Reading[]) {
  return syncApproved(testWorld.world, stream, [fileOf(...readings)], { takenAt, now: takenAt })
}

describe('a failure in the middle of a sync', () => {
  test('an error of the parser in the middle of a sync changes nothing', async () => {
    await sync(poland, day(1), entry('a.example'))
    const before = await testWorld.factsInForce()
    const faulty: Stream = {
      ...poland,
      async *read() {
        for (let number = 0; number < 6_000; number += 1) yield entry(`n${number}.example`)
        throw new TypeError('a bug')
      },
    }
    await expect(sync(faulty, day(2), entry('b.example'))).rejects.toThrow('a bug')
    expect(await testWorld.factsInForce()).toEqual(before)
    expect(await testWorld.rowsOf('register_runs')).toHaveLength(1)
  })

  test('a statement that is cancelled while a snapshot is applied changes nothing', async () => {
    await sync(poland, day(1), entry('a.example'))
    const before = await testWorld.factsInForce()
    const { promise: cancelled, resolve: release } = Promise.withResolvers<void>()
    const blocking = testWorld.world.database.transaction().execute(async tx => {
      await sql`lock table blocklist_entries in share mode`.execute(tx)
      await cancelled
    })
    const refused = expect(sync(poland, day(2), entry('b.example'))).rejects.toMatchObject({ code: '57014' })
    await eventually('the sync waits to write its entries', cancelWaitingStatement)
    await refused
    release()
    await blocking
    expect(await testWorld.factsInForce()).toEqual(before)
    expect(await sync(poland, day(2), entry('b.example'))).toMatchObject({
      status: 'applied',
      added: 1,
      removed: 1,
    })
  })

  async function cancelWaitingStatement(): Promise<boolean> {
    const { rows } = await sql`
      select pg_cancel_backend(pid)
        from pg_stat_activity
       where datname = current_database()
         and wait_event_type = 'Lock'`.execute(testWorld.world.database)
    return rows.length > 0
  }
})

describe('syncs at the same time', () => {
  const sites = Array.from({ length: 2_000 }, (_, number) => `site-${number}.example`)

  const register = fakeStream('malta.sites')
  const authorised = sites.map(site => authorisation(site))
  const blocked = sites.toReversed().map(site => entry(site))

  const applied = (added: number) => expect.objectContaining({ status: 'applied', added })
  const verdicts = async () => {
    const { rows } = await sql`
      select verdict, count(*) as domains from domains group by verdict`.execute(testWorld.world.database)
    return rows
  }

  test('two simultaneous syncs that add the same new domains give each the verdict mixed', async () => {
    const reports = await Promise.all([
      sync(register, day(1), ...authorised),
      sync(poland, day(1), ...blocked),
    ])
    expect(reports).toEqual([applied(2_000), applied(2_000)])
    expect(await verdicts()).toEqual([{ verdict: 'mixed', domains: 2_000 }])
  })

  test('two simultaneous syncs that add the same known domains give each the verdict mixed', async () => {
    await sync(fakeStream('gone.sites'), day(1), ...authorised)
    await sync(fakeStream('gone.sites'), day(2), authorisation('other.example'))
    const { promise: bothWait, resolve: release } = Promise.withResolvers<void>()
    const stopping = testWorld.world.database.transaction().execute(async tx => {
      await sql`lock table authorisations, blocklist_entries in share mode`.execute(tx)
      await bothWait
    })
    const syncing = Promise.all([sync(register, day(1), ...authorised), sync(poland, day(1), ...blocked)])
    await eventually('both syncs wait', async () => (await waitingBackends()) === 2)
    release()
    await stopping
    expect(await syncing).toEqual([applied(2_000), applied(2_000)])
    expect(await verdicts()).toContainEqual({ verdict: 'mixed', domains: 2_000 })
  })

  test('a domain that two simultaneous syncs remove ends without a verdict', async () => {
    await sync(register, day(1), ...authorised)
    await sync(poland, day(1), ...blocked)
    const reports = await Promise.all([
      sync(register, day(2), ...authorised.slice(1_500)),
      sync(poland, day(2), ...blocked.slice(1_500)),
    ])
    expect(reports.map(report => report.removed)).toEqual([1_500, 1_500])
    expect(await verdicts()).toEqual(
      expect.arrayContaining([
        { verdict: 'blocklisted', domains: 500 },
        { verdict: 'licensed', domains: 500 },
        { verdict: 'no_record', domains: 1_000 },
      ]),
    )
  })

  async function waitingBackends(): Promise<number> {
    const { rows } = await sql<{ waiting: number }>`
      select count(*) as waiting
        from pg_stat_activity
       where datname = current_database()
         and wait_event_type = 'Lock'`.execute(testWorld.world.database)
    return rows[0]?.waiting ?? 0
  }

  test('of two simultaneous syncs of one stream, the second waits and then changes nothing', async () => {
    const reports = await Promise.all([
      sync(poland, day(1), entry('a.example')),
      sync(poland, day(1), entry('a.example')),
    ])
    expect(reports.map(report => report.status).sort()).toEqual(['applied', 'unchanged'])
  })

  test('of two simultaneous syncs of one stream, the second is refused after a limited wait', async () => {
    const { promise: mayGoOn, resolve: letGo } = Promise.withResolvers<void>()
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    const slow: Stream = {
      ...poland,
      async *read() {
        start()
        await mayGoOn
        yield entry('a.example')
      },
    }
    const first = sync(slow, day(1), entry('a.example'))
    await started
    const second = await syncRegister(testWorld.world, poland, [fileOf(entry('b.example'))], {
      takenAt: day(1),
      now: day(1),
      waitMsMax: 20,
    })
    letGo()
    expect(second).toMatchObject({ status: 'refused', reasons: [expect.stringContaining('another sync')] })
    expect(await first).toMatchObject({ status: 'applied' })
  })
})
