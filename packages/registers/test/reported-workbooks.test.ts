/**
 * Reads workbooks that outsiders reported and that spreadsheet readers misread. The tests are skipped
 * without these files.
 */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { described } from './described.ts'
import { fixture, gather } from './gather.ts'

const folder = new URL('../../../../shared/data/outsiders/xlsx/', import.meta.url)

/** The expected license numbers with their first site, and the expected notices. */
const workbooks: [name: string, licenses: string[], notices: string[]][] = [
  [
    'a-cells.xlsx',
    [
      'L-1 alfa-gioco.com',
      'L-2 beta-bet.com',
      'L-3 gamma-bet.com',
      '12345678901234567 delta.com',
      '0.00001 epsilon-bet.com',
      '12345 zeta-bet.com',
    ],
    ['unreadable date "44197"', 'hidden rows of the sheet are read'],
  ],
  ['b-1904.xlsx', [2, 3, 4, 5, 6, 7].map(number => `N-${number} site${number}-bet.com`), []],
  [
    'c-veryhidden.xlsx',
    [2, 3, 4, 5, 6, 7].map(number => `N-${number} new${number}-bet.com`),
    ['another sheet with these columns is not read'],
  ],
  ['e-norefs.xlsx', [0, 1, 2, 3, 4, 5].map(number => `R-${number} noref${number}-bet.com`), []],
  ['g-prefixed-refs.xlsx', [2, 3, 4, 5, 6, 7].map(number => `X-${number} pref${number}-bet.com`), []],
]

test.skipIf(!existsSync(folder)).each(workbooks)(
  'the reported workbook %s is read as it is shown (skipped without ../shared/data)',
  async (name, licenses, notices) => {
    const description = readFileSync(new URL('register.yaml', folder), 'utf8')
      .replace('KEY', 'jersey.operators')
      .replace('MARKET', 'jersey')
      .replace('FILL', '')
    const list = await gather(described(description).read([fixture(new URL(name, folder), 1_024)]))
    const siteOf = (key: string) => list.authorisation.find(row => row.licenseKey === key)?.domain
    expect(list.license.map(row => `${row.licenseNumber} ${siteOf(row.recordKey)}`)).toEqual(licenses)
    expect(list.license.filter(row => row.issuedAt === null).map(row => row.licenseNumber)).toEqual(
      name === 'a-cells.xlsx' ? ['0.00001', '12345'] : [],
    )
    expect(list.notice.map(each => each.notice)).toEqual(notices)
    expect(list.reject).toEqual([])
  },
)
