import { fileOfBytes } from '@baize/tables'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fixture, gather, rejectTexts } from '../../test/gather.ts'
import { countryOfAddress } from './country-of-address.ts'
import { readDanishOperators } from './read-operators.ts'

const list = await gather(readDanishOperators([fixture(new URL('fixtures/operators.tsv', import.meta.url))]))
const read = (content: string) => gather(readDanishOperators([fileOfBytes('list.tsv', content)]))
const header = 'Columns: Operator | Address | Domains | Licences | Licensed in Greenland\n'

test('an operator is one licensee with its name, its brand in brackets and the country of its address', () => {
  expect(list.licensee.map(row => [row.recordKey, row.legalName, row.country, ...row.tradingNames])).toEqual([
    ['odder spil a/s', 'Odder Spil A/S', 'DK'],
    ['golden heron limited', 'Golden Heron Limited', 'MT'],
    ['red fox (denmark) limited (fox)', 'Red Fox (Denmark) Limited', 'GI', 'Fox'],
    ['casino nordby', 'Casino Nordby', 'DK'],
    ['owl games plc', 'Owl Games plc', null],
  ])
})

test('a file without license numbers authorises domains through their operator', () => {
  expect(list.license).toEqual([])
  expect(list.authorisation[0]).toEqual({
    record: 'authorisation',
    recordKey: 'odder spil a/s|lykkeodder.example',
    domain: 'lykkeodder.example',
    published: 'lykkeodder.example',
    status: null,
    counts: true,
    licenseKey: null,
    licenseeKey: 'odder spil a/s',
  })
})

test('every domain of a cell is read, in any case and script, for each of its operators', () => {
  expect(list.authorisation.map(row => [row.licenseeKey, row.domain])).toEqual([
    ['odder spil a/s', 'lykkeodder.example'],
    ['odder spil a/s', 'odder.example'],
    ['odder spil a/s', 'xn--rd-odder-54a.example'],
    ['golden heron limited', 'golden-heron.example'],
    ['red fox (denmark) limited (fox)', 'red-fox.example'],
    ['red fox (denmark) limited (fox)', 'lykkeodder.example'],
    ['owl games plc', 'owl.example'],
    ['golden heron limited', 'silver-heron.example'],
  ])
})

test('unusable values are rejected, and a second row of an operator adds its domains', () => {
  expect(rejectTexts(list.reject)).toEqual([
    'duplicate golden-heron.example/da',
    'duplicate www.golden-heron.example',
    'shared_host apps.apple.com/dk/app/fox/id1',
    'empty_label fox..example',
    'duplicate golden heron LIMITED',
    'unparsable Cut Crane ApS | Kragegade 4',
    'empty Kragegade 5 8000 Aarhus C nobody.example Betting No',
  ])
})

test('an operator with two rows gives the same records in any order', async () => {
  const rows = [
    'OWL A/S\tOwl Street, Malta\ta.example\tBetting\tNo',
    'Owl A/S\tUglevej 1 8000 Aarhus\tb.example\tBetting\tNo',
  ]
  const [one, other] = await Promise.all(
    [rows, rows.toReversed()].map(order => read(`${header}${order.join('\n')}\n`)),
  )
  expect(one?.licensee.map(row => [row.legalName, row.country])).toEqual([['Owl A/S', 'DK']])
  expect(other?.licensee).toEqual(one?.licensee)
})

describe('the header of the operators', () => {
  const row = 'Owl A/S\tUglevej 1 8000 Aarhus\towl.example\tBetting\tNo\n'

  test('the header of the operators can be a row with its columns in another order', async () => {
    const moved =
      'Domains\tOperator\tAddress\tLicences\tLicensed in Greenland\nowl.example\tOwl A/S\t\tBetting\tNo\n'
    const { licensee, authorisation } = await read(moved)
    expect([licensee[0]?.legalName, authorisation[0]?.domain]).toEqual(['Owl A/S', 'owl.example'])
  })

  test('a file of operators without the header, or with other columns, is refused', async () => {
    await expect(read(row)).rejects.toThrow(/expected the columns \[Operator \| Address \| Domains/)
    await expect(read(`Columns: Operator | Address\n${row}`)).rejects.toThrow(/expected the columns/)
  })

  test('an unknown column of the operators is reported', async () => {
    const { notice, authorisation } = await read(
      `Columns: Operator | Address | Domains | Licences | Licensed in Greenland | Note\n${row.trim()}\tnew\n`,
    )
    expect([notice[0]?.published, authorisation.length]).toEqual(['Note', 1])
  })
})

const addresses: [address: string, country: string | null][] = [
  ['Kragegade 2, 3. sal 8000 Aarhus C', 'DK'],
  ['Kragegade 33, 4. th. 1553 København DK - Denmark', 'DK'],
  ['Kragegade 27 2100 København Ø Danmark', 'DK'],
  ['Heron Street, Ta` Xbiex, XBX 1120, Malta', 'MT'],
  ['Heron House HRN 1120 Sliema MT, Malta.', 'MT'],
  ['1 Owl Street Belfast Northern Ireland', 'GB'],
  ['Owl Street 1 Dublin Ireland', 'IE'],
  ['1 Owl Street St Helier Jersey', 'JE'],
  ['1 Maltastreet', null],
  ['12 Owl Street London W1A 1AA', null],
  ['Novomalta', null],
  ['', null],
]

test("the end of an operator's address gives its country", () => {
  expect(addresses.map(([address]) => [address, countryOfAddress(address)])).toEqual(addresses)
})

test('every operator and domain becomes one record or one reject, with unique keys', async () => {
  const name = fc.constantFrom('Owl A/S', 'owl a/s', 'Fox Ltd', '')
  const domains = fc.array(
    fc.constantFrom('a.example', 'www.a.example', 'A.example/da', 'b.example', 'x', 't.me/x'),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, domains), { minLength: 1 }), async rows => {
      const lines = rows.map(([operator, hosts]) => `${operator}\tx\t${hosts.join(' ')}\tBetting\tNo\n`)
      const { licensee, authorisation, reject } = await read(header + lines.join(''))
      const expected = rows.map(([operator, hosts]) => (operator === '' ? 1 : 1 + hosts.length))
      const keys = [...licensee, ...authorisation].map(row => row.recordKey)
      expect(keys.length + reject.length).toBe(expected.reduce((sum, count) => sum + count, 0))
      expect(new Set(keys).size).toBe(keys.length)
    }),
    { numRuns: 50 },
  )
})
