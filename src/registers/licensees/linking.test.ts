import type { LicenseeRow } from '@baize/registers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  listDuplicates,
  mergeCompanies,
  showCompany,
  splitCompany,
  verifyCompanies,
} from '../../features/companies/index.ts'
import { verifyReplay } from '../../verify/replay.ts'
import { day, openTestWorld, type TestWorld } from '../fixture.ts'
import { apart, openLinking, otter, site, together } from './fixture.ts'

let testWorld: TestWorld
beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterEach(() => testWorld.empty())
afterAll(() => testWorld.close())

const { sync, companies, refOf, linksOf } = openLinking(() => testWorld)

describe('a holder is linked by', () => {
  test('its name and a shared authorised domain, and the report counts it', async () => {
    await sync('malta', 10, otter('M1'), site('otter.example', 'M1'))
    const report = await sync('sweden', 10, otter('S1'), site('otter.example', 'S1'))
    expect([report.linked, await companies()]).toEqual([{ name_and_domain: 1 }, together])
    expect(await linksOf('S1')).toEqual(['S1 name_and_domain otter.example M1'])
  })

  test('its name in two lists of one regulator, or twice in one of them', async () => {
    await sync('malta', 10, otter('M1'), otter('M2', { legalName: 'LUCKY-OTTER LIMITED' }))
    const report = await sync('lottery', 10, otter('L1'))
    expect([report.linked, await companies()]).toEqual([
      { name_and_market: 1 },
      ['malta:L1 malta:M1 malta:M2'],
    ])
    expect(await linksOf('M1')).toEqual([
      'M2 name_and_market malta The regulator of Malta M1',
      'L1 name_and_market malta The regulator of Malta M1',
    ])
  })

  test('its name and a country that the number of the other one implies', async () => {
    await sync('malta', 10, otter('M1', { country: 'MT' }))
    await sync('sweden', 10, otter('S1', { registrationNumber: 'C 1095' }))
    expect(await linksOf('S1')).toEqual(['S1 name_and_implied_country MT M1'])
  })
})

test.each<[evidence: string, name: string, one: string, other: string]>([
  ['name_with_country malta', 'Lucky Otter (Malta) Limited', 'a.example', 'b.example'],
  ['name_and_implied_country DK', 'Lucky Otter ApS', 'a.example', 'b.example'],
  ['name_and_site redkite', 'Lucky Otter Ltd', 'red-kite.dk.example', 'redkite.com.example'],
])('a holder is linked by %s', async (evidence, legalName, one, other) => {
  await sync('malta', 10, otter('M1', { legalName }), site(one, 'M1'))
  await sync('sweden', 10, otter('S1', { legalName }), site(other, 'S1'))
  expect([await companies(), await linksOf('S1')]).toEqual([together, [`S1 ${evidence} M1`]])
})

test.each(['Italian Games Ltd', 'Super United Games Ltd'])(
  'the words of a name that only look like a country do not link holders: %s',
  async legalName => {
    await sync('malta', 10, otter('M1', { legalName }), site('a.example', 'M1'))
    await sync('sweden', 10, otter('S1', { legalName }), site('b.example', 'S1'))
    expect(await linksOf('S1')).toEqual([])
  },
)

test.each([
  ['another name', { legalName: 'Happy Badger Ltd' }, 'redkite.com.example'],
  ['the company name itself', {}, 'luckyotter.com.example'],
  ['a word of many sites', {}, 'casino.com.example'],
])('a site of the same name does not link a holder: %s', async (_what, fields, domain) => {
  const sites = domain.replace('.com.', '.se.')
  await sync('malta', 10, otter('M1'), site(domain, 'M1'))
  await sync('sweden', 10, otter('S1', fields), site(sites, 'S1'))
  expect(await companies()).toEqual(apart)
})

describe('a holder is not linked by', () => {
  test.each<[why: string, one: Partial<LicenseeRow>, other: Partial<LicenseeRow>]>([
    ['its name alone', {}, {}],
    ['its name and a country that only one states', { country: 'MT' }, {}],
    ['its name without a legal form', { legalName: 'Lucky Otter' }, { legalName: 'Lucky Otter' }],
  ])('%s', async (_why, one, other) => {
    await sync('malta', 10, otter('M1', one))
    await sync('sweden', 10, otter('S1', other))
    expect(await companies()).toEqual(apart)
  })

  test.each<[why: string, one: Partial<LicenseeRow>, other: Partial<LicenseeRow>]>([
    ['another name', {}, { legalName: 'Lucky Badger Ltd' }],
    ['two countries', { country: 'MT' }, { country: 'GI' }],
    [
      'two numbers of one register',
      { country: 'MT', registrationNumber: 'C 1095' },
      { country: 'MT', registrationNumber: 'C 1096' },
    ],
    [
      'two numbers of one register that one of them does not name',
      { country: 'MT', registrationNumber: 'C 1095' },
      { registrationNumber: 'C 1096' },
    ],
    ["a natural person's name", { isPerson: true }, { isPerson: true }],
  ])('a shared domain in spite of %s', async (_why, one, other) => {
    await sync('malta', 10, otter('M1', one), site('otter.example', 'M1'))
    await sync('sweden', 10, otter('S1', other), site('otter.example', 'S1'))
    expect(await companies()).toEqual(apart)
  })

  test('a short name of one register, or one without a legal form', async () => {
    const [short, formless] = [{ legalName: 'Otter Ltd' }, { legalName: 'Bingo Club House' }]
    await sync(
      'malta',
      10,
      otter('M1', short),
      otter('M2', short),
      otter('M3', formless),
      otter('M4', formless),
    )
    expect(await companies()).toEqual(['malta:M1', 'malta:M2', 'malta:M3', 'malta:M4'])
  })
})

describe('Companies that are known', () => {
  test('a holder that is the party of two Companies joins them, and the newer ref leads on', async () => {
    await sync('malta', 10, otter('M1', { country: 'MT' }))
    await sync('sweden', 10, otter('S1'), site('otter.example', 'S1'))
    const ref = await refOf('S1')
    expect(await companies()).toEqual(apart)
    await sync('denmark', 11, otter('D1', { country: 'MT' }), site('otter.example', 'D1'))
    expect(await companies()).toEqual(['denmark:D1 malta:M1 sweden:S1'])
    const shown = await showCompany(testWorld.world, ref)
    expect(shown).toMatchObject({ ref_status: 'merged', resolved_company_ref: await refOf('M1') })
    const { world, connection } = testWorld
    expect((await verifyReplay(world, connection)).differences).toEqual([])
    const verdict = await testWorld.rowsOf('domains')
    expect(verdict).toMatchObject([{ licensee_company_id: (await testWorld.rowsOf('companies'))[0]?.id }])
    expect((await verifyCompanies(testWorld.world.database)).differences).toEqual([])
  })

  test('a fact that ended before Companies were joined keeps the Company that it had', async () => {
    await sync('malta', 10, otter('M1', { country: 'MT' }))
    const sites = ['otter', 'hill', 'lake', 'moor'].map(name => site(`${name}.example`, 'S1'))
    await sync('sweden', 10, otter('S1'), site('past.example', 'S1'), ...sites)
    const [{ company_id: former } = {}] = await testWorld.rowsOf('authorisations')
    await sync('sweden', 11, otter('S1'), ...sites)
    await sync('denmark', 12, otter('D1', { country: 'MT' }), site('otter.example', 'D1'))
    const ended = (await testWorld.rowsOf('authorisations')).filter(row => row.known_to !== null)
    expect(ended.map(row => row.company_id)).toEqual([former])
    // The decision says which identities the former Company had, and until when.
    expect((await showCompany(testWorld.world, await refOf('S1'))).decisions).toMatchObject([
      { kind: 'merge', identities: [['sweden.licences', 'S1']], decided_at: day(12) },
    ])
  })

  test('a domain, country or number that a known holder gains links it', async () => {
    await sync('malta', 10, otter('M1', { country: 'MT' }), site('otter.example', 'M1'))
    await sync('sweden', 10, otter('S1'), site('badger.example', 'S1'))
    const report = await sync(
      'sweden',
      11,
      otter('S1'),
      site('badger.example', 'S1'),
      site('otter.example', 'S1'),
    )
    expect([report.linked, await companies()]).toEqual([{ name_and_domain: 1 }, together])
  })

  test('Companies whose holders were renamed are not joined by a third one of the name', async () => {
    const badger = { legalName: 'Happy Badger Ltd' }
    const malta = { country: 'MT' }
    await sync('malta', 10, otter('M1', malta), otter('M2', { ...malta, ...badger }))
    await sync('sweden', 10, otter('S1', malta), otter('S2', { ...malta, ...badger }))
    const before = ['malta:M1 sweden:S1', 'malta:M2 sweden:S2']
    expect(await companies()).toEqual(before)
    // The parties swap their names, and only one register has noticed it.
    await sync('malta', 11, otter('M1', { ...malta, ...badger }), otter('M2', malta))
    expect(await companies()).toEqual(before)
    const report = await sync('denmark', 11, otter('D1', malta))
    expect(await companies()).toEqual(['denmark:D1', ...before])
    expect(report.notices).toMatchObject([{ notice: 'name of several Companies: not linked', count: 1 }])
    // The other register swaps them on the same day.
    await sync('sweden', 11, otter('S1', { ...malta, ...badger }), otter('S2', malta))
    expect(await companies()).toEqual(['denmark:D1', ...before])
    expect((await verifyReplay(testWorld.world, testWorld.connection)).differences).toEqual([])
  })

  test('two numbers of one register under one name stay apart, and a third joins neither', async () => {
    const numbered = (number: number) => ({ country: 'MT', registrationNumber: `C ${number}` })
    const report = await sync('malta', 10, otter('M1', numbered(1095)), otter('M2', numbered(1096)))
    const third = await sync('sweden', 10, otter('S1', { country: 'MT' }))
    expect(await companies()).toEqual(['malta:M1', 'malta:M2', 'sweden:S1'])
    const notice = 'name of a Company with another registration number: not linked'
    expect([report.notices, third.notices]).toMatchObject([[{ notice, count: 2 }], [{ notice, count: 1 }]])
  })

  test('a register that numbers its companies anew neither joins nor splits Companies', async () => {
    const numbered = (number: number) => ({ country: 'MT', registrationNumber: `C ${number}` })
    const rows = (first: number) => [
      otter('M1', numbered(first)),
      otter('M2', { legalName: 'Happy Badger Ltd', ...numbered(first + 1) }),
    ]
    await sync('malta', 10, ...rows(1095))
    await sync('sweden', 10, otter('S1', numbered(1096)))
    await sync('malta', 11, ...rows(1096))
    expect(await companies()).toEqual(['malta:M1', 'malta:M2 sweden:S1'])
  })
})

describe('what staff decide', () => {
  const linked = async () => {
    await sync('malta', 10, otter('M1'), site('otter.example', 'M1'))
    await sync('sweden', 10, otter('S1'), site('otter.example', 'S1'))
  }

  test('a link that was split is not made again, by no sync and no third holder', async () => {
    await linked()
    const company = await refOf('S1')
    await splitCompany(testWorld.world, {
      company,
      identities: [['sweden.licences', 'S1']],
      reason: 'two parties',
      now: day(11),
    })
    expect([await companies(), await linksOf('S1')]).toEqual([apart, []])
    expect((await verifyReplay(testWorld.world, testWorld.connection)).differences).toEqual([])
    await sync('sweden', 12, otter('S1'), site('otter.example', 'S1'), site('second.example', 'S1'))
    await sync('malta', 12, otter('M1'), site('otter.example', 'M1'), site('second.example', 'M1'))
    expect(await companies()).toEqual(apart)
    const report = await sync('denmark', 12, otter('D1'), site('otter.example', 'D1'))
    expect(await companies()).toEqual(['denmark:D1', ...apart])
    expect(report.notices.map(({ notice }) => notice)).toContain(
      'name or number of Companies that staff called different parties: not linked',
    )
  })

  test('a merge that was undone stays undone after a sync', async () => {
    await sync('malta', 10, otter('M1'))
    await sync('sweden', 10, otter('S1'))
    const [into, from] = [await refOf('M1'), await refOf('S1')]
    await mergeCompanies(testWorld.world, { from, into, reason: 'one party', now: day(11) })
    const identities: [string, string][] = [['sweden.licences', 'S1']]
    await splitCompany(testWorld.world, { company: into, identities, reason: 'a mistake', now: day(12) })
    await sync('sweden', 13, otter('S1', { country: 'MT' }), site('otter.example', 'S1'))
    await sync('malta', 13, otter('M1', { country: 'MT' }), site('otter.example', 'M1'))
    expect(await companies()).toEqual(apart)
  })

  test('a link whose evidence comes and goes stays, and says so', async () => {
    await linked()
    const link = 'S1 name_and_domain otter.example M1'
    await sync('sweden', 11, otter('S1'), site('badger.example', 'S1'))
    expect([await companies(), await linksOf('S1')]).toEqual([together, [`${link} lost`]])
    expect((await listDuplicates(testWorld.world, { limit: 10 })).lost_links).toMatchObject([
      { identity: 'sweden.licences:S1', evidence: 'name_and_domain', value: 'otter.example' },
    ])
    await sync('sweden', 12, otter('S1'), site('otter.example', 'S1'))
    expect([await companies(), await linksOf('S1')]).toEqual([together, [link]])
    const ref = await refOf('S1')
    for (let night = 13; night < 19; night += 1) {
      const domain = night % 2 === 0 ? 'otter.example' : 'badger.example'
      await sync('sweden', night, otter('S1'), site(domain, 'S1'))
      expect([await companies(), await refOf('S1')]).toEqual([together, ref])
    }
    expect(await linksOf('S1')).toEqual([link])
    expect((await showCompany(testWorld.world, ref)).decisions).toEqual([])
  })
})

test('two syncs at once do not link crosswise', async () => {
  await sync('malta', 10, otter('M1', { country: 'MT' }), otter('M2', { legalName: 'Happy Badger Ltd' }))
  const rows = (prefix: string) => [
    otter(`${prefix}1`, { country: 'MT' }),
    otter(`${prefix}2`, { legalName: 'Happy Badger Ltd', country: 'MT' }),
    site('otter.example', `${prefix}1`),
    site('badger.example', `${prefix}2`),
  ]
  await Promise.all([sync('sweden', 11, ...rows('S')), sync('denmark', 11, ...rows('D'))])
  expect(await companies()).toEqual(['denmark:D1 malta:M1 sweden:S1', 'denmark:D2 sweden:S2', 'malta:M2'])
})
