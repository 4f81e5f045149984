import { fileOfBytes } from '@baize/tables'
import { describe, expect, test } from 'vitest'
import { fixture, gather, rejectTexts } from '../../test/gather.ts'
import { roleOfActivities } from './combine-licence.ts'
import { readUkgcRegister } from './read-register.ts'

const file = (name: string) => fixture(new URL(`fixtures/${name}.csv`, import.meta.url))
const four = ['trading-names', 'licences', 'domain-names', 'businesses'].map(file)
const register = await gather(readUkgcRegister(four))

test('accounts are licensees with their active trading names', () => {
  expect(register.licensee.map(row => [row.recordKey, row.legalName, row.tradingNames])).toEqual([
    ['70001', 'Otter Gaming Limited', ['lucky otter', 'otter palace']],
    ['70002', 'Heron Bingo Halls Ltd', []],
    ['70003', 'Fox White Label PLC', []],
    ['70004', 'Owl Newcomers Limited', []],
  ])
})

describe('a licence with several rows', () => {
  test('a licence has the key without version counter, and the newest version that licenses', () => {
    expect(register.license[0]).toEqual({
      record: 'license',
      recordKey: '070001-R-900001',
      licenseNumber: '070001-R-900001-003',
      licenseType: 'Remote: Bingo, Casino',
      status: 'active',
      licenseeKey: '70001',
      issuedAt: '2024-02-01T00:00:00.000Z',
      expiresAt: null,
      sourceUrl: 'https://www.gamblingcommission.gov.uk/public-register/business/detail/70001',
      role: 'operator',
    })
  })

  const roles: [role: string | null, activities: string[]][] = [
    ['operator', ['Casino']],
    ['operator', ['General Betting Standard - Real Event', 'Pool Betting']],
    ['operator', ['Gaming Machine General Adult Gaming Centre']],
    ['operator', ['Society Lottery']],
    ['operator', ['Linked Gambling Software', 'Pool Betting']],
    ['supplier', ['Gambling Software']],
    ['supplier', ['Gambling Software', 'Game Host (Casino)']],
    ['supplier', ['Gaming Machine Technical  Full', 'gaming machine technical supplier']],
    [null, ['External Lottery Manager']],
    [null, ['Gambling Software', 'Fortune Telling']],
    [null, []],
  ]

  test('the activities of a licence decide its role', () => {
    expect(roles.map(([, activities]) => [roleOfActivities(activities), activities])).toEqual(roles)
  })

  test('a surrendered activity does not make an operator', async () => {
    const header = 'Account Number,Licence Number,Status,Type,Activity,Start Date,End Date\n'
    const licences = fileOfBytes(
      'l.csv',
      `${header}70001,070001-R-900001-001,Surrendered,Remote,Casino,2024-02-01,2025-02-01\n` +
        '70001,070001-R-900001-001,Active,Remote,Gambling Software,2024-02-01,\n',
    )
    const others = ['businesses', 'trading-names', 'domain-names'].map(file)
    const { license } = await gather(readUkgcRegister([licences, ...others]))
    expect(license.map(row => [row.status, row.role])).toEqual([['active', 'supplier']])
  })

  const headers = {
    licences: 'Account Number,Licence Number,Status,Type,Activity,Start Date,End Date',
    businesses: 'Account Number,Licence Account Name',
    'domain-names': 'Account Number,Domain Name,Status',
  }
  /** Returns the register's files with these rows in place of the fixtures' rows. */
  function withRows(tables: Partial<Record<keyof typeof headers, string[]>>) {
    const names = ['licences', 'businesses', 'domain-names'] as const
    const files = names.map(name => {
      const rows = tables[name]
      return rows === undefined ? file(name) : fileOfBytes(name, [headers[name], ...rows].join('\n'))
    })
    return gather(readUkgcRegister([file('trading-names'), ...files]))
  }

  test.each([
    ['revoked', ['Surrendered', 'Revoked']],
    ['revoked', ['Expired', 'Revoked - Non Payment of Fee', 'Lapsed']],
    ['suspended', ['Surrendered', 'Suspended']],
    ['active', ['Revoked', 'Active', 'Surrendered']],
    ['active', ['', 'Active']],
  ])('a licence has the status %s given %j in any order', async (status, printed) => {
    const rows = printed.map(
      (word, index) =>
        `70001,070001-R-900001-001,${word},Remote,Bingo ${index},2024-02-01,2025-02-0${index + 1}`,
    )
    const [one, other] = await Promise.all([rows, rows.toReversed()].map(licences => withRows({ licences })))
    expect(one?.license[0]?.status).toBe(status)
    expect(other?.license).toEqual(one?.license)
  })

  test('a licence claimed by two accounts belongs to one in any order and keeps its printed day', async () => {
    const rows = [
      '70001,070001-R-900001-001,Revoked,Remote,Casino,2024-02-01T00:00:00+02:00,',
      '70003,070001-R-900001-001,Active,Remote,Casino,2024-02-01T00:00:00+02:00,',
      '70002,070001-R-900001-001,Active,Remote,Casino,2024-02-01T00:00:00+02:00,',
    ]
    for (const licences of [rows, rows.toReversed()]) {
      const { license, reject } = await withRows({ licences })
      expect(license.map(row => [row.licenseeKey, row.issuedAt])).toEqual([
        ['70002', '2024-02-01T00:00:00.000Z'],
      ])
      expect(reject.filter(each => each.published === '070001-R-900001-001')).toHaveLength(2)
    }
  })

  test('a repeated account or host gives the same records in any order', async () => {
    const businesses = ['70001,Otter Gaming Limited', '70001,Otter Group Limited']
    const domains = ['70001,a.example,White Label', '70001,a.example,Active', '70001,a.example,Inactive']
    for (const turned of [false, true]) {
      const inOrder = (rows: string[]) => (turned ? rows.toReversed() : rows)
      const { licensee, authorisation } = await withRows({
        licences: ['70001,070001-R-900001-001,Active,Remote,Casino,,'],
        businesses: inOrder(businesses),
        'domain-names': inOrder(domains),
      })
      expect(licensee.map(row => row.legalName)).toEqual(['Otter Gaming Limited'])
      expect(authorisation.map(row => [row.status, row.counts])).toEqual([['active', true]])
    }
  })

  test('the status of a licence is normalised', () => {
    expect(register.license.map(row => row.status)).toEqual(['active', 'revoked', 'active', 'suspended'])
  })
})

describe('licensed domains', () => {
  const authorised = (domain: string) =>
    register.authorisation
      .filter(row => row.domain === domain)
      .map(row => [row.licenseKey, row.status, row.counts])

  test('an active domain counts for each remote licence of its account, in any licence status', () => {
    expect(authorised('lucky-otter.example').slice(0, 2)).toEqual([
      ['070001-R-900001', 'active', true],
      ['070001-A-900002', 'active', true],
    ])
  })

  test('a white-label domain is licensed, and an inactive domain is not', () => {
    expect(authorised('red-fox.example')).toEqual([['070003-R-900004', 'white_label', true]])
    expect(authorised('old-otter.example').map(([, , counts]) => counts)).toEqual([false, false])
  })

  test('an account that has only premises licences licenses no site', () => {
    expect(authorised('heron-halls.example')).toEqual([[null, 'active', false]])
  })

  test('a domain of an account without any licence row is licensed, and noted', () => {
    expect(authorised('new-owl.example')).toEqual([
      [null, 'active', true],
      [null, 'active', true],
    ])
    expect(register.notice.map(each => `${each.notice}: ${each.published}`)).toEqual([
      'a trading name is inactive: old otter',
      'unreadable date "soon": 070002-N-900003-001',
      'unknown domain status "Paused": odd-owl.example',
      'domains of an account without a licence row: 70004 Owl Newcomers Limited',
    ])
  })

  test('of two listings of a host, the licensed listing decides', () => {
    const rows = register.authorisation.filter(row => row.recordKey.startsWith('70001|lucky-otter.example|'))
    expect(rows.map(row => [row.published, row.status])).toEqual([
      ['lucky-otter.example', 'active'],
      ['lucky-otter.example', 'active'],
    ])
  })
})

test('unusable rows of the UKGC are rejected with a reason', () => {
  expect(rejectTexts(register.reject)).toEqual([
    'duplicate Otter Gaming Limited',
    'unknown_account nobody',
    'unknown_account 079999-R-900009-001',
    'duplicate lucky-otter.example/raffle',
    'duplicate lucky-otter.example',
    'shared_host itunes.apple.com/gb/app/owl/id1',
    'not_a_domain not a domain',
    'unknown_account nobody.example',
  ])
})

test('a new version counter changes only the number of a licence', async () => {
  const licences = (counter: string) =>
    fileOfBytes(
      'l.csv',
      'Account Number,Licence Number,Status,Type,Activity,Start Date,End Date\n' +
        `70001,070001-R-900001-${counter},Active,Remote,Casino,2024-02-01,\n`,
    )
  const [one, two] = await Promise.all(
    ['003', '004'].map(async counter =>
      gather(
        readUkgcRegister([
          licences(counter),
          file('businesses'),
          file('trading-names'),
          file('domain-names'),
        ]),
      ),
    ),
  )
  expect(two?.license[0]).toEqual({ ...one?.license[0], licenseNumber: '070001-R-900001-004' })
  expect(two?.authorisation).toEqual(one?.authorisation)
})

describe('the four files of a UKGC snapshot', () => {
  test.each([
    ['one is missing', four.slice(1), /expected four tables, found 3; missing: tradingNames/],
    ['one comes twice', [...four, file('businesses')], /both the table businesses/],
    [
      'one is another table',
      [...four.slice(1), fileOfBytes('x.csv', 'Brand,Owner\na,b\n')],
      /expected the columns/,
    ],
  ])('a UKGC snapshot is refused if %s', async (_what, files, message) => {
    await expect(gather(readUkgcRegister(files))).rejects.toThrow(message)
  })
})
