import type { BlocklistRow, Reading } from '@baize/registers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { verifyReplay } from '../../verify/replay.ts'
import { day, entry, fakeStream, fileOf, openTestWorld, syncApproved, type TestWorld } from '../fixture.ts'

let testWorld: TestWorld

beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterEach(() => testWorld.empty())
afterAll(() => testWorld.close())

/** Keys of this stream contain the day of the listing, so that another listing is another record. */
const czechia = fakeStream('czechia.blocklist')
const bystander = entry('bystander.example')

const sync = (number: number, ...readings: Reading[]) =>
  syncApproved(testWorld.world, czechia, [fileOf(bystander, ...readings)], {
    takenAt: day(number),
    now: day(number),
  })

/** Returns event types with the day of `occurred_at`. */
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

describe('an object that was listed, deleted and is listed again', () => {
  test.each(objects)(
    'an object that is listed again after its deletion returns: %s',
    async (_what, { first, second }) => {
      await sync(1)
      await sync(3, written(first, 2, null))
      await sync(6, written(first, 2, 4), written(second, 5, null))
      expect(await signals()).toEqual([
        'added_to_register 2',
        'removed_from_register 4',
        'returned_to_register 5',
      ])
    },
  )

  test.each(objects)(
    'an object that is deleted and listed again between two snapshots returns: %s',
    async (_what, { first, second }) => {
      await sync(1)
      await sync(6, written(first, 2, 5), written(second, 5, null))
      expect(await signals()).toEqual([
        'added_to_register 2',
        'removed_from_register 5',
        'returned_to_register 5',
      ])
    },
  )
})

test('another host or page of a site that was deleted is added, and not a return', async () => {
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

test('a second entry for a site that is still listed is not a return, in any spelling', async () => {
  const [, { first, second }] = objects[0] as [string, Object]
  await sync(1, written(first, 1, null))
  await sync(3, written({ ...first, published: 'otter.example' }, 1, null))
  await sync(6, written({ ...first, published: 'otter.example' }, 1, null), written(second, 5, null))
  expect(await signals()).toEqual(['added_to_register 5'])
})

test('a misprint that the next snapshot corrects is withdrawn, also in a replay', async () => {
  await sync(1, entry('ottes.example'))
  await sync(3, entry('otter.example'))
  const entries = await testWorld.rowsOf('blocklist_entries')
  expect(entries.filter(each => each.withdrawn).map(each => each.record_key)).toEqual(['ottes.example'])
  expect((await verifyReplay(testWorld.world, testWorld.connection)).differences).toEqual([])
})
