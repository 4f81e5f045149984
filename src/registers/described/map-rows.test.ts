import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { syncRegister } from '../apply/sync-register.ts'
import { day, openTestWorld, type TestWorld } from '../fixture.ts'
import { fileOfBytes } from '../source/file-of-bytes.ts'
import { type Gathered, rejectTexts } from '../streams/fixture.ts'
import { described, read } from './fixture.ts'

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
  test('conditions select the kind of record; a row without a match is rejected', async () => {
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

  test('a missing optional column changes no key', async () => {
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

  test('are combined; the status that licenses wins, with its end', async () => {
    const list = await read(holders, header + rows.join('\n'))
    expect(list.licensee.map(row => row.tradingNames)).toEqual([['Lucky', 'Palace']])
    expect(list.license.map(row => [row.recordKey, row.licenseType, row.status, row.expiresAt])).toEqual([
      ['7|Otter Ltd', 'Bets; Bingo; Casino', 'active', '2028-03-01T00:00:00.000Z'],
      ['8|Otter Ltd', 'Bets', 'expired', null],
    ])
  })

  test('give the same result in any order', async () => {
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

  test('a too long name or number is rejected', async () => {
    const list = await read(holders, `${header}${'x'.repeat(501)}\t\t9\t\tActive\t\ta.example\n`)
    expect([list.licensee, list.license, list.authorisation]).toEqual([[], [], []])
    expect(list.reject.map(each => each.reason)).toEqual(['too_long'])
  })

  test('a zero byte becomes a storable character', async () => {
    const list = await read(holders, `${header}Otter${' '.repeat(1_100)}\0Ltd\t\t9\t\tActive\t\ta.example\n`)
    expect(list.licensee[0]?.legalName).toBe('Otter \uFFFDLtd')
  })
})

test('a revocation printed beside another final status wins in any order', async () => {
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

  test('belongs to one holder in any order; the rejected row gives no record', async () => {
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

  test('belongs to the holder whose row licenses; the other keeps other licenses', async () => {
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

  test('ignores rows that are left out or unreadable', async () => {
    const lists = await inOrders([
      'Otter Ltd\t\t7\tCasino\tActive\t\totter.example',
      'Heron Ltd\t\t7\tCasino\todd\t\theron.example',
    ])
    for (const list of lists) expect(keyed(list).licensees).toEqual(['Otter Ltd'])
  })
})

describe('a site that a table lists twice', () => {
  let testWorld: TestWorld
  beforeAll(async () => {
    testWorld = await openTestWorld()
  })
  afterAll(() => testWorld.close())

  test('is licensed if one of its rows licenses it, in any order', async () => {
    const stream = described(holders)
    const inOrders = [rows.slice(0, 2), rows.slice(0, 2).toReversed()]
    for (const [index, order] of inOrders.entries()) {
      const file = fileOfBytes('holders.tsv', header + order.join('\n'))
      const at = { takenAt: day(index + 1), now: day(index + 1) }
      expect((await syncRegister(testWorld.world, stream, [file], at)).reasons ?? []).toEqual([])
      expect(await testWorld.verdictOf('otter.example')).toMatch(/^licensed/)
    }
  })

  test('is blocked since its earliest date, in any order', async () => {
    const lines = ['c.example|Blocked|', 'c.example|Blocked|on 3.4.2025', 'c.example|Blocked|on 3.4.2024']
    for (const [index, order] of [lines, lines.toReversed()].entries()) {
      const file = fileOfBytes('sites.csv', `Site|State|Decided\n${order.join('\n')}`)
      const at = { takenAt: day(index + 1), now: day(index + 1) }
      const report = await syncRegister(testWorld.world, described(mixed), [file], at)
      expect(report).toMatchObject({ added: index === 0 ? 1 : 0, removed: 0, changed: 0 })
    }
    const dates = (await testWorld.rowsOf('blocklist_entries')).map(row => row.listed_at)
    expect(dates).toEqual([new Date('2024-04-03T00:00:00Z')])
  })
})

test('local midnight is the day of a license and the instant of an entry', async () => {
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
