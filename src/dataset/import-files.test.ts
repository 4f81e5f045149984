import { writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { verifyCompanies } from '../features/companies/index.ts'
import { type Line, later, loadedAt, openTestWorld, type TestWorld } from './fixture.ts'
import { type ImportProgress, importFiles } from './import-files.ts'

let small: TestWorld
beforeAll(async () => {
  small = await openTestWorld()
})
beforeEach(() => small.empty())
afterAll(() => small.close())

async function query(text: string): Promise<unknown[]> {
  return (await sql.raw(text).execute(small.world.database)).rows
}

const company: Line = { kind: 'company', key: 'acme', company_name: 'Acme', role: ['operator'] }
const license: Line = {
  kind: 'license',
  jurisdiction: 'ukgc',
  license_number: '7',
  status: 'Active',
  company: 'acme',
  authorized_domains: ['a.example', 'b.example'],
}
const entry: Line = { kind: 'blocklist_entry', regulator: 'poland', domain: 'b.example' }

async function verdicts() {
  const rows = (await query('select domain, verdict from domains order by domain')) as {
    domain: string
    verdict: string
  }[]
  return Object.fromEntries(rows.map(({ domain, verdict }) => [domain, verdict]))
}

test('references may use keys of any file, in any order', async () => {
  const files = [await small.write([license]), await small.write([entry, company])]
  const report = await importFiles(small.world, files, { mode: 'strict' })
  expect(report).toMatchObject({
    lines: 3,
    rejected: 0,
    loaded: {
      company: { added: 1, changed: 0, unchanged: 0 },
      license: { added: 1, changed: 0, unchanged: 0 },
      blocklist_entry: { added: 1, changed: 0, unchanged: 0 },
    },
  })
  expect(await verdicts()).toEqual({ 'a.example': 'licensed', 'b.example': 'mixed' })
})

test('references may use keys and refs of stored records', async () => {
  await small.load([company])
  const [{ company_ref: ref }] = (await query('select company_ref from companies')) as [
    { company_ref: string },
  ]
  await small.load([license, { ...license, license_number: '8', company: ref }])
  expect(await query('select distinct company_id from licenses')).toEqual([{ company_id: 1 }])
})

test('a strict import with one bad line loads nothing and reports file, line and reason', async () => {
  const good = await small.write([company])
  const bad = await small.write([
    entry,
    '',
    { ...entry, domain: 'nonsense' },
    { ...license, company: 'nobody' },
  ])
  const report = await importFiles(small.world, [good, bad], { mode: 'strict' })
  expect(report).toMatchObject({
    lines: 4,
    loaded: {},
    rejected: 2,
    rejects: [
      { file: bad, line: 3, reason: 'domain: "nonsense" is one word without a dot' },
      {
        file: bad,
        line: 4,
        reason: 'company: no company in these files or in the database has the key "nobody"',
      },
    ],
  })
  expect(await small.dump()).toEqual([])
})

test('an import that skips bad lines loads all others', async () => {
  const reading = { kind: 'platform_reading', domain: 'a.example', platform: 'nothing' }
  const report = await small.load([company, license, entry, '{', { ...entry, x: 1 }, reading], {
    mode: 'skip-invalid',
  })
  expect(report.rejected).toBe(3)
  expect(report.rejects.map(({ line }) => line)).toEqual([4, 5, 6])
  const loaded = Object.values(report.loaded).flatMap(({ added, changed, unchanged }) => [
    added,
    changed,
    unchanged,
  ])
  expect(loaded.reduce((sum, count) => sum + count)).toBe(report.lines - report.rejected)
})

test('an import lists the first of many bad lines, and counts all of them', async () => {
  const report = await small.load(Array.from({ length: 1_000 }, () => ({ kind: 'nothing' })))
  expect(report.rejected).toBe(1_000)
  expect(report.rejects.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
})

test('a truncated gzip file loads nothing in either mode', async () => {
  const file = `${await small.write([])}.gz`
  const packed = gzipSync(`${JSON.stringify(company)}\n`.repeat(2_000))
  await writeFile(file, packed.subarray(0, packed.length - 9))
  await expect(importFiles(small.world, [file], { mode: 'skip-invalid' })).rejects.toThrow(
    'unexpected end of file',
  )
  expect(await small.dump()).toEqual([])
})

test('of two lines about one record, the later one wins', async () => {
  const report = await small.load([company, { ...company, company_name: 'Acme Two' }])
  expect(report.loaded.company).toEqual({ added: 1, changed: 0, unchanged: 1 })
  expect(await query('select company_name from companies')).toEqual([{ company_name: 'Acme Two' }])
})

test('a changed license keeps its former state as history, and its domains change verdict', async () => {
  await small.load([company, license])
  const report = await small.load([{ ...license, status: 'Revoked' }], { now: later })
  expect(report.loaded.license).toEqual({ added: 0, changed: 1, unchanged: 0 })
  expect(await query('select status, known_from, known_to from license_states order by id')).toEqual([
    { status: 'active', known_from: loadedAt, known_to: later },
    { status: 'revoked', known_from: later, known_to: null },
  ])
  expect(await verdicts()).toEqual({ 'a.example': 'no_record', 'b.example': 'no_record' })
})

test('an authorised domain that a later line omits is closed, and reopened when it returns', async () => {
  await small.load([company, license])
  await small.load([{ ...license, authorized_domains: ['a.example'] }], { now: later })
  expect(await verdicts()).toEqual({ 'a.example': 'licensed', 'b.example': 'no_record' })
  expect(await query("select known_to from authorisations where record_key = 'ukgc|7|b.example'")).toEqual([
    { known_to: later },
  ])
  await small.load([license], { now: later })
  expect(await verdicts()).toEqual({ 'a.example': 'licensed', 'b.example': 'licensed' })
})

test('a delisted blocklist entry keeps its earlier row and no longer blocks', async () => {
  await small.load([entry])
  const report = await small.load([{ ...entry, listed: false }], { now: later })
  expect(report.loaded.blocklist_entry).toEqual({ added: 0, changed: 1, unchanged: 0 })
  expect(
    await query('select listed, first_seen_at, last_seen_at, known_to from blocklist_entries order by id'),
  ).toEqual([
    { listed: true, first_seen_at: loadedAt, last_seen_at: loadedAt, known_to: later },
    { listed: false, first_seen_at: loadedAt, last_seen_at: later, known_to: null },
  ])
  expect(await verdicts()).toEqual({ 'b.example': 'no_record' })
})

test('a later last_seen_at updates a listed entry without a second row', async () => {
  await small.load([{ ...entry, last_seen_at: '2026-01-01T00:00:00Z' }])
  await small.load([{ ...entry, last_seen_at: '2026-02-01T00:00:00Z' }])
  expect(await query('select last_seen_at from blocklist_entries')).toEqual([
    { last_seen_at: new Date('2026-02-01T00:00:00Z') },
  ])
})

test('a relation alone does not license, and a changed brand closes the earlier link', async () => {
  const link = { kind: 'domain', domain: 'a.example', company: 'acme', relation: 'licensee', brand: 'One' }
  await small.load([company, link])
  await small.load([{ ...link, brand: 'Two', inferred_geo: 'GB' }], { now: later })
  expect(await verdicts()).toEqual({ 'a.example': 'no_record' })
  expect(await query('select brand, known_to from domain_companies order by id')).toEqual([
    { brand: 'One', known_to: later },
    { brand: 'Two', known_to: null },
  ])
  expect(await query('select inferred_geo from domains')).toEqual([{ inferred_geo: 'GB' }])
})

test('a Company has the brands of its sources, followed by brands that its sites show', async () => {
  const withBrands = { ...company, brands: ['Acme Bet', 'Own'] }
  const link = (domain: string, brand: string | null, relation = 'licensee') => ({
    kind: 'domain',
    domain,
    company: 'acme',
    relation,
    brand,
  })
  const links = [link('a.example', 'Zed', 'brand_owner'), link('b.example', 'Own'), link('c.example', null)]
  const brands = () => query('select brands from companies')
  await small.load([withBrands, ...links, link('d.example', 'Alpha')])
  const expected = [{ brands: ['Acme Bet', 'Own', 'Alpha', 'Zed'] }]
  expect(await brands()).toEqual(expected)
  const dumped = await small.dump()
  for (const lines of [[withBrands], dumped]) {
    const { loaded } = await small.load(lines, { now: later })
    expect(loaded.company).toEqual({ added: 0, changed: 0, unchanged: 1 })
    expect(await brands()).toEqual(expected)
  }
  await small.load([link('d.example', null)], { now: later })
  expect(await brands()).toEqual([{ brands: ['Acme Bet', 'Own', 'Zed'] }])
  expect((await verifyCompanies(small.world.database)).differences).toEqual([])
  await small.empty()
  await small.load(dumped)
  expect([await brands(), await small.dump()]).toEqual([expected, dumped])
})

test('lines about one observation are combined: first and last date, and the latest value', async () => {
  const seen = (day: string, category: string): Line => ({
    kind: 'observation',
    domain: 'a.example',
    section: 'payment_methods',
    normalized_name: 'visa',
    category,
    last_seen_at: `2026-01-${day}T00:00:00Z`,
  })
  await small.load([seen('10', 'card'), seen('20', 'ewallet')])
  await small.load([seen('05', 'crypto')])
  expect(
    await query("select value ->> 'category' as category, first_seen_at, last_seen_at from observations"),
  ).toEqual([
    { category: 'ewallet', first_seen_at: new Date('2026-01-05'), last_seen_at: new Date('2026-01-20') },
  ])
})

test("a payment method is shown if it was seen within 30 days of the site's latest observation", async () => {
  const seen = (name: string, category: string, day: string): Line => ({
    kind: 'observation',
    domain: 'a.example',
    section: 'payment_methods',
    normalized_name: name,
    category,
    last_seen_at: `${day}T00:00:00Z`,
  })
  await small.load([
    seen('visa', 'card', '2026-03-31'),
    seen('skrill', 'ewallet', '2026-03-01'),
    seen('btc', 'crypto', '2026-02-28'),
  ])
  expect(await query('select payment_categories, last_observed_at from domains')).toEqual([
    { payment_categories: ['card', 'ewallet'], last_observed_at: new Date('2026-03-31') },
  ])
})

test('the platform of a domain comes from its most recent reading, not from the last line', async () => {
  const platform = (key: string) => ({ kind: 'platform', key, name: key, reviewed: true })
  const reading = (key: string, day: string) => ({
    kind: 'platform_reading',
    domain: 'a.example',
    platform: key,
    seen_at: `${day}T00:00:00Z`,
  })
  await small.load([platform('one'), platform('two'), reading('two', '2026-03-01')])
  await small.load([reading('one', '2025-03-01')])
  const running = 'select platform_key from domains join platforms on platforms.id = platform_id'
  expect(await query(running)).toEqual([{ platform_key: 'two' }])
  const undated = { kind: 'platform_reading', domain: 'a.example', platform: 'two' }
  expect((await small.load([undated])).loaded.platform_reading).toEqual({
    added: 0,
    changed: 0,
    unchanged: 1,
  })
})

test('omitting `reviewed` keeps the decision of staff about a platform', async () => {
  const platform = { kind: 'platform', key: 'p', name: 'P' }
  await small.load([{ ...platform, reviewed: true }])
  await small.load([{ ...platform, name: 'P Two' }], { now: later })
  expect(await query('select name, reviewed_at from platforms')).toEqual([
    { name: 'P Two', reviewed_at: loadedAt },
  ])
})

test('an account line that is rejected leaves no trace', async () => {
  const account = { kind: 'account', key: 'customer', name: 'Customer', plan: 'growth', credits_granted: 10 }
  await small.load([account])
  const report = await small.load([{ ...account, name: 'Renamed', credits_granted: 5 }, company], {
    mode: 'skip-invalid',
  })
  expect(report.rejects).toMatchObject([{ line: 1, reason: expect.stringContaining('10') }])
  expect(report.loaded).toEqual({ company: { added: 1, changed: 0, unchanged: 0 } })
  expect(await query('select name from accounts')).toEqual([{ name: 'Customer' }])
})

test('an import adds facts, and does not change facts of registers', async () => {
  await small.load([company, license])
  await query("update licenses set stream = 'ukgc.licences'")
  await query("update authorisations set stream = 'ukgc.licences'")
  await small.load([{ ...license, authorized_domains: [] }], { now: later })
  expect(await query('select known_to from authorisations')).toEqual([{ known_to: null }, { known_to: null }])
  expect(await verdicts()).toEqual({ 'a.example': 'licensed', 'b.example': 'licensed' })
})

test('two concurrent imports of the same lines run one after the other, and load them once', async () => {
  const lines = [company, license, entry]
  const reports = await Promise.all([small.load(lines), small.load(lines)])
  const added = reports.map(({ loaded }) => loaded.license?.added ?? 0)
  expect(added.toSorted()).toEqual([0, 1])
  expect(await query('select count(*) as count from companies')).toEqual([{ count: 1 }])
})

test('the progress of an import ends with the last line and byte', async () => {
  const seen: ImportProgress[] = []
  await small.load([company, license], { onProgress: progress => seen.push(progress) })
  const last = seen.at(-1)
  expect(last).toMatchObject({ lines: 2, bytes: last?.bytesTotal })
})

test('an import raises the dataset version only if it changed searchable data', async () => {
  const version = async () => (await query('select version from dataset_version'))[0]
  await small.load([company, license])
  const before = await version()
  await small.load([company, license])
  expect(await version()).toEqual(before)
  await small.load([{ ...company, country: 'MT' }])
  expect(await version()).not.toEqual(before)
})

test.each(['strict', 'skip-invalid'] as const)(
  'a %s import stops after 20 lines that are not JSON objects, and imports no file',
  async mode => {
    const good = await small.write([company])
    const bad = await small.write(Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? '# Title' : '[1]')))
    await expect(importFiles(small.world, [good, bad], { mode })).rejects.toThrow(
      `${bad} is not in the interchange format: none of its first 20 lines is a JSON object`,
    )
    expect(await query('select 1 from companies')).toEqual([])
  },
)

test('a file that begins with few bad lines reports each of them', async () => {
  const report = await small.load([...Array.from({ length: 19 }, () => '# Title'), company], {
    mode: 'skip-invalid',
  })
  expect(report).toMatchObject({ lines: 20, rejected: 19, loaded: { company: { added: 1 } } })
})
