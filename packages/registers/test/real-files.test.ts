/** Reads real files of regulators, if present. The expected numbers were counted by hand. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { descriptions } from '../descriptions.ts'
import { mirrorNotice } from '../entries/readings.ts'
import type { BlocklistRow } from '../stream.ts'
import { findStream, streams } from '../streams.ts'
import { fixture, type Gathered, gather } from './gather.ts'
import { type Counts, data, files, hasRealFiles, type Rejects, ukgcFiles } from './real-files.ts'

/** Files that every stream refuses, with the reason. */
const notStreams: Readonly<Record<string, string>> = {
  'README.md': 'says what the others are',
  'czechia/bad-downloads/mfcr_2023-06-13_html_instead_of_csv.html': 'a failed download, which is refused',
  'italy/adm_index_sample.html': 'the page that links to the list, and no list',
  'poland/pl+be_gambling_2023-08-29_ndpi.txt':
    'the lists of two regulators in one, Polish and Belgian: under Poland it would block what only Belgium does',
  'united-kingdom/ukgc_active_domains_2026-04-18.txt':
    "the domain cells of the Commission's register without their accounts: ukgc.licences says more of the same sites",
}

/** Folders with files that no stream reads, with the reason. */
const otherFolders: Readonly<Record<string, string>> = {
  'official-2026': 'parts of official pages, and no whole register',
  outsiders: 'inputs of other kinds, such as captures of sites, spreadsheets and lists of companies',
  reference: 'what regulators say of their registers, and no register',
}

async function read(key: string, paths: string[]): Promise<Gathered> {
  const stream = findStream(key)
  if (stream === undefined) throw new Error(`no stream ${key}`)
  return gather(stream.read(paths.map(path => fixture(new URL(path, data), 65_536))))
}

const countsOf = ({ licensee, license, authorisation, blocklist_entry }: Gathered): Counts =>
  present({
    licensee: licensee.length,
    license: license.length,
    authorisation: authorisation.length,
    blocklist_entry: blocklist_entry.length,
  })

function rejectsOf({ reject }: Gathered): Rejects {
  const counts: Rejects = {}
  for (const { reason } of reject) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}

/** Returns the domains that a list names only by hosts below `www.` or the root, with those hosts' labels. */
function deeperOnly(rows: readonly BlocklistRow[]): Map<string, string[]> {
  const fronts = new Map<string, string[]>()
  for (const { listed, scope, domain, listedAs } of rows) {
    if (!listed || domain === null || listedAs === null || scope === 'path') continue
    fronts.set(domain, [...(fronts.get(domain) ?? []), listedAs.slice(0, -domain.length - 1)])
  }
  return new Map([...fronts].filter(([, each]) => !each.includes('') && !each.includes('www')))
}

const present = (counts: Counts): Counts =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))

const expectedNotices: Readonly<Record<string, readonly string[]>> = {
  // Casinos that head the sites of their brands.
  'us-nj/nj_dge_sample.html': [
    'no site found: Bally’s Atlantic City',
    'no site found: BALLY’S ATLANTIC CITY',
    'no site found: BORGATA HOTEL CASINO & SPA',
  ],
}

const polishList: [string, string[]] = ['poland.blocklist', ['poland/pl+be_gambling_2023-08-29_ndpi.txt']]

describe.skipIf(!hasRealFiles)('real files (skipped without ../shared/data)', () => {
  test.each(files)(
    'the stream %s reads the real file %j with the expected counts of records',
    async (key, paths, records, rejected) => {
      const gathered = await read(key, paths)
      expect(countsOf(gathered)).toEqual(records)
      expect(rejectsOf(gathered)).toEqual(rejected)
      const notices = gathered.notice.filter(each => each.notice !== mirrorNotice)
      const reported = notices.map(({ notice, published }) => `${notice}: ${published}`)
      if (key !== 'ukgc.licences') expect(reported).toEqual(expectedNotices[paths.join()] ?? [])
      const rows = Object.values(records).reduce((sum, count) => sum + count, 0)
      expect(rows).toBeGreaterThanOrEqual(findStream(key)?.rowsMin ?? Number.NaN)
    },
  )

  test('every real file is read by a stream, or is in the list of refused files', () => {
    const present = readdirSync(data, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(
        entry => `${entry.parentPath}/${entry.name}`.replaceAll(/\/+/g, '/').split('/shared/data/')[1] ?? '',
      )
      .filter(path => otherFolders[path.split('/')[0] ?? ''] === undefined)
    const known = [...files.flatMap(([, paths]) => paths), ...Object.keys(notStreams)]
    expect(present.toSorted()).toEqual(known.toSorted())
  })

  test('every stream with its own reader has read a real file of its register', () => {
    const seen = new Set([...files, ...descriptions.map(each => [each.key])].map(([key]) => key))
    expect(streams.map(stream => stream.key).filter(key => !seen.has(key))).toEqual([])
  })

  test('Brazil: four of 39 sites have a proven holder, and all are authorised', async () => {
    const { authorisation, licensee, license } = await read('brazil.brands', [
      'brazil/BetsBrasileiras_bets_2025-01-26.json',
    ])
    const withHolder = authorisation.filter(row => row.licenseeKey !== null)
    const proven = ['0007/2024', '0008/2024', '0021/2024', '0022/2024']
    expect(withHolder.map(row => row.licenseKey).toSorted()).toEqual(proven)
    expect([licensee.length, license.length]).toEqual([12, 12])
    expect(licensee.flatMap(row => row.tradingNames)).toHaveLength(4)
    expect(authorisation.every(row => row.counts && row.domain.endsWith('.bet.br'))).toBe(true)
  })

  test('Denmark: domains in every spelling and countries of addresses are read', async () => {
    const { authorisation, licensee } = await read('denmark.operators', [
      'denmark/spillemyndigheden-licensed-operators_sample_2026-10-02.tsv',
    ])
    const domains = authorisation.map(row => row.domain)
    expect(domains.filter(domain => /^xn--/.test(domain))).toHaveLength(1)
    expect(authorisation.filter(row => /[/A-Z]/.test(row.published))).toHaveLength(9)
    expect(new Set(domains).size).toBe(60)
    const countries = licensee.map(row => row.country)
    expect(['DK', 'MT', 'GI', null].map(code => countries.filter(each => each === code).length)).toEqual([
      11, 17, 1, 0,
    ])
  })

  test('Malta: the list has six operators, nine suppliers and two groups', async () => {
    const { license, licensee } = await read('mga.licensees', ['malta/mga_licensees_sample_2026-10-09.json'])
    const roles = license.map(row => row.role)
    expect(['operator', 'supplier', null].map(role => roles.filter(each => each === role).length)).toEqual([
      6, 9, 2,
    ])
    expect(licensee.filter(row => !/^O?C \d+$/.test(row.recordKey))).toEqual([])
    expect(licensee.filter(row => row.recordKey !== row.registrationNumber)).toHaveLength(2)
  })

  test('UKGC: 66 licence rows are 45 licences of operators, suppliers and one of unknown role', async () => {
    const { license } = await read('ukgc.licences', ukgcFiles('2026-10-09'))
    const roles = license.map(row => row.role)
    expect(['operator', 'supplier', null].map(role => roles.filter(each => each === role).length)).toEqual([
      28, 16, 1,
    ])
    expect(license.find(row => row.role === null)?.licenseType).toBe('Non-Remote: External Lottery Manager')
  })

  test('Czechia: no record is lost between the layouts', async () => {
    const [older, newer] = await Promise.all([
      read('czechia.blocklist', ['czechia/mfcr_original_2023-12-30_old-schema.csv']),
      read('czechia.blocklist', ['czechia/mfcr_original_2024-03-12_new-schema.csv']),
    ])
    const keys = new Set(newer.blocklist_entry.map(row => row.recordKey))
    expect(older.blocklist_entry.filter(row => !keys.has(row.recordKey))).toEqual([])
  })

  test('Poland: a host list of 35,370 lines is read', async () => {
    const list = await read(...polishList)
    expect(countsOf(list)).toEqual({ blocklist_entry: 35_369 })
    expect(list.reject.map(each => each.reason)).toEqual(['several_sites'])
  })

  test('the labelled hosts contain every domain that a list names only by deeper hosts', async () => {
    const deeper = new Map<string, Set<string>>()
    for (const [key, paths] of [...files, polishList]) {
      const { blocklist_entry } = await read(key, paths)
      for (const [domain, fronts] of deeperOnly(blocklist_entry))
        deeper.set(domain, new Set([...(deeper.get(domain) ?? []), ...fronts]))
    }
    const found = [...deeper].map(([domain, fronts]) => `${domain}\t${[...fronts].toSorted().join(' ')}`)
    const labelled = readFileSync(new URL('../entries/deeper-hosts.tsv', import.meta.url), 'utf8')
      .trim()
      .split('\n')
      .filter(line => !line.startsWith('#'))
      .map(line => line.slice(line.indexOf('\t') + 1))
    expect(labelled).toEqual(found.toSorted())
  })

  test('a failed download of a real file is refused', async () => {
    const page = 'czechia/bad-downloads/mfcr_2023-06-13_html_instead_of_csv.html'
    await expect(read('czechia.blocklist', [page])).rejects.toThrow(/HTML page/)
  })
})
