import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { verifyReplay } from '../../verify/replay.ts'
import { day, entry, fakeStream, fileOf, openTestWorld, syncApproved, type TestWorld } from '../fixture.ts'
import type { BlocklistRow, Reading } from '../stream.ts'

let testWorld: TestWorld

beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterEach(() => testWorld.empty())
afterAll(() => testWorld.close())

/** Keys contain the day of the listing, so that another listing of an object is another record. */
const czechia = fakeStream('czechia.blocklist')
const bystander = entry('bystander.example')

const sync = (number: number, ...readings: Reading[]) =>
  syncApproved(testWorld.world, czechia, [fileOf(bystander, ...readings)], {
    takenAt: day(number),
    now: day(number),
  })

/** Event types with the day of `occurred_at`. */
const signals = async () =>
  (await testWorld.rowsOf('signals')).map(
    signal => `${signal.event_type} ${(signal.occurred_at as Date).getUTCDate()}`,
  )

type Written = { key: string; published: string; fields?: Partial<BlocklistRow> }
type Object = { first: Written; second: Written }

const account = { domain: null, scope: 'payment_account' } as const
const objects: [string, Object][] = [
  [
    'a site, in any spelling',
    {
      first: { key: 'site:otter.example@2026-01-02', published: 'Otter.example.' },
      second: { key: 'site:otter.example@2026-01-05', published: 'otter.example' },
    },
  ],
  [
    'a site of a register with times',
    {
      first: { key: 'otter.example@2026-01-02T09:32:03.000Z', published: 'https://otter.example/' },
      second: { key: 'otter.example@2026-01-05T08:00:00.000Z', published: 'otter.example' },
    },
  ],
  [
    'a payment account, with blanks or without',
    {
      first: { key: 'account:XX4200@2026-01-02', published: 'XX42 00', fields: account },
      second: { key: 'account:XX4200@2026-01-05', published: 'XX4200', fields: account },
    },
  ],
]

function written({ key, published, fields }: Written, from: number, to: number | null) {
  return entry('otter.example', {
    recordKey: key,
    published,
    listedAt: day(from).toISOString(),
    delistedAt: to === null ? null : day(to).toISOString(),
    listed: to === null,
    ...fields,
  })
}

describe('an object that was listed, deleted and is listed again returns:', () => {
  test.each(objects)('%s', async (_what, { first, second }) => {
    await sync(1)
    await sync(3, written(first, 2, null))
    await sync(6, written(first, 2, 4), written(second, 5, null))
    expect(await signals()).toEqual([
      'added_to_register 2',
      'removed_from_register 4',
      'returned_to_register 5',
    ])
  })

  test.each(objects)('%s, all between two snapshots', async (_what, { first, second }) => {
    await sync(1)
    await sync(6, written(first, 2, 5), written(second, 5, null))
    expect(await signals()).toEqual([
      'added_to_register 2',
      'removed_from_register 5',
      'returned_to_register 5',
    ])
  })
})

test('another host or page of a deleted site is added, not returned', async () => {
  const page = (path: string) => ({
    scope: 'path' as const,
    recordKey: `site:otter.example/${path}@2026-01-05`,
  })
  await sync(1, entry('otter.example', { recordKey: 'site:otter.example@2026-01-01', listed: false }))
  await sync(
    6,
    entry('otter.example', { recordKey: 'site:otter.example@2026-01-01', listed: false }),
    entry('otter.example', {
      recordKey: 'site:www.otter.example@2026-01-05',
      published: 'www.otter.example',
    }),
    entry('otter.example', { ...page('a'), published: 'otter.example/a' }),
    entry('otter.example', { ...page('b'), published: 'otter.example/b' }),
  )
  expect(await signals()).toEqual(['added_to_register 6', 'added_to_register 6', 'added_to_register 6'])
})

test('a second listing beside an open one is not a return, even if spelled differently', async () => {
  const [, { first, second }] = objects[0] as [string, Object]
  await sync(1, written(first, 1, null))
  await sync(3, written({ ...first, published: 'otter.example' }, 1, null))
  await sync(6, written({ ...first, published: 'otter.example' }, 1, null), written(second, 5, null))
  expect(await signals()).toEqual(['added_to_register 5'])
})

test('a replay of history without `returns` recognises returns by record key', async () => {
  const [, { first, second }] = objects[0] as [string, Object]
  await sync(1)
  await sync(3, written(first, 2, null))
  await sync(6, written(first, 2, 4), written(second, 5, null))
  await sql`update dataset_events set detail = detail - 'returns'`.execute(testWorld.world.database)
  const { differences } = await verifyReplay(testWorld.world, testWorld.connection)
  expect(JSON.stringify(differences.map(each => (each as { held?: string }).held ?? ''))).toContain(
    'returned_to_register',
  )
  expect(JSON.stringify(differences.map(each => (each as { replayed?: string }).replayed ?? ''))).toContain(
    'added_to_register',
  )
})

test('a replay of early Czech history leaves absent entries without a delisting', async () => {
  await sync(1, entry('otter.example'))
  await sync(3)
  const { database } = testWorld.world
  // What a release that left them wrote.
  await sql`update dataset_events set detail = jsonb_set(detail, '{stream,absenceRemoves}', 'false')`.execute(
    database,
  )
  await sql`delete from blocklist_entries where known_to is null and not listed`.execute(database)
  expect((await verifyReplay(testWorld.world, testWorld.connection)).differences).toEqual([])
})

test('a replay of history without `misprints` delists what one snapshot alone had', async () => {
  await sync(1, entry('ottes.example'))
  await sync(3, entry('otter.example'))
  expect((await verifyReplay(testWorld.world, testWorld.connection)).differences).toEqual([])
  await sql`update dataset_events set detail = detail - 'misprints'`.execute(testWorld.world.database)
  const { differences } = await verifyReplay(testWorld.world, testWorld.connection)
  expect(JSON.stringify(differences)).toContain('ottes.example')
})
