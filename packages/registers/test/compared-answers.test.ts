/** Compares what is read with official answers of October 2026, if present. Their counts were counted by hand. */
import { existsSync } from 'node:fs'
import { fileAt } from '@baize/tables'
import { expect, test } from 'vitest'
import type { Stream } from '../stream.ts'
import { findStream } from '../streams.ts'
import { type Gathered, gather, rejectTexts } from './gather.ts'

const folder = new URL('../../../../shared/data/official-2026/', import.meta.url)
const hasAnswers = existsSync(folder)

test.skipIf(hasAnswers)(`official answers are not compared, because ${folder.pathname} is absent`, context =>
  context.skip(),
)

const readAnswer = (key: string, name: string) => {
  const { read } = findStream(key) as Stream
  return gather(read([fileAt(new URL(name, folder).pathname)]))
}

/** Returns what is not a record: a file that is read exactly has none of it. */
const unread = (list: Gathered) => [
  ...rejectTexts(list.reject),
  ...list.notice.map(each => `${each.notice}: ${each.published}`),
]

test.skipIf(!hasAnswers)(
  'the official whitelist of Germany gives its holders, permits and sites',
  async () => {
    const list = await readAnswer('germany.operators', 'de_ggl_2026-10-02_trimmed.html')
    expect(unread(list)).toEqual([])
    expect(list.licensee.map(row => [row.legalName, row.country])).toEqual([
      ['Natural person', null],
      ['Aurora Alea A/S', 'DK'],
    ])
    expect(list.license.map(row => [row.licenseNumber, row.licenseType, row.issuedAt])).toEqual([
      [null, 'Lotterieeinnehmer der GKL', null],
      [null, 'Virtuelle Automatenspiele', '2026-09-28T00:00:00.000Z'],
    ])
    expect(list.authorisation.map(row => [row.domain, row.licenseeKey])).toEqual([
      ['skl.de', expect.stringMatching(/^person-/)],
      ['jollie.de', 'Aurora Alea A/S'],
    ])
  },
)

test.skipIf(!hasAnswers)('the official A+ licenses of Belgium give ten sites and eighteen days', async () => {
  const list = await readAnswer('belgium.casinos', 'be_aplus_2026-10-02.json')
  expect(unread(list)).toEqual([])
  expect([list.licensee.length, list.license.length, list.authorisation.length]).toEqual([9, 9, 10])
  const ofOneLicense = list.authorisation.filter(row => row.licenseKey === '20635')
  expect(ofOneLicense.map(row => row.domain)).toEqual(['circus-casino.be', 'pokerstars.be'])
  const days = list.license.flatMap(row => [row.issuedAt, row.expiresAt])
  expect(days.filter(day => day !== null)).toHaveLength(18)
  expect(days.slice(0, 2)).toEqual(['2017-01-01T00:00:00.000Z', '2032-01-01T00:00:00.000Z'])
})

test.skipIf(!hasAnswers)(
  'the official bookmakers of Cyprus are four, whatever label their names have',
  async () => {
    const list = await readAnswer('cyprus.bookmakers', 'cy_class_b_2026-10_trimmed.html')
    expect(unread(list)).toEqual([])
    expect(list.licensee.map(row => [row.registrationNumber, row.country, row.tradingNames])).toEqual([
      ['HE 399558', 'CY', ['IN2BET']],
      ['HE 310010', 'CY', ['CYBET C.B.', 'BETTING OCY']],
      ['C 95282', 'MT', ['NOVIBET']],
      ['HE 387170', 'CY', ['COPYBET']],
    ])
    expect(list.license.map(row => [row.licenseNumber, row.issuedAt, row.expiresAt])).toEqual([
      ['B016', '2025-02-10T00:00:00.000Z', '2027-02-09T00:00:00.000Z'],
      ['B021', '2025-03-09T00:00:00.000Z', '2027-03-08T00:00:00.000Z'],
      ['B022', '2025-09-15T00:00:00.000Z', '2027-09-14T00:00:00.000Z'],
      ['B020', '2026-06-18T00:00:00.000Z', '2028-06-17T00:00:00.000Z'],
    ])
    expect(list.authorisation.map(row => row.domain)).toEqual([
      'in2bet.com.cy',
      'cybet.com.cy',
      'novibet.com.cy',
      'copybet.com.cy',
    ])
  },
)

test.skipIf(!hasAnswers)(
  'the official page of Spain states more operators than a part of it has',
  async () => {
    const list = await readAnswer('spain.sites', 'es_dgoj_page0_2026-10_trimmed.html')
    expect(unread(list)).toEqual(['fewer rows than the file states: the file states 77, 3 were read'])
    expect([list.licensee.length, list.authorisation.length]).toEqual([3, 7])
  },
)

/** The numbers of licensees and authorised domains of answers that are read exactly. */
test.skipIf(!hasAnswers).each([
  ['portugal.operators', 'pt_srij_2026-10_trimmed.html', 2, 2],
  ['ar_buenos_aires.sites', 'ar_pba_2026_trimmed.html', 0, 7],
  ['denmark.operators', 'dk_spillemyndigheden_2026-10-02_part.tsv', 33, 74],
])('the official answer of %s in %s gives all its holders and sites', async (key, name, holders, sites) => {
  const list = await readAnswer(key, name)
  expect(unread(list)).toEqual([])
  expect([list.licensee.length, list.authorisation.length]).toEqual([holders, sites])
})
