import type { LicenseeRow, Reading } from '@baize/registers'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { loadLines } from '../../../test/harness/load-lines.ts'
import { verifyCompanies } from '../../features/companies/index.ts'
import { syncRegister } from '../apply/sync-register.ts'
import {
  authorisation,
  day,
  fakeStream,
  fileOf,
  license,
  licensee,
  openTestWorld,
  type TestWorld,
} from '../fixture.ts'
import { createStaging, stageRows } from '../snapshot/staging-store.ts'
import { applyCompanies } from './companies-store.ts'
import type { UnlinkedLicensees } from './link-licensees-store.ts'

let testWorld: TestWorld

beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterEach(() => testWorld.empty())
afterAll(() => testWorld.close())

const streams = { malta: fakeStream('malta.licences'), sweden: fakeStream('sweden.licences') }

function sync(register: keyof typeof streams, number: number, ...readings: Reading[]) {
  const moment = { takenAt: day(number), now: day(number) }
  return syncRegister(testWorld.world, streams[register], [fileOf(...readings)], moment)
}

/** Returns the identities of each Company, a Company per line: `malta:M1 sweden:S1`. */
async function companies(): Promise<string[]> {
  const { rows } = await sql<{ identities: string }>`
    select string_agg(split_part(stream, '.', 1) || ':' || identity_key, ' ' order by stream, identity_key)
             as identities
      from company_identities
     group by company_id
     order by 1`.execute(testWorld.world.database)
  return rows.map(row => row.identities)
}

const load = (...records: object[]) => loadLines(testWorld.world, records, { now: day(1) })

const alpha = (key: string, fields: Partial<LicenseeRow> = {}) =>
  licensee(key, { legalName: 'Alpha Ltd', country: 'MT', ...fields })

const together = ['malta:M1 sweden:S1']
const apart = ['malta:M1', 'sweden:S1']

describe('a licensee of another register that is the same party', () => {
  test.each<[why: string, one: Partial<LicenseeRow>, other: Partial<LicenseeRow>]>([
    ['its name and country are the same', {}, {}],
    ['its legal form has another spelling', { legalName: 'Alpha Ltd' }, { legalName: 'ALPHA, LIMITED' }],
    ['only one of them has a registration number', { registrationNumber: 'C 109579' }, {}],
    ['only the other has one', {}, { registrationNumber: 'C 109579' }],
    [
      'its registration number is the same, though its name differs',
      { registrationNumber: 'C 109579' },
      { registrationNumber: 'c-109579', legalName: 'Alfa Holdings plc' },
    ],
  ])('a licensee is linked to the stored Company because %s', async (_why, one, other) => {
    await sync('malta', 10, alpha('M1', one))
    await sync('sweden', 10, alpha('S1', other))
    expect(await companies()).toEqual(together)
  })
})

describe('a licensee of another register that is another party', () => {
  test.each<[why: string, one: Partial<LicenseeRow>, other: Partial<LicenseeRow>]>([
    ['its legal form differs', { legalName: 'Alpha Ltd' }, { legalName: 'Alpha plc' }],
    ['it has no legal form', { legalName: 'Alpha Ltd' }, { legalName: 'Alpha' }],
    ['its country differs', { country: 'MT' }, { country: 'SE' }],
    ['its country is missing', { country: 'MT' }, { country: null }],
    ['both countries are missing', { country: null }, { country: null }],
    [
      'its registration number differs, though its name is the same',
      { registrationNumber: 'C 109579' },
      { registrationNumber: 'C 109580' },
    ],
    [
      'its number is from the register of another country',
      { registrationNumber: 'C 109579', legalName: 'Alpha Ltd' },
      { registrationNumber: 'C 109579', legalName: 'Beta Ltd', country: 'SE' },
    ],
    [
      'without a country, each jurisdiction has numbers of its own',
      { registrationNumber: 'C 109579', country: null },
      { registrationNumber: 'C 109579', country: null },
    ],
    [
      'the country has a register of companies for each of its states',
      { registrationNumber: 'C 109579', legalName: 'Alpha LLC', country: 'US' },
      { registrationNumber: 'C 109579', legalName: 'Beta LLC', country: 'US' },
    ],
    [
      'its number has no digits',
      { registrationNumber: 'N/A', legalName: 'Alpha Ltd' },
      { registrationNumber: 'N/A', legalName: 'Beta Ltd' },
    ],
    [
      'the number is a placeholder',
      { registrationNumber: '000', legalName: 'Alpha Ltd' },
      { registrationNumber: '000', legalName: 'Beta Ltd' },
    ],
  ])('a licensee gets another Company because %s', async (_why, one, other) => {
    await sync('malta', 10, alpha('M1', one))
    await sync('sweden', 10, alpha('S1', other))
    expect(await companies()).toEqual(apart)
  })
})

describe('two accounts of one register', () => {
  test('two accounts with one name and country are one Company, in one snapshot or in two', async () => {
    await sync('malta', 10, alpha('M1'), alpha('M2', { legalName: 'Alpha Limited' }))
    await sync('malta', 11, alpha('M1'), alpha('M2', { legalName: 'Alpha Limited' }), alpha('M3'))
    expect(await companies()).toEqual(['malta:M1 malta:M2 malta:M3'])
    expect(await testWorld.rowsOf('companies')).toMatchObject([
      { company_name: 'Alpha Ltd', legal_entity: 'Alpha Ltd', aliases: ['Alpha Limited'], country: 'MT' },
    ])
  })

  test('two accounts with one number are one Company, named by the first account', async () => {
    await sync(
      'malta',
      10,
      alpha('M2', { registrationNumber: 'C 1095', legalName: 'Zed plc', tradingNames: ['Zed'] }),
      alpha('M1', { registrationNumber: 'C-1095', tradingNames: ['Ace'] }),
    )
    expect(await companies()).toEqual(['malta:M1 malta:M2'])
    expect(await testWorld.rowsOf('companies')).toMatchObject([
      { company_name: 'Alpha Ltd', brands: ['Ace', 'Zed'], aliases: ['Zed plc'] },
    ])
  })
})

describe('an account and its Company', () => {
  test('an account stays with its Company when it takes over the name of another account', async () => {
    await sync('malta', 10, alpha('M1'))
    await sync('sweden', 10, alpha('S1', { legalName: 'Beta Ltd' }))
    await sync('sweden', 11, alpha('S1'))
    expect(await companies()).toEqual(apart)
  })

  test('an account stays with its Company when another account takes over its name', async () => {
    await sync('malta', 10, alpha('M1'))
    await sync('malta', 11, alpha('M1', { legalName: 'Beta Ltd' }), alpha('M2'))
    expect(await companies()).toEqual(['malta:M1', 'malta:M2'])
    await sync('sweden', 11, alpha('S1'))
    expect(await companies()).toEqual(['malta:M1', 'malta:M2 sweden:S1'])
  })

  test('an account stays with its Company when it leaves the register and returns', async () => {
    await sync('malta', 10, alpha('M1'), alpha('M9', { legalName: 'Other Ltd' }))
    const [before] = await testWorld.rowsOf('companies')
    await sync('malta', 11, alpha('M9', { legalName: 'Other Ltd' }))
    await sync('sweden', 11, alpha('S1'))
    await sync('malta', 12, alpha('M1'), alpha('M9', { legalName: 'Other Ltd' }))
    expect(await companies()).toEqual(['malta:M1 sweden:S1', 'malta:M9'])
    const [after] = await testWorld.rowsOf('companies')
    expect(after?.company_ref).toBe(before?.company_ref)
  })
})

describe('a Company of an interchange file', () => {
  const record = { kind: 'company', key: 'alpha', company_name: 'Alpha Group', legal_entity: 'Alpha Limited' }
  const known = {
    ...record,
    country: 'MT',
    role: ['platform_provider'],
    brands: ['Ace'],
    evidence_routes: ['website'],
  }

  test('an imported Company keeps its name when a licensee of its name and country is linked', async () => {
    await load(known)
    await sync(
      'malta',
      10,
      alpha('M1', { tradingNames: ['Zed'] }),
      license('L1', 'M1'),
      authorisation('a.example', { licenseKey: 'L1', licenseeKey: 'M1' }),
    )
    expect(await companies()).toEqual(['import:alpha malta:M1'])
    expect(await testWorld.rowsOf('companies')).toMatchObject([
      {
        company_name: 'Alpha Group',
        legal_entity: 'Alpha Limited',
        aliases: ['Alpha Ltd'],
        role: ['platform_provider', 'operator'],
        brands: ['Ace', 'Zed'],
        evidence_routes: ['website', 'register'],
      },
    ])
    await load({ ...known, brands: ['Bee'] })
    expect(await testWorld.rowsOf('companies')).toMatchObject([
      { brands: ['Bee', 'Zed'], role: known.role.concat('operator') },
    ])
    expect(await verifyCompanies(testWorld.world.database)).toEqual({ checked: 1, differences: [] })
  })

  test('an imported Company is not linked while its country or legal entity is missing', async () => {
    await load({ ...known, country: undefined }, { ...known, key: 'beta', legal_entity: undefined })
    await sync('malta', 10, alpha('M1'))
    expect(await companies()).toEqual(['import:alpha', 'import:beta', 'malta:M1'])
  })
})

/** Applies licensees as a snapshot does. Returns the notices. */
async function keptApart(
  register: keyof typeof streams,
  ...rows: LicenseeRow[]
): Promise<UnlinkedLicensees[]> {
  return testWorld.world.database.transaction().execute(async tx => {
    await createStaging(tx)
    await stageRows(tx, 'licensee', rows)
    const moment = {
      takenAt: day(10),
      previousTakenAt: null,
      now: day(10),
      isCorrection: false,
      isBackfill: false,
      emitsSignals: false,
      followsGap: false,
      isOtherForm: false,
    }
    const { unlinked } = await applyCompanies(tx, { stream: streams[register], ...moment })
    return unlinked
  })
}

describe('a doubtful link to a Company', () => {
  test('a licensee is not linked, but noted, if several Companies have its name', async () => {
    await load(
      { kind: 'company', key: 'one', legal_entity: 'Alpha Ltd', country: 'MT' },
      { kind: 'company', key: 'two', legal_entity: 'Alpha Limited', country: 'MT' },
    )
    const notice = 'name of several Companies: not linked'
    expect(await keptApart('malta', alpha('M1'), alpha('M2'))).toEqual([
      { notice, count: 2, examples: ['Alpha Ltd (M1)', 'Alpha Ltd (M2)'] },
    ])
    expect(await companies()).toEqual(['import:one', 'import:two', 'malta:M1', 'malta:M2'])
  })

  test('a licensee is not linked, but noted, if the Company of its name has another number', async () => {
    expect(await keptApart('malta', alpha('M1', { registrationNumber: 'C 1095' }))).toEqual([])
    expect(await keptApart('sweden', alpha('S1', { registrationNumber: 'C 1096' }))).toEqual([
      {
        notice: 'name of a Company with another registration number: not linked',
        count: 1,
        examples: ['Alpha Ltd (S1)'],
      },
    ])
    expect(await companies()).toEqual(apart)
  })

  test('two licensees are not linked, but noted, if both match the Company of their name', async () => {
    await keptApart('malta', alpha('M1'))
    const [one, other] = [
      alpha('S1', { registrationNumber: 'C 1095' }),
      alpha('S2', { registrationNumber: 'C 1096' }),
    ]
    expect(await keptApart('sweden', one, other)).toMatchObject([{ count: 2 }])
    expect(await companies()).toEqual(['malta:M1', 'sweden:S1', 'sweden:S2'])
  })

  test('a licensee is not linked, but noted, if several Companies have its number', async () => {
    const numbered = { registrationNumber: 'C 1095' }
    const [beta, gamma] = [{ legalName: 'Beta Ltd' }, { legalName: 'Gamma Ltd' }]
    await keptApart('malta', alpha('M1', { ...beta, ...numbered }), alpha('M2', gamma))
    await keptApart('malta', alpha('M1', { ...beta, ...numbered }), alpha('M2', { ...gamma, ...numbered }))
    expect(await keptApart('sweden', alpha('S1', numbered))).toMatchObject([
      { notice: 'registration number of several Companies: not linked' },
    ])
    expect(await companies()).toEqual(['malta:M1', 'malta:M2', 'sweden:S1'])
  })
})

describe('links between any two registers', () => {
  const row = (key: string): fc.Arbitrary<LicenseeRow> =>
    fc
      .record({
        legalName: fc.constantFrom('Alpha Ltd', 'ALPHA LIMITED', 'Alpha plc', 'Beta Ltd'),
        country: fc.constantFrom('MT', 'MT', 'US', null),
        registrationNumber: fc.constantFrom('C 1095', 'C-1095', 'C 1096', null, null),
      })
      .map(fields => licensee(key, fields))
  const register = (prefix: string) => fc.tuple(...[1, 2, 3, 4].map(number => row(`${prefix}${number}`)))
  const worlds = fc.tuple(register('M'), register('S')).chain(([malta, sweden]) =>
    fc.record({
      malta: fc.constant(malta),
      sweden: fc.constant(sweden),
      maltaAgain: fc.shuffledSubarray(malta, { minLength: malta.length }),
      swedenAgain: fc.shuffledSubarray(sweden, { minLength: sweden.length }),
    }),
  )

  /** Finds pairs of identities of one Company that share neither a number nor a name, even through others. */
  const unexplained = async () => {
    const { rows } = await sql<{ company_id: number; parties: number }>`
      with recursive connected as (
        select company_id, stream, identity_key, stream || identity_key as first from company_identities
        union
        select other.company_id, other.stream, other.identity_key, connected.first
          from connected
          join company_identities identity using (stream, identity_key)
          join company_identities other
            on other.company_id = identity.company_id
           and (other.registration = identity.registration
                or (other.name_key, other.country) = (identity.name_key, identity.country))
      )
      select company_id, count(*) as parties
        from company_identities identity
       where (select count(*) from company_identities same where same.company_id = identity.company_id)
          <> (select count(*) from connected where first = identity.stream || identity.identity_key)
       group by company_id`.execute(testWorld.world.database)
    return rows
  }
  const contradictory = async () => {
    const { rows } = await sql<{ company_id: number }>`
      select company_id
        from company_identities
       where registration is not null
       group by company_id, split_part(registration, ':', 1)
      having count(distinct registration) > 1`.execute(testWorld.world.database)
    return rows
  }

  test('the order of rows does not change the links, and every link has a consistent reason', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async ({ malta, sweden, maltaAgain, swedenAgain }) => {
        await testWorld.empty()
        await keptApart('malta', ...malta)
        await keptApart('sweden', ...sweden)
        const once = await companies()
        expect(await unexplained()).toEqual([])
        expect(await contradictory()).toEqual([])
        expect((await verifyCompanies(testWorld.world.database)).differences).toEqual([])

        // Applying the same rows again changes nothing.
        await keptApart('malta', ...maltaAgain)
        expect(await companies()).toEqual(once)

        await testWorld.empty()
        await keptApart('malta', ...maltaAgain)
        await keptApart('sweden', ...swedenAgain)
        expect(await companies()).toEqual(once)
      }),
      { numRuns: 15 },
    )
  })
})
