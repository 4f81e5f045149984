import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readDomain } from '@baize/names'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommandHere } from '../../test/harness/command.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { type Customer, startService, type TestService } from '../../test/harness/service.ts'
import { signIn } from '../../test/harness/sign-in.ts'

let service: TestService
let customer: Customer
let directory: TestDirectory
beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
  customer = await service.customer({ credits: 10_000 })
  directory = await createTestDirectory()
})
afterAll(async () => {
  await service.close()
  await directory.remove()
})

const run = (...args: string[]) =>
  runCommandHere(['register', ...args], { DATA_DIR: directory.path, DATABASE_URL: service.database.url })

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect({ args, stderr }).toEqual({ args, stderr: '' })
  return { code, report: JSON.parse(stdout) }
}
const timeline = async (domain: string) => (await json('timeline', domain)).report

const fillers = Array.from({ length: 12 }, (_, number) => `filler-${number}.example`)

async function folderOf(name: string, files: Record<string, readonly string[]>): Promise<string> {
  const folder = join(directory.path, name)
  await mkdir(folder)
  for (const [file, lines] of Object.entries(files))
    await writeFile(join(folder, file), `${lines.join('\r\n')}\r\n`)
  return folder
}

/** The bytes of all answers of today: verdicts of 1,000 domains a request, a search and a feed. */
async function answersOf(domains: readonly string[]): Promise<string[]> {
  const texts: string[] = []
  const withoutTimes = (body: unknown) =>
    JSON.stringify(body, (key, value) => (['as_of', 'request_id'].includes(key) ? undefined : value))
  for (let start = 0; start < domains.length; start += 1_000) {
    const body = JSON.stringify({ domains: domains.slice(start, start + 1_000) })
    const headers = { 'content-type': 'application/json' }
    const answer = await customer.ask('/v1/domains/resolve', { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
    texts.push(withoutTimes(answer.body.data.verdicts))
  }
  for (const path of [
    'domains/search?verdict=licensed&geo=ukgc',
    'signals/register-changes?jurisdiction=ukgc',
  ])
    texts.push(withoutTimes((await customer.ask(`/v1/${path}`)).body.data))
  return texts
}

async function factsWritten() {
  const { rows } = await sql<{ rows: number }>`
    select (select count(*) from authorisations) + (select count(*) from licenses)
         + (select count(*) from domains) + (select count(*) from signals)
         + (select count(*) from dataset_events) as rows`.execute(service.service.live.database)
  return rows[0]?.rows
}

describe('dated lists of a mirror', () => {
  const domains = ['sandpiperslots.example', 'goneotter.example', ...fillers]

  test('lists are evidence of the past, and every answer of today stays the same', async () => {
    const before = [await answersOf(domains), await factsWritten()]
    const folder = await folderOf('lists', {
      'active_20260301.txt': [
        '20260301 08:14',
        'www.goneotter.example',
        'SandpiperSlots.example/uk',
        ...fillers,
      ],
      'active_20260101.txt': ['goneotter.example', ...fillers, 'not a site'],
      'active_20260401.txt': ['sandpiperslots.example', ...fillers],
    })
    const { code, report } = await json('backfill', 'ukgc.licences', folder, '--as-evidence')
    expect(code).toBe(0)
    expect(report.lists).toMatchObject([
      { listed_on: '2026-01-01', status: 'loaded', sites: 13, rejected: 1, reasons: ['not a site'] },
      { listed_on: '2026-03-01', status: 'loaded', sites: 14, rejected: 0 },
      { listed_on: '2026-04-01', status: 'loaded', sites: 13, rejected: 0 },
    ])
    expect([await answersOf(domains), await factsWritten()]).toEqual(before)
    expect(await timeline('https://www.goneotter.example/')).toEqual([
      {
        market: 'ukgc',
        stream: 'ukgc.licences',
        basis: 'dated_lists',
        from: '2026-01-01',
        to: '2026-03-01',
        missing_on: '2026-04-01',
        lists: 2,
      },
    ])
    expect(await timeline('sandpiperslots.example')).toMatchObject([
      { basis: 'dated_lists', from: '2026-03-01', to: '2026-04-01', missing_on: null, lists: 2 },
      { basis: 'register', stream: 'ukgc.licences', from: '2026-08-31', to: null, lists: null },
    ])
  })

  test('the page of a verdict shows the timeline of a site that no register lists today', async () => {
    const person = await signIn(service, { accountRef: customer.accountRef })
    const path = '/dashboard/domains/goneotter.example'
    const page = (await person.get(path)).text
    const nonce = page.match(/name="nonce" value="([^"]+)"/)?.[1] as string
    expect((await person.post(path, { max_credits: '1', nonce })).status).toBe(303)
    const { text } = await person.get(path)
    expect(text).toContain('Timeline')
    expect(text).toMatch(/2026-01-01[\s\S]*2026-03-01[\s\S]*not on[\s\S]*2026-04-01/)
  })

  test('a stored day is passed over, and another file for it is reported and not read', async () => {
    const again = await json('backfill', 'ukgc.licences', join(directory.path, 'lists'), '--as-evidence')
    expect(again.report.lists.map((each: { status: string }) => each.status)).toEqual([
      'unchanged',
      'unchanged',
      'unchanged',
    ])
    const other = await folderOf('other', { '2026-03-01.txt': ['goneotter.example', ...fillers] })
    const { code, report } = await json('backfill', 'ukgc.licences', other, '--as-evidence')
    expect([code, report.lists[0].status]).toEqual([1, 'differs'])
    await json('withdraw-list', 'ukgc.licences', '2026-03-01', '--why', 'A wrong file')
    expect(await timeline('goneotter.example')).toMatchObject([
      { from: '2026-01-01', to: '2026-01-01', missing_on: '2026-04-01', lists: 1 },
    ])
    await json('backfill', 'ukgc.licences', other, '--as-evidence')
    expect(await timeline('goneotter.example')).toMatchObject([{ to: '2026-03-01', lists: 2 }])
  })

  test.each([
    ['of too few sites', ['a.example', 'b.example'], 'the register has at least 10 rows'],
    ['that is a page', ['<html>', '<p>', '</p>', 'a.example'], 'are no site: is it a list?'],
  ])('a list %s is refused', async (what, lines, reason) => {
    const folder = await folderOf(what, { '2026-02-01.txt': lines })
    const { code, report } = await json('backfill', 'ukgc.licences', folder, '--as-evidence')
    expect([code, report.lists[0].status, report.lists[0].reasons[0]]).toEqual([
      1,
      'refused',
      expect.stringContaining(reason),
    ])
  })

  test('a wrong command about lists says why', async () => {
    const wrong = async (...args: string[]) => (await run(...args)).stderr
    expect(await wrong('withdraw-list', 'ukgc.licences', '2025-01-01', '--why', 'x')).toBe(
      'No list of ukgc.licences of 2025-01-01 is stored.\n',
    )
    expect(await wrong('withdraw-list', 'ukgc.licences', 'soon', '--why', 'x')).toContain('must be a day')
    expect(await wrong('timeline', 'no domain')).toContain('is not a domain')
    const folder = join(directory.path, 'lists')
    expect(await wrong('backfill', 'italy.blocklist', folder, '--as-evidence')).toContain('is no register')
  })
})

const name = 'ukgc_active_domains_2026-04-18.txt'
const mirror = fileURLToPath(new URL(`../../../shared/data/united-kingdom/${name}`, import.meta.url))

describe.skipIf(!existsSync(mirror))('the real list of Great Britain of 18 April 2026', () => {
  test('it is read whole, and no answer about any of its sites changes', async () => {
    const folder = join(directory.path, 'real')
    await mkdir(folder)
    await copyFile(mirror, join(folder, name))
    const lines = (await readFile(mirror, 'utf8')).split('\n').filter(line => /\./.test(line))
    const domains = [
      ...new Set(lines.map(line => readDomain(line)).flatMap(read => (read.ok ? [read.domain] : []))),
    ]
    const before = [await answersOf(domains), await factsWritten()]
    const { code, report } = await json('backfill', 'ukgc.licences', folder, '--as-evidence')
    expect(code, JSON.stringify(report)).toBe(0)
    const [list] = report.lists
    // Two lines are pages of app stores, which are no site.
    expect([list.status, list.sites, list.rejected]).toEqual(['loaded', 1_336, 2])
    expect(list.reasons.every((line: string) => /^(?:itunes|play)\./.test(line))).toBe(true)
    expect(domains).toHaveLength(list.sites + list.rejected)
    expect([await answersOf(domains), await factsWritten()]).toEqual(before)
    expect(await timeline('10bet.co.uk')).toMatchObject([
      { basis: 'dated_lists', from: '2026-04-18', to: '2026-04-18', lists: 1 },
    ])
  })
})
