import { fileOfBytes } from '@baize/tables'
import { workbook } from '@baize/tables/test/make-files'
import { expect, test } from 'vitest'
import { sheetOf } from '../../test/answers/answer.ts'
import { gather, rejectTexts } from '../../test/gather.ts'
import { readUkraineLicences } from './read-licences.ts'

const header = [
  'legalName',
  'organizerBrand',
  'website/mobileApp',
  'dateLicense',
  'licenseValidityPeriod',
  'dateLicenseDecisionEnd',
  'groundsLicenseTermination',
  'resultAppealDecision',
]
const below = [
  ['Найменування', 'Бренд', 'Вебсайт', 'Дата', 'Строк', 'Рішення', 'Підстави', 'Суд'],
  [...'12345678'],
]
const file = (name: string, ...rows: string[][]) =>
  fileOfBytes(name, workbook({ Реєстр: sheetOf([header, ...rows]) }))
const licence = (holder: string, site: string, ...end: string[]) => [
  holder,
  'Бренд',
  site,
  '01.03.2024',
  '5 років',
  ...end,
]

const list = await gather(
  readUkraineLicences([
    file(
      'casinos.xlsx',
      ...below,
      licence('ТОВ "ВИДРА"', 'https://otter.example; застосунок Otter'),
      licence('ТОВ "ЧАПЛЯ"', 'heron.example', '02.05.2026', 'порушення', ''),
      licence('ТОВ "ЛИСИЦЯ"', 'fox.example', '02.05.2026', 'порушення', 'дію рішення зупинено'),
      licence('ТОВ "КОРОП"', 'carp.example', 'null', 'Строк дії ліцензії закінчився', ''),
    ),
    file('poker.xlsx', ...below, licence('ТОВ "ВИДРА"', 'poker-otter.example')),
  ]),
)

test('a license that a decision has ended licenses no site, unless a court has suspended the decision', () => {
  expect(list.authorisation.map(row => [row.domain, row.status, row.counts])).toEqual([
    ['otter.example', null, true],
    ['heron.example', 'cancelled', false],
    ['fox.example', null, true],
    ['carp.example', 'expired', false],
    ['poker-otter.example', null, true],
  ])
})

test('a license ends on the last day of its years', () => {
  expect(list.license.map(row => [row.issuedAt?.slice(0, 10), row.expiresAt?.slice(0, 10)])).toEqual(
    Array.from({ length: 4 }, () => ['2024-03-01', '2029-02-28']),
  )
  expect(list.license.map(row => row.role)).toEqual(['operator', 'operator', 'operator', 'operator'])
})

test('the rows that repeat and number the header are no licenses, and no other row is left out', async () => {
  expect(list.licensee.map(row => row.legalName)).toEqual([
    'ТОВ "ВИДРА"',
    'ТОВ "ЧАПЛЯ"',
    'ТОВ "ЛИСИЦЯ"',
    'ТОВ "КОРОП"',
  ])
  expect(list.reject).toEqual([])
  const short = await gather(
    readUkraineLicences([file('x.xlsx', licence('ТОВ "ВИДРА"', 'otter.example'), licence('ТОВ "РИСЬ"', ''))]),
  )
  expect(short.licensee).toHaveLength(2)
  expect(rejectTexts(short.reject)).toEqual([])
})

test('a workbook without the column of sites is refused', async () => {
  const other = fileOfBytes(
    'halls.xlsx',
    workbook({
      Реєстр: sheetOf([
        ['legalName', 'address'],
        ['ТОВ', 'Київ'],
      ]),
    }),
  )
  await expect(gather(readUkraineLicences([other]))).rejects.toThrow(
    /expected the columns .*website\/mobileApp/,
  )
})
