import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { keepDistinct, listDuplicates } from '../../features/companies/index.ts'
import { verifyReplay } from '../../verify/replay.ts'
import { day, openTestWorld, type TestWorld } from '../fixture.ts'
import { apart, openLinking, otter, site } from './fixture.ts'

let testWorld: TestWorld
beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterEach(() => testWorld.empty())
afterAll(() => testWorld.close())

const { sync, companies, refOf } = openLinking(() => testWorld)

describe('pairs for staff', () => {
  const pairs = async () =>
    (await listDuplicates(testWorld.world, { limit: 10 })).candidates.map(
      ({ names, score, for: reasons, against }) => [score, ...names, ...reasons, ...against].join('; '),
    )

  test('a likeness that does not link makes a pair, once, with what speaks for and against it', async () => {
    await sync('malta', 10, otter('M1', { country: 'MT' }))
    const report = await sync('sweden', 10, otter('S1'), otter('S2', { legalName: 'Lucky Otter plc' }))
    expect(report.candidates).toBe(3)
    expect(await pairs()).toEqual([
      '40; Lucky Otter Ltd; Lucky Otter Ltd; same name',
      '25; Lucky Otter Ltd; Lucky Otter plc; same name with another legal form',
      '15; Lucky Otter Ltd; Lucky Otter plc; same name with another legal form; two accounts of one register',
    ])
    const again = await sync('sweden', 11, otter('S1'), otter('S2', { legalName: 'Lucky Otter plc' }))
    expect([again.candidates, (await pairs()).length]).toEqual([0, 3])
  })

  test('different parties are no pair and are never linked, through a replay too', async () => {
    await sync('malta', 10, otter('M1'), otter('M2', { legalName: 'Happy Badger Ltd' }))
    await sync('sweden', 10, otter('S1'), otter('S2', { legalName: 'Happy Badger plc' }))
    const [one, other] = [await refOf('M1'), await refOf('S1')]
    await keepDistinct(testWorld.world, { one, other, reason: 'two parties', now: day(11) })
    expect(await pairs()).toEqual([
      '25; Happy Badger Ltd; Happy Badger plc; same name with another legal form',
    ])
    await sync(
      'malta',
      12,
      otter('M1'),
      otter('M2', { legalName: 'Happy Badger Ltd' }),
      site('a.example', 'M1'),
    )
    await sync(
      'sweden',
      12,
      otter('S1'),
      otter('S2', { legalName: 'Happy Badger plc' }),
      site('a.example', 'S1'),
    )
    expect(await companies()).toContain('malta:M1')
    expect((await verifyReplay(testWorld.world, testWorld.connection)).differences).toEqual([])
  })

  test('two numbers of one company register make no pair', async () => {
    await sync('malta', 10, otter('M1', { country: 'MT', registrationNumber: 'C 1095' }))
    await sync('sweden', 10, otter('S1', { country: 'MT', registrationNumber: 'C 1096' }))
    expect([await companies(), await pairs()]).toEqual([apart, []])
  })
})

test('two Companies of one name in one market give a notice, those of two markets none', async () => {
  const [short, other] = [{ legalName: 'Otter Ltd' }, { legalName: 'Otter Limited' }]
  const report = await sync('malta', 10, otter('M1', short), otter('M2', other))
  const notice = 'name of another Company of this market: see "company duplicates"'
  expect(report.notices).toMatchObject([
    { notice, count: 2, examples: ['Otter Ltd (M1)', 'Otter Limited (M2)'] },
  ])
  expect((await sync('sweden', 10, otter('S1', short))).notices).toEqual([])
})
