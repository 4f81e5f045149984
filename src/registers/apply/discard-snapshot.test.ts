import type { Reading } from '@baize/registers'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  authorisation,
  day,
  entry,
  fakeStream,
  fileOf,
  license,
  licensee,
  openTestWorld,
  syncApproved,
  type TestWorld,
} from '../fixture.ts'
import { discardSnapshot } from './discard-snapshot.ts'

let testWorld: TestWorld

beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterAll(() => testWorld.close())

const malta = fakeStream('malta.sites')

const sync = (number: number, ...readings: Reading[]) =>
  syncApproved(testWorld.world, malta, [fileOf(...readings)], { takenAt: day(number), now: day(number) })

type Content = { license: Record<string, unknown> | null; authorized_domains: string[]; change_set: unknown }

test('a discard creates the opposite Signal of each change, with the record as it was before', async () => {
  const site = (domain: string) => authorisation(domain, { licenseKey: 'L1', licenseeKey: 'C1' })
  const bystander = license('L2', 'C2')
  await sync(1, licensee('C1'), licensee('C2'), license('L1', 'C1'), bystander, site('a.example'))
  const changed = license('L1', 'C1', { status: 'revoked', licenseType: 'bingo', expiresAt: '2027-01-01' })
  const { snapshot_ref } = await sync(
    3,
    licensee('C1', { legalName: 'New Limited' }),
    licensee('C2'),
    changed,
    bystander,
    site('b.example'),
    entry('blocked.example', { listedAt: day(2).toISOString() }),
  )
  const discard = { snapshotRef: snapshot_ref as string, reason: 'a wrong file', now: day(4) }
  expect(await discardSnapshot(testWorld.world, discard)).toMatchObject({ signals: 6, taken_at: day(1) })

  const signals = await testWorld.rowsOf('signals')
  const corrections = signals.slice(6).reverse()
  expect(corrections.map(each => each.correction_of)).toEqual(
    signals.slice(0, 6).map(each => each.signal_ref),
  )
  expect(corrections.map(each => each.occurred_at)).toEqual(signals.slice(0, 6).map(each => each.occurred_at))
  expect(corrections.map(each => [each.event_type, (each.content as Content).change_set])).toEqual([
    [
      'removed_from_register',
      {
        domain: 'blocked.example',
        published: 'blocked.example',
        scope: 'domain',
        listed_at: day(2).toISOString(),
        delisted_at: null,
      },
    ],
    ['published_status_changed', { status: { before: 'revoked', after: 'active' } }],
    ['authorized_domains_changed', { authorized_domains: { added: ['a.example'], removed: ['b.example'] } }],
    ['published_expiry_changed', { expires_at: { before: '2027-01-01', after: null } }],
    ['license_type_changed', { license_type: { before: 'bingo', after: 'remote' } }],
    ['legal_entity_changed', { legal_entity: { before: 'New Limited', after: 'C1 Limited' } }],
  ])
  for (const { content, published_legal_name, former_legal_name } of corrections.slice(1)) {
    expect(content).toMatchObject({
      license: { status: 'active', license_type: 'remote', expires_at: null },
      authorized_domains: ['a.example'],
    })
    expect([published_legal_name, former_legal_name]).toEqual(['C1 Limited', 'New Limited'])
  }
})

test('a discard removes a country that only the discarded snapshot gave to a Company', async () => {
  const sweden = fakeStream('sweden.sites')
  const syncHolder = (number: number, country: string | null) =>
    syncApproved(testWorld.world, sweden, [fileOf(licensee('S1', { legalName: 'Solo AB', country }))], {
      takenAt: day(number),
      now: day(number),
    })
  const profile = async () => {
    const companies = await testWorld.rowsOf('companies')
    return companies.find(company => company.company_name === 'Solo AB')
  }
  await syncHolder(1, null)
  const { snapshot_ref } = await syncHolder(2, 'SE')
  expect(await profile()).toMatchObject({ country: 'SE' })

  const discard = { snapshotRef: snapshot_ref as string, reason: 'a wrong file', now: day(3) }
  await discardSnapshot(testWorld.world, discard)
  expect(await profile()).toMatchObject({ country: null })
})

test('A discard keeps the rows that were known before it, and dates its event by the commit', async () => {
  const { database } = testWorld.world
  await testWorld.empty()
  await sync(1, entry('a.example'))
  const { snapshot_ref } = await sync(
    3,
    entry('a.example', { published: 'www.a.example' }),
    entry('b.example'),
  )
  const known = async () => {
    const { rows } = await sql<{ event: number; published: string[] }>`
      select event.number as event, array(
               select published from (
                 select published, from_event, to_event, null as until_event from blocklist_entries
                 union all
                 select published, from_event, to_event, until_event from former_blocklist_entries
               ) entry
                where from_event <= event.number
                  and coalesce(to_event > event.number, true)
                  and coalesce(until_event > event.number, true)
                order by published
             ) as published
        from dataset_events event
       order by number`.execute(database)
    return rows.map(row => row.published)
  }
  const before = await known()
  expect(before).toEqual([['a.example'], ['b.example', 'www.a.example']])
  const started = new Date()
  await discardSnapshot(testWorld.world, {
    snapshotRef: snapshot_ref as string,
    reason: 'a wrong file',
    now: day(4),
  })
  expect(await known()).toEqual([...before, ['a.example']])
  const events = await testWorld.rowsOf('dataset_events')
  const times = events.map(event => (event.committed_at as Date).getTime())
  expect(times).toEqual(times.toSorted((one, other) => one - other))
  expect(times[2]).toBeGreaterThanOrEqual(started.getTime())
})
