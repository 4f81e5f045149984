/** What regulators really published, where this machine holds it: counts taken by hand from the files. */
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fixture, type Gathered, gather } from './fixture.ts'
import { findStream } from './index.ts'

const data = new URL('../../../../shared/data/', import.meta.url)
const uk = 'united-kingdom/2026-10-09/business-licence-register-'

/**
 * Stream, files, published rows (sites and accounts count for themselves), and how many of them must be used.
 */
const files: [key: string, paths: string[], rows: number, usedMin: number][] = [
  ['ukraine.sites', ['ukraine/full_database_20260418.csv'], 3_697, 3_609],
  ['ukraine.sites', ['ukraine/full_database_20260730.csv'], 11_203, 10_686],
  ['czechia.blocklist', ['czechia/mfcr_original_2023-12-30_old-schema.csv'], 917, 913],
  ['czechia.blocklist', ['czechia/mfcr_original_2026-07-28.csv'], 3_381, 3_368],
  ['poland.blocklist', ['poland/register_shape_CONSTRUCTED.xml'], 10, 10],
  ['poland.blocklist', ['poland/pl+be_gambling_2023-08-29_ndpi.txt'], 35_370, 35_369],
  ['italy.blocklist', ['italy/aams_hosts_2023-09-25.txt'], 9_685, 9_685],
  ['greece.blocklist', ['greece/hgc_blacklist_2026-03-30_asuploaded.txt'], 12_940, 12_907],
  ['france.blocklist', ['france/anj_blacklist_2026-03-29_url_column.txt'], 4_418, 2_531],
  ['australia.blocklist', ['australia/acma_blocked_2026-04-01.txt'], 1_553, 1_553],
  ['us_pennsylvania.sites', ['us-pa/pgcb_sites_2026-06-11.txt'], 51, 45],
]

const used = (of: Gathered) => of.blocklist_entry.length + of.authorisation.length
async function read(key: string, paths: string[]): Promise<Gathered> {
  const stream = findStream(key)
  if (stream === undefined) throw new Error(`no stream ${key}`)
  return gather(stream.read(paths.map(path => fixture(new URL(path, data), 65_536))))
}

describe.skipIf(!existsSync(data))('real files (skipped without ../shared/data)', () => {
  test.each(files)('%s %s: %i rows are all accounted for', async (key, paths, rows, usedMin) => {
    const gathered = await read(key, paths)
    expect(used(gathered) + gathered.reject.length).toBe(rows)
    expect(used(gathered)).toBeGreaterThanOrEqual(usedMin)
    expect(gathered.notice).toEqual([])
  })

  test('Czechia: no record is lost between the layouts', async () => {
    const [older, newer] = await Promise.all([
      read('czechia.blocklist', ['czechia/mfcr_original_2023-12-30_old-schema.csv']),
      read('czechia.blocklist', ['czechia/mfcr_original_2024-03-12_new-schema.csv']),
    ])
    const keys = new Set(newer.blocklist_entry.map(row => row.recordKey))
    expect(older.blocklist_entry.filter(row => !keys.has(row.recordKey))).toEqual([])
  })

  test('UKGC: 66 licence rows are 45 licences, and every domain is authorised or not', async () => {
    const tables = ['businesses', 'licences', 'trading-names', 'domain-names'].map(name => `${uk}${name}.csv`)
    const register = await read('ukgc.licences', tables)
    expect([register.licensee.length, register.license.length, register.authorisation.length]).toEqual([
      51, 45, 47,
    ])
    expect(register.reject).toEqual([])
  })

  test('a failed download is refused', async () => {
    const page = 'czechia/bad-downloads/mfcr_2023-06-13_html_instead_of_csv.html'
    await expect(read('czechia.blocklist', [page])).rejects.toThrow(/HTML page/)
  })
})
