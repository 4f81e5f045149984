import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Line, later, loadedAt, openTestWorld, type TestWorld } from './fixture.ts'

let testWorld: TestWorld
beforeAll(async () => {
  testWorld = await openTestWorld()
})
beforeEach(() => testWorld.empty())
afterAll(() => testWorld.close())

const acme: Line = { kind: 'company', key: 'acme', company_name: 'Acme' }
const person = (name: string, more: Line = {}): Line => ({
  kind: 'contact',
  company: 'acme',
  name,
  source: 'company website',
  ...more,
})
const profile = (name: string) => ({ linkedin_url: `https://profiles.example/${name}` })

async function contacts() {
  const { rows } = await sql<Record<string, unknown>>`
    select contact.*, company.company_name
      from contacts contact
      join companies company on company.id = contact.company_id
     order by contact.name, contact.profile_key`.execute(testWorld.world.database)
  return rows
}

/** Returns all columns of contacts except generated ids. */
const facts = async () =>
  (await contacts()).map(({ id: _id, company_id: _company, contact_ref: _ref, ...row }) => row)

describe('the import of a contact', () => {
  test('a contact is stored as given, with a normalised address and its source', async () => {
    const line = person('Ann Lee', {
      title: 'CEO',
      headline: 'Otter friend',
      email: 'Ann.Lee@BÜCHER.example',
      linkedin_url: 'https://www.linkedin.com/in/Ann-Lee/',
      country: 'MT',
      source_url: 'https://acme.example/team',
      collected_at: '2026-01-02T03:04:05Z',
      last_verified_at: '2026-02-03T04:05:06Z',
    })
    const report = await testWorld.load([line, acme])
    expect(report.loaded.contact).toEqual({ added: 1, changed: 0, unchanged: 0 })
    expect(await contacts()).toMatchObject([
      {
        contact_ref: expect.stringMatching(/^con_\w{20}$/),
        company_name: 'Acme',
        company_key: 'acme',
        name: 'Ann Lee',
        title: 'CEO',
        headline: 'Otter friend',
        email: 'ann.lee@xn--bcher-kva.example',
        linkedin_url: 'https://www.linkedin.com/in/Ann-Lee/',
        country: 'MT',
        source: 'company website',
        source_url: 'https://acme.example/team',
        collected_at: new Date('2026-01-02T03:04:05Z'),
        last_verified_at: new Date('2026-02-03T04:05:06Z'),
      },
    ])
  })

  test('a contact without dates was collected at the time of the import and never verified', async () => {
    await testWorld.load([acme, person('Ann Lee')])
    await testWorld.load([person('Ann Lee', { title: 'CEO' })], { now: later })
    expect(await contacts()).toMatchObject([{ title: 'CEO', collected_at: loadedAt, last_verified_at: null }])
  })

  test('a later line replaces a contact, except for its ref, profile and collection date', async () => {
    await testWorld.load([
      acme,
      person('Ann Lee', { title: 'CEO', email: 'ann@acme.example', ...profile('ann') }),
    ])
    const [before] = await contacts()
    const report = await testWorld.load([person('LEE, Ann', { title: 'Chair' })], { now: later })
    expect(report.loaded.contact).toEqual({ added: 0, changed: 1, unchanged: 0 })
    expect(await contacts()).toMatchObject([
      { contact_ref: before?.contact_ref, name: 'LEE, Ann', title: 'Chair', email: null, ...profile('ann') },
    ])
  })

  test.each([
    ['with the profile first', [profile('ann'), {}]],
    ['with the profile second', [{}, profile('ann')]],
  ])('two lines with one name, of which one has a profile, are one person, %s', async (_, [one, other]) => {
    for (const lines of [[person('Ann Lee', one), person('Ann Lee', other)]]) {
      await testWorld.load([acme, ...lines])
      expect(await contacts()).toMatchObject([{ name: 'Ann Lee', ...profile('ann') }])
    }
    await testWorld.empty()
    await testWorld.load([acme, person('Ann Lee', one)])
    await testWorld.load([person('Ann Lee', other)], { now: later })
    expect(await contacts()).toMatchObject([{ name: 'Ann Lee', ...profile('ann') }])
  })

  test('two contacts with one name and different profiles are two persons', async () => {
    await testWorld.load([acme, person('Ann Lee', profile('ann')), person('Ann Lee', profile('ann-2'))])
    expect(await contacts()).toHaveLength(2)
    await testWorld.load([person('Ann Marsh', profile('ann'))], { now: later })
    expect((await contacts()).map(row => row.name)).toEqual(['Ann Lee', 'Ann Marsh'])
  })

  test('a contact that is loaded again changes nothing', async () => {
    const lines = [
      acme,
      person('Ann Lee', profile('ann')),
      person('Bo Fox'),
      person('Bo Fox', { title: 'COO' }),
    ]
    await testWorld.load(lines)
    const before = await contacts()
    const report = await testWorld.load(lines, { now: later })
    expect(report.loaded.contact).toEqual({ added: 0, changed: 0, unchanged: 3 })
    expect(await contacts()).toEqual(before)
  })

  test('a new contact raises the dataset version, because searches filter by contacts', async () => {
    const version = async () =>
      (await sql<{ version: number }>`select version from dataset_version`.execute(testWorld.world.database))
        .rows[0]?.version ?? 0
    await testWorld.load([acme])
    const before = await version()
    await testWorld.load([person('Ann Lee')])
    expect(await version()).toBeGreaterThan(before)
  })

  test('a contact is stored neither in the history nor in a raw file', async () => {
    await testWorld.load([acme, person('Ann Lee', { email: 'ann@acme.example' })])
    const { rows } = await sql<{ packed: Buffer }>`select packed from kept_chunks`.execute(
      testWorld.world.database,
    )
    const { gunzipSync } = await import('node:zlib')
    const stored = gunzipSync(Buffer.concat(rows.map(row => row.packed))).toString()
    expect(stored).toContain('acme')
    expect(stored).not.toMatch(/\bann\b/i)
  })
})

describe('a bad line of a contact', () => {
  test.each([
    [{ email: 'ann at acme' }, 'email: must be an e-mail address'],
    [{ email: 'ann@acme' }, 'email: must be an e-mail address'],
    [{ linkedin_url: 'mailto:ann@acme.example' }, 'linkedin_url: must be the URL of a profile'],
    [{ linkedin_url: 'https://profiles.example/' }, 'linkedin_url: must be the URL of a profile'],
    [{ name: '…' }, 'name: must have letters'],
    [{ source: undefined }, 'missing field "source"'],
    [{ phone: '1' }, 'unknown field "phone"'],
    [{ collected_at: '2026-02-30T00:00:00Z' }, 'collected_at: must be a time, ISO 8601 with an offset'],
  ])('a contact with %j is rejected without naming the person: %s', async (fault, reason) => {
    const report = await testWorld.load([acme, person('Ann Lee', fault)])
    expect(report).toMatchObject({ loaded: {}, rejected: 1 })
    expect(report.rejects[0]?.reason).toContain(reason)
    expect(report.rejects[0]?.reason).not.toMatch(/\bann\b/i)
  })

  test('a contact of an unknown company is rejected without naming the person', async () => {
    const report = await testWorld.load([person('Ann Lee', { company: 'nobody' })])
    expect(report.rejects).toMatchObject([
      { reason: 'company: no company in these files or in the database has the key "nobody"' },
    ])
  })
})

describe('a dump of contacts', () => {
  test('a dump lists people by company key and loads back unchanged', async () => {
    const lines = [
      person('Bo Fox', { title: 'COO', last_verified_at: '2026-02-03T04:05:06.000Z' }),
      person('Ann Lee', { email: 'ann@acme.example', ...profile('ann') }),
    ]
    await testWorld.load([acme, ...lines])
    const dumped = await testWorld.dump()
    expect(dumped.filter(line => line.includes('"contact"')).map(line => JSON.parse(line))).toEqual([
      {
        ...person('Ann Lee'),
        email: 'ann@acme.example',
        ...profile('ann'),
        collected_at: loadedAt.toISOString(),
      },
      {
        ...person('Bo Fox'),
        title: 'COO',
        collected_at: loadedAt.toISOString(),
        last_verified_at: '2026-02-03T04:05:06.000Z',
      },
    ])
    await testWorld.empty()
    await testWorld.load(dumped, { now: later })
    expect(await testWorld.dump()).toEqual(dumped)
  })

  const anyLine = fc.record({
    company: fc.constantFrom('acme', 'bolt'),
    name: fc.constantFrom('Ann Lee', 'Lee Ann', 'Bo Fox', 'Åsa Ö'),
    title: fc.option(fc.constantFrom('CEO', 'CTO', 'COO'), { nil: null }),
    email: fc.option(fc.constantFrom('ann@acme.example', 'bo@acme.example'), { nil: null }),
    linkedin_url: fc.option(fc.constantFrom('https://profiles.example/a', 'https://profiles.example/b'), {
      nil: null,
    }),
    last_verified_at: fc.option(fc.constantFrom('2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'), {
      nil: null,
    }),
    fetched_at: fc.option(fc.constantFrom('2026-02-03T00:00:00Z', '2026-02-04T00:00:00Z'), { nil: null }),
  })
  const anyFile = fc.array(anyLine, { minLength: 1, maxLength: 8 })
  const both = [acme, { kind: 'company', key: 'bolt', company_name: 'Bolt' }]
  const asLines = (file: Line[]) => file.map(line => ({ kind: 'contact', source: 'web', ...line }))

  test('a dump of contacts is equal for any order of files, and loading it changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyFile, { minLength: 1, maxLength: 3 }), async files => {
        await testWorld.empty()
        await testWorld.load(both)
        for (const file of files) await testWorld.load(asLines(file))
        const before = await facts()
        const report = await testWorld.load(asLines(files.at(-1) as Line[]), { now: later })
        expect(report.loaded.contact).toMatchObject({ added: 0, changed: 0 })
        expect(await facts()).toEqual(before)
        const dumped = await testWorld.dump()
        expect(
          (await testWorld.load(dumped, { now: later })).loaded.contact ?? { added: 0, changed: 0 },
        ).toMatchObject({
          added: 0,
          changed: 0,
        })
        await testWorld.empty()
        await testWorld.load(dumped, { now: later })
        expect(await testWorld.dump()).toEqual(dumped)
      }),
      { numRuns: 5 },
    )
  })
})
