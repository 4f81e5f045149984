import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonDescription } from '@baize/registers/test/described'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommandHere } from '../../test/harness/command.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { startService, type TestService } from '../../test/harness/service.ts'
import { type OfficialSites, startOfficialSites } from '../../test/official-sites/start-official-sites.ts'

const origin = 'https://regulator.example'
const site = (path: string, type: string, text: string) => ({
  url: `${origin}${path}`,
  type,
  body: () => Buffer.from(text),
})
const rows = Array.from({ length: 30 }, (_, number) => `site-${number}.example`)

let service: TestService
let directory: TestDirectory
let sites: OfficialSites
beforeAll(async () => {
  service = await startService()
  directory = await createTestDirectory()
  sites = await startOfficialSites([
    site('/lists', 'text/html', '<a href="/files/sites-2026-10-01.tsv">Sites</a>'),
    site('/files/sites-2026-10-01.tsv', 'text/tab-separated-values', `Site\n${rows.join('\n')}\n`),
    site('/gone', 'text/html', '<title>Gone</title><input type="password">'),
  ])
  await describeSites('jersey.sites', '/lists')
  await describeSites('alderney.sites', '/gone')
})
afterAll(async () => {
  await sites.close()
  await service.close()
  await directory.remove()
})

const run = (...args: string[]) =>
  runCommandHere(args, {
    DATA_DIR: directory.path,
    DATABASE_URL: service.database.url,
    ...sites.environment,
  })

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect({ args, stderr }).toEqual({ args, stderr: '' })
  return { code, report: JSON.parse(stdout) }
}

const newest = { by: 'newest_link', href: '\\.tsv$', newest: 'latest_date' }

async function describeSites(key: string, path: string, resolve: object = newest): Promise<void> {
  const file = join(directory.path, `${key}.json`)
  await writeFile(
    file,
    JSON.stringify({
      ...jsonDescription,
      key,
      market: key.split('.')[0],
      official_url: `${origin}${path}`,
      resolve,
      layout: { recorded_at: '2026-10-01', columns: ['Site'] },
    }),
  )
  expect(await json('register', 'describe', file)).toMatchObject({ code: 0 })
}

const watched = async () =>
  (await json('register', 'list')).report
    .filter((each: { watched: unknown }) => each.watched !== null)
    .map(({ stream, watched: watch }: { stream: string; watched: { is_official: boolean } }) => [
      stream,
      watch.is_official,
    ])

describe('register probe', () => {
  test('register probe describes the official addresses, and exits with 1 if one is broken', async () => {
    const { code, report } = await json('register', 'probe', 'jersey.sites', 'alderney.sites')
    expect(code).toBe(1)
    expect(report).toMatchObject([
      {
        stream: 'jersey.sites',
        is_well: true,
        found_urls: [`${origin}/files/sites-2026-10-01.tsv`],
        media_type: 'text/tab-separated-values',
        layout: 'recorded',
        rows: 30,
        reasons: [],
      },
      {
        stream: 'alderney.sites',
        is_well: false,
        reasons: [expect.stringMatching(/is a page that asks for a login \("Gone"\)/)],
      },
    ])
    const { report: listed } = await json('register', 'list')
    const jersey = listed.find((each: { stream: string }) => each.stream === 'jersey.sites')
    expect(jersey).toMatchObject({
      kind: 'register',
      resolve: 'newest_link',
      layout: 'recorded',
      layout_recorded_at: '2026-10-01',
      publishes: ['domains'],
      last_probed_at: report[0].probed_at,
      truth_state: 'not_covered',
      open_facts: { authorisations: 0 },
    })
  })

  test('register probe prints one line for each stream, and exits with 0 if all addresses work', async () => {
    const { code, stdout } = await run('register', 'probe', 'jersey.sites')
    expect(code).toBe(0)
    expect(stdout).toMatch(/jersey\.sites +yes +yes +text\/tab-separated-values +recorded +30/)
    expect(stdout).toContain('1 of 1 probe well.')
  })

  test.each([
    [['register', 'probe'], 'Name the streams, or use --all.'],
    [['register', 'probe', 'jersey.sites', '--all'], 'Name the streams, or use --all.'],
    [['register', 'probe', 'atlantis.sites'], 'Unknown stream "atlantis.sites".'],
    [['register', 'watch'], 'Name a stream, or use --official --all.'],
    [['register', 'watch', '--all'], 'Use --official --all, or --official with one stream.'],
    [['register', 'watch', 'jersey.sites', '--official', '--all'], 'Use --official --all, or'],
    [['register', 'watch', '--official', '--all', '--url', `${origin}/x`], 'With --official, omit --url.'],
  ])('the command line %j is refused', async (args, reason) => {
    const { code, stderr } = await run(...args)
    expect([code, stderr]).toEqual([1, expect.stringContaining(reason)])
  })
})

describe('register watch', () => {
  test('register watch refuses a home page as --url and as the official address', async () => {
    const url = await run('register', 'watch', 'jersey.sites', '--url', 'https://anj.fr/')
    expect([url.code, url.stderr]).toEqual([
      1,
      expect.stringContaining('https://anj.fr/ is a home page, not a file.'),
    ])
    await describeSites('anjouan.sites', '/', { by: 'direct' })
    const official = await run('register', 'watch', 'anjouan.sites')
    expect([official.code, official.stderr]).toEqual([1, expect.stringContaining('is a home page')])
    expect(await watched()).toEqual([])
  })

  test('register watch --official watches a stream whose probe succeeds, and names all others', async () => {
    const well = await json('register', 'watch', 'jersey.sites', '--official')
    expect(well).toMatchObject({ code: 0, report: { watched: ['jersey.sites'], not_watched: [] } })
    const ill = await json('register', 'watch', 'alderney.sites', '--official')
    expect(ill).toMatchObject({
      code: 1,
      report: { watched: [], not_watched: [{ stream: 'alderney.sites' }] },
    })
    expect(await watched()).toEqual([['jersey.sites', true]])
  })

  test('a watched stream is fetched from the official address, and is listed as live', async () => {
    const { report } = await json('register', 'fetch', 'jersey.sites')
    expect(report).toMatchObject({ status: 'applied', fetch: 'fetched', added: 30 })
    const { body } = await service.ask('/coverage.json')
    expect(body.markets.find((each: { market: string }) => each.market === 'jersey')).toMatchObject({
      state: 'live',
      streams: [{ stream: 'jersey.sites', layout: 'recorded', rows: 30, is_fetched: true, problems: [] }],
    })
  })
})
