/**
 * Counts the items of each file by other means than its reader, and compares them with what is read: each is
 * a record, a reject, or reported or declared as left out.
 */
import type { SourceFile } from '@baize/tables'
import { describe, expect, test } from 'vitest'
import { mainRecord, sampleRowsMin } from '../add-register.ts'
import { describedStream } from '../description/described-stream.ts'
import { descriptions } from '../descriptions.ts'
import type { NormalisedRow, Reading, Stream } from '../stream.ts'
import { findStream, streams } from '../streams.ts'
import { officialSample } from './answers/official-answers.ts'
import { fixture } from './gather.ts'
import { hostsIn, unnamedHosts, unnamedItems } from './items/account-for-items.ts'
import type { Item, Register } from './items/item.ts'
import { itemsOfFile } from './items/items-of-file.ts'
import { data, hasRealFiles, files as realFiles } from './real-files.ts'

/** Addresses in rows that are no sites, by stream or file, with the reason. */
const otherAddresses: Readonly<Record<string, [hosts: RegExp, reason: string]>> = {
  'brazil.brands': [/^(?:galera\.bet|bet\.app)$/, 'names of brands'],
  'kenya.operators': [/^flint-badger\.example$/, 'a link that leads elsewhere than its text says'],
  'latvia.operators': [/-grupa\.example$|^company\.register/, 'links with a name as their text'],
  'philippines.casinos': [/\.plus$/, 'names of brands'],
  'philippines.sites': [/\.plus$/, 'names of brands'],
  'us_illinois.sportsbooks': [/^igb\.example$/, 'pages about brands'],
  'us_tennessee.sites': [/^urldefense\.com$/, 'the gateway of a mail program'],
  'ukraine/full_database_20260418.csv': [/./, 'the column of addresses that a listed one leads to'],
}

async function itemsOf(register: Register, files: readonly SourceFile[]): Promise<Item[]> {
  const second = 'reader' in register ? undefined : register.second_file
  const items = files.map(async (file, index) => {
    const bytes = Buffer.concat(await Array.fromAsync(file.open()))
    const form = 'reader' in register ? {} : register
    return itemsOfFile(bytes, register, index > 0 && second !== undefined ? second : form)
  })
  return (await Promise.all(items)).flat()
}

/** Reads a register with the names of natural persons, which are otherwise replaced. */
const readerOf = (register: Register): Stream['read'] =>
  'reader' in register
    ? (findStream(register.key) as Stream).read
    : describedStream({ ...register, people_public_by: 'the law of this test' }).read

/** The rows of a license are combined, and those of a holder in a register that lists only holders. */
function combinesOf(register: Register): (reading: Reading) => (string | null)[] {
  const { licenses, domains } = (findStream(register.key) as Stream).publishes
  const listsHolders = !licenses && (!domains || 'second_file' in register)
  return reading => {
    if (reading.record === 'license') return [reading.licenseNumber]
    return reading.record === 'licensee' && listsHolders ? [reading.legalName] : []
  }
}

/** Returns the items and addresses that no reading names. Pages of the regulator itself are no sites. */
function lostOf(
  register: Register,
  items: readonly Item[],
  readings: readonly Reading[],
  path = '',
): string[] {
  const others = [register.key, path].flatMap(each => otherAddresses[each]?.[0] ?? [])
  const own = new URL(register.official_url).hostname.split('.').slice(-2).join('.')
  const isOther = (host: string) => host.endsWith(own) || others.some(hosts => hosts.test(host))
  const lost = unnamedItems(items, readings, combinesOf(register))
  return [
    ...lost.map(({ texts }) => texts.join(' | ')),
    ...unnamedHosts(items, readings).filter(host => !isOther(host)),
  ]
}

/** Returns the readings of a reader that loses the row of a record. */
function without(readings: readonly Reading[], lost: NormalisedRow): Reading[] {
  const keysOf = (reading: Reading) =>
    Object.entries(reading).flatMap(([name, value]) =>
      name.endsWith('Key') && value !== null ? [value] : [],
    )
  const keys = new Set(keysOf(lost))
  const host = 'published' in lost ? hostsIn(lost.published)[0] : undefined
  return readings.filter(reading =>
    reading.record === 'reject'
      ? host === undefined || !hostsIn(reading.published).includes(host)
      : !keysOf(reading).some(key => keys.has(key)),
  )
}

async function expectNoneLost(key: string, open: () => SourceFile[], path?: string): Promise<number> {
  const stream = findStream(key) as Stream
  const register = descriptions.find(each => each.key === key) as Register
  const items = await itemsOf(register, open())
  const readings = await Array.fromAsync(readerOf(register)(open()))
  expect(lostOf(register, items, readings, path)).toEqual([])

  // Where holders are inferred, a row is its domain. A mirror's list has no other record than domains.
  const records = readings.filter(reading => 'recordKey' in reading)
  const ofMain = stream.infersHolders ? [] : records.filter(({ record }) => record === mainRecord(stream))
  const main = ofMain.length > 0 ? ofMain : records.filter(({ record }) => record === 'authorisation')
  const middle = main[Math.floor(main.length / 2)] as NormalisedRow
  expect(lostOf(register, items, without(readings, middle), path)).not.toEqual([])
  return items.length
}

test.each(streams.map(({ key }) => key))(
  'every item of the sample of %s is read or reported, and a lost one would be noticed',
  async key => {
    const items = await expectNoneLost(key, () => officialSample(findStream(key) as Stream))
    expect(items).toBeGreaterThanOrEqual(sampleRowsMin)
  },
)

const officialParts: [key: string, paths: string[]][] = [
  ['germany.operators', ['official-2026/de_ggl_2026-10-02_trimmed.html']],
  ['belgium.casinos', ['official-2026/be_aplus_2026-10-02.json']],
  ['cyprus.bookmakers', ['official-2026/cy_class_b_2026-10_trimmed.html']],
  ['spain.sites', ['official-2026/es_dgoj_page0_2026-10_trimmed.html']],
  ['portugal.operators', ['official-2026/pt_srij_2026-10_trimmed.html']],
  ['ar_buenos_aires.sites', ['official-2026/ar_pba_2026_trimmed.html']],
  ['denmark.operators', ['official-2026/dk_spillemyndigheden_2026-10-02_part.tsv']],
]

describe.skipIf(!hasRealFiles)('real files (skipped without ../shared/data)', () => {
  test.each([...officialParts, ...realFiles.map(([key, paths]) => [key, paths] as const)])(
    'every item of the real file of %s, %j, is read or reported, and a lost one would be noticed',
    async (key, paths) => {
      await expectNoneLost(key, () => paths.map(path => fixture(new URL(path, data), 65_536)), paths[0])
    },
  )
})
