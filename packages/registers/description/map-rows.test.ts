import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { read } from '../test/described.ts'
import { type Gathered, rejectTexts } from '../test/gather.ts'

const mixed = `
key: estonia.sites
market: estonia
covers: [register, blocklist]
regulator: Board of Sites (fictional)
regulator_country_code: EE
official_url: https://regulator.example/
cadence: { words: daily, hours: 24 }
publishes: { revoked: false, dates: true, domains: true, roles: false }
identity: the site
rows_min: 1
source_claim: license_and_blocklist
qualification: Sites with what was decided of them.
source_identity: Sites
file: { format: csv, delimiter: pipe }
columns:
  site: { headers: [Site] }
  state: { headers: [State] }
  decided: { headers: [Decided], optional: true }
  brand: { headers: [Brand], optional: true }
records:
  authorised_domains:
    when: { column: state, words: [Legal, Legal until revoked] }
    domain: { column: site, split: ["-or-", "+"] }
    key_also: [site]
  blocklist_entries:
    when: { column: state, words: [Blocked, Pardoned] }
    domain: { column: site }
    status: { column: state, words: { Blocked: listed, Pardoned: delisted } }
    listed_at: { column: decided, date_forms: [prose, iso] }
`

describe('a table of several kinds of rows', () => {
  test('conditions choose the kind of record, and a row that meets no condition is rejected', async () => {
    const list = await read(
      mixed,
      'Site|State|Decided\na.example-or-b.example|LEGAL |\nc.example|blocked|on 3.4.2025\nd.example|Pardoned|\ne.example|odd|\n',
    )
    expect(list.authorisation.map(row => [row.recordKey, row.domain, row.licenseeKey, row.counts])).toEqual([
      ['a.example|a.example-or-b.example', 'a.example', null, true],
      ['b.example|a.example-or-b.example', 'b.example', null, true],
    ])
    expect(list.blocklist_entry.map(row => [row.recordKey, row.listed, row.listedAt])).toEqual([
      ['c.example', true, '2025-04-03T00:00:00.000Z'],
      ['d.example', false, null],
    ])
    expect(rejectTexts(list.reject)).toEqual(['unknown_status e.example | odd'])
  })

  test('a missing optional column changes no record key', async () => {
    const [one, other] = await Promise.all([
      read(mixed, 'Site|State\nc.example|Blocked\n'),
      read(mixed, 'Brand|State|Site|Decided\nx|Blocked|c.example|\n'),
    ])
    expect(other.blocklist_entry).toEqual(one.blocklist_entry)
  })

  test('every value of a cell becomes one row or one reject', async () => {
    const host = fc.constantFrom(
      'a.example',
      'A.example/',
      'b.example/x',
      't.me/x',
      'www',
      '',
      '1.2.3.4',
      'a.example+c.example',
    )
    const state = fc.constantFrom('Legal', 'Blocked', 'Pardoned', 'odd', '')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(host, state), { minLength: 1, maxLength: 30 }), async rows => {
        const content = `Site|State\n${rows.map(row => row.join('|')).join('\n')}`
        const { authorisation, blocklist_entry, reject } = await read(mixed, content)
        const published = rows.filter(([site, word]) => `${site}${word}` !== '')
        const values = published.map(([site, word]) => (word === 'Legal' ? site.split('+').length : 1))
        const ended = authorisation.length + blocklist_entry.length + reject.length
        expect(ended).toBe(values.reduce((sum, count) => sum + count, 0))
      }),
      { numRuns: 50 },
    )
  })
})

const holders = `
key: jersey.holders
market: jersey
covers: [register]
regulator: Board of Holders (fictional)
regulator_country_code: JE
official_url: https://regulator.example/
cadence: { words: daily, hours: 24 }
publishes: { revoked: true, dates: true, domains: true, roles: false }
identity: the number
rows_min: 1
source_claim: license
qualification: Holders.
source_identity: Holders
file: { format: tsv }
columns:
  name: { headers: [Name] }
  brand: { headers: [Brand] }
  number: { headers: [Number] }
  type: { headers: [Type] }
  state: { headers: [State] }
  until: { headers: [Until] }
  site: { headers: [Site] }
records:
  licensee:
    key: [name]
    legal_name: { column: name }
    trading_names: { column: brand, split: ["/"] }
  license:
    key: [number, name]
    license_number: { column: number }
    license_type: { column: type }
    status: { column: state }
    expires_at: { column: until, date_forms: [d/m/yyyy] }
  authorised_domains:
    domain: { column: site }
    status: { column: state }
`

const header = 'Name\tBrand\tNumber\tType\tState\tUntil\tSite\n'
const rows = [
  'Otter Ltd\tLucky\t7\tCasino\tActive\t1/2/2027\totter.example',
  'Otter Ltd\tPalace / Lucky\t7\tBingo\tSurrendered\t1/1/2020\totter.example',
  'Otter Ltd\t\t7\tBets\tactive\t1/3/2028\totter.example',
  'Otter Ltd\t\t8\tBets\tExpired\t\t',
]

describe('rows that name one license', () => {
  const factsOf = ({ licensee, license }: Gathered) => ({ licensee, license })

  test('rows of one license become one record, with the status and end date of the active row', async () => {
    const list = await read(holders, header + rows.join('\n'))
    expect(list.licensee.map(row => row.tradingNames)).toEqual([['Lucky', 'Palace']])
    expect(list.license.map(row => [row.recordKey, row.licenseType, row.status, row.expiresAt])).toEqual([
      ['7|Otter Ltd', 'Bets; Bingo; Casino', 'active', '2028-03-01T00:00:00.000Z'],
      ['8|Otter Ltd', 'Bets', 'expired', null],
    ])
  })

  test('rows of one license give the same result in any order', async () => {
    const whole = factsOf(await read(holders, header + rows.join('\n')))
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(rows, { minLength: rows.length }), async shuffled => {
        const { licensee, license } = factsOf(await read(holders, header + shuffled.join('\n')))
        const inOrder = license.toSorted((one, other) => (one.recordKey < other.recordKey ? -1 : 1))
        expect({ licensee, license: inOrder }).toEqual(whole)
      }),
      { numRuns: 24 },
    )
  })

  test('a row with a too long name or number is rejected', async () => {
    const list = await read(holders, `${header}${'x'.repeat(501)}\t\t9\t\tActive\t\ta.example\n`)
    expect([list.licensee, list.license, list.authorisation]).toEqual([[], [], []])
    expect(list.reject.map(each => each.reason)).toEqual(['too_long'])
  })

  test('a zero byte of a cell becomes a storable character', async () => {
    const list = await read(holders, `${header}Otter${' '.repeat(1_100)}\0Ltd\t\t9\t\tActive\t\ta.example\n`)
    expect(list.licensee[0]?.legalName).toBe('Otter \uFFFDLtd')
  })
})

test('a revoked row decides the status of a license over another ended row, in any order', async () => {
  for (const words of [
    ['Expired', 'Revoked', 'Surrendered'],
    ['Surrendered', 'Revoked', 'Expired'],
  ]) {
    const lines = words.map(word => `Otter Ltd\t\t7\tCasino\t${word}\t\t`)
    expect((await read(holders, header + lines.join('\n'))).license.map(row => row.status)).toEqual([
      'revoked',
    ])
  }
})

describe('a license number with two holders', () => {
  const byNumber = holders.replace('key: [number, name]', 'key: [number]')
  const keyed = (list: Gathered) => ({
    licensees: list.licensee.map(row => row.legalName),
    licenses: list.license.map(row => [row.licenseNumber, row.licenseeKey, row.status]),
    sites: list.authorisation.map(row => [row.domain, row.licenseeKey]),
    rejects: rejectTexts(list.reject),
  })
  const inOrders = (lines: string[]) =>
    Promise.all([lines, lines.toReversed()].map(order => read(byNumber, header + order.join('\n'))))

  test('of two rows with different holders of a license, the same row is rejected in any order', async () => {
    const lists = await inOrders([
      'Otter Ltd\t\t7\tCasino\tActive\t\totter.example',
      'Heron Ltd\tHeron\t7\tCasino\tActive\t\theron.example',
    ])
    for (const list of lists)
      expect(keyed(list)).toEqual({
        licensees: ['Heron Ltd'],
        licenses: [['7', 'Heron Ltd', 'active']],
        sites: [['heron.example', 'Heron Ltd']],
        rejects: ['duplicate 7'],
      })
  })

  test('a license with two holders belongs to the holder whose row is in force', async () => {
    const lists = await inOrders([
      'Heron Ltd\t\t7\tCasino\tRevoked\t\theron.example',
      'Otter Ltd\t\t7\tCasino\tSurrendered\t\totter.example',
      'Otter Ltd\t\t7\tBingo\tActive\t\totter.example',
      'Heron Ltd\t\t8\tCasino\tActive\t\theron.example',
    ])
    for (const list of lists) {
      const { licensees, licenses, sites, rejects } = keyed(list)
      expect(licensees.toSorted()).toEqual(['Heron Ltd', 'Otter Ltd'])
      expect(licenses.toSorted()).toEqual([
        ['7', 'Otter Ltd', 'active'],
        ['8', 'Heron Ltd', 'active'],
      ])
      expect(
        sites
          .map(([domain]) => domain)
          .toSorted()
          .at(0),
      ).toBe('heron.example')
      expect(rejects).toEqual(['duplicate 7'])
    }
  })

  test('rows that are left out or unreadable do not decide the holder of a license', async () => {
    const lists = await inOrders([
      'Otter Ltd\t\t7\tCasino\tActive\t\totter.example',
      'Heron Ltd\t\t7\tCasino\todd\t\theron.example',
    ])
    for (const list of lists) expect(keyed(list).licensees).toEqual(['Otter Ltd'])
  })
})

test('a local midnight is stored as the day of a license and as the instant of an entry', async () => {
  const dated = (section: string) =>
    `${section}: { column: decided, date_forms: [local, iso], time_zone: Europe/Warsaw }`
  const text = holders
    .replace('  site: { headers: [Site] }', '  site: { headers: [Site] }\n  decided: { headers: [Decided] }')
    .replace('expires_at: { column: until, date_forms: [d/m/yyyy] }', dated('issued_at'))
  const row = 'Otter Ltd\t\t7\t\tActive\t\ta.example\t2026-10-02T00:00\n'
  const { license } = await read(text, `${header.trim()}\tDecided\n${row}`)
  expect(license[0]?.issuedAt).toBe('2026-10-02T00:00:00.000Z')
  const blocked = mixed.replace('date_forms: [prose, iso]', 'date_forms: [local], time_zone: Europe/Warsaw')
  const list = await read(blocked, 'Site|State|Decided\nc.example|Blocked|2026-10-02T00:00\n')
  expect(list.blocklist_entry[0]?.listedAt).toBe('2026-10-01T22:00:00.000Z')
})

test('a site with two holders belongs to the holder in force, or else to the lesser key', async () => {
  const text = holders.replace(
    '    domain: { column: site }\n',
    '    domain: { column: site }\n    key_without_holder: true\n',
  )
  const row = (name: string, state: string) => `${name}\t\t${name}\t\t${state}\t\totter.example`
  for (const [rows, holder] of [
    [[row('Otter Ltd', 'Active'), row('Fox Ltd', 'Active')], 'Fox Ltd'],
    [[row('Otter Ltd', 'Active'), row('Fox Ltd', 'Revoked')], 'Otter Ltd'],
  ] as const)
    for (const order of [rows, rows.toReversed()]) {
      const list = await read(text, header + order.join('\n'))
      expect(list.authorisation.map(each => [each.recordKey, each.licenseeKey])).toEqual([
        ['otter.example', holder],
      ])
      expect(rejectTexts(list.reject)).toEqual(['duplicate otter.example'])
    }
})

describe('license numbers', () => {
  const numbered = (number: string) => `
key: latvia.organisers
market: latvia
covers: [register]
regulator: Board of Games (fictional)
regulator_country_code: LV
official_url: https://regulator.example/
cadence: { words: daily, hours: 24 }
publishes: { revoked: false, dates: false, domains: true, roles: false }
identity: the number
rows_min: 1
source_claim: license
qualification: Licenses.
source_identity: Licenses
file: { format: csv, delimiter: pipe }
columns:
  holder: { headers: [Holder] }
  number: { headers: [Number] }
  site: { headers: [Site] }
records:
  licensee: { key: [holder], legal_name: { column: holder } }
  license: ${number}
  authorised_domains: { domain: { column: site, split: [","] } }
`
  const rows = 'Holder|Number|Site\nLucky Otter|E-07; TI-18|a.example,b.example\nRed Fox|E-08|c.example\n'
  const sitesOf = (list: Gathered) => list.authorisation.map(row => [row.licenseKey, row.domain])

  test('several license numbers in a cell are licenses that each have the sites of the row', async () => {
    const list = await read(
      numbered('{ key: [number], license_number: { column: number, split: [";"] } }'),
      rows,
    )
    expect(list.license.map(row => [row.licenseNumber, row.licenseeKey])).toEqual([
      ['E-07', 'Lucky Otter'],
      ['TI-18', 'Lucky Otter'],
      ['E-08', 'Red Fox'],
    ])
    expect(sitesOf(list)).toEqual([
      ['E-07', 'a.example'],
      ['TI-18', 'a.example'],
      ['E-07', 'b.example'],
      ['TI-18', 'b.example'],
      ['E-08', 'c.example'],
    ])
    expect(list.reject).toEqual([])
  })

  test('a number that another holder has is rejected without the other number of its row', async () => {
    const list = await read(
      numbered('{ key: [number], license_number: { column: number, split: [";"] } }'),
      'Holder|Number|Site\nLucky Otter|E-07|a.example\nRed Fox|E-07; E-08|c.example\n',
    )
    expect(rejectTexts(list.reject)).toEqual(['duplicate E-07'])
    expect(sitesOf(list)).toEqual([
      ['E-07', 'a.example'],
      ['E-08', 'c.example'],
    ])
  })

  test('a license without a number is identified by the other columns of its key', async () => {
    const list = await read(numbered('{ key: [holder], license_type: { constant: Casino } }'), rows)
    expect(list.license.map(row => [row.recordKey, row.licenseNumber])).toEqual([
      ['Lucky Otter', null],
      ['Red Fox', null],
    ])
  })
})
