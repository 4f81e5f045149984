import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSearchWorld, records, type SearchWorld } from './fixture.ts'
import { countFacets, isInResult, isWholeName, type SearchQuery, type Term } from './index.ts'

let world: SearchWorld

beforeAll(async () => {
  world = await openSearchWorld()
  await world.load([...records, ...others])
})

afterAll(() => world.close())

const others = [
  { kind: 'company', key: 'bet365', company_name: 'Bet365' },
  { kind: 'company', key: 'tokyo', company_name: '株式会社カジノ東京' },
]

const isCompany = ({ kind }: { kind?: unknown }) => kind === 'company'

const filters = (values: Record<string, string>): Term[] =>
  Object.entries(values).map(([field, value]) => ({ field, value }))

/** Returns each row with the names that its text finds, and what they match. */
const results = (rows: readonly [label: string, text: string, names: string[]][]) =>
  Promise.all(
    rows.map(async ([label, text]) => {
      const { total, basis } = await world.find({ text })
      const names = await world.names({ text })
      expect(total, label).toBe(names.length)
      return [label, text, names, basis]
    }),
  )

describe('search by a text', () => {
  test('a text finds the Company by a name, brand, beginning, script, domain or legal form', async () => {
    const rows: [label: string, text: string, names: string[]][] = [
      ['a name', 'Ottermoor Gaming', ['Ottermoor Gaming']],
      ['a legal name, its form spelt otherwise', 'ottermoor gaming ltd.', ['Ottermoor Gaming']],
      ['a legal name, its form in full', 'Sea Otter Bets Aktiebolag', ['Sea Otter Bets']],
      ['a name without its accents', 'havmage spil', ['Havmåge Spil']],
      ['a name in another order', 'Spil Havmåge', ['Havmåge Spil']],
      ['a brand', 'lucky otter', ['Ottermoor Gaming']],
      ['a brand without its blank', 'luckyotter', ['Ottermoor Gaming']],
      ['a legal name without its blanks', 'OttermoorGamingLimited', ['Ottermoor Gaming']],
      ['that, its form spelt otherwise', 'ottermoorgamingltd', ['Ottermoor Gaming']],
      ['a blank before the form alone left out', 'Sea Otter BetsAB', ['Sea Otter Bets']],
      ['a form with a slash', 'HavmågeSpilA/S', ['Havmåge Spil']],
      ['of two, the one of that form', 'OtterPlc', ['Otter plc']],
      ['the beginning of a brand', 'otter roy', ['Ottermoor Gaming']],
      ['a legal name up to somewhere in its form', 'ottermoor gaming limi', ['Ottermoor Gaming']],
      ['that, where several of the name have other forms', 'otter lim', ['Otter Ltd']],
      ['that, of a form of several words', 'otter public limited c', ['Otter plc']],
      ['an ampersand in words', 'pebble and pike', ['Pebble & Pike']],
      ['another script', 'томас', ['Томас Игры']],
      ['a domain', 'luckyotter.example', ['Ottermoor Gaming']],
      ['the host of a mail address', 'ann@luckyotter.example', ['Ottermoor Gaming']],
      ['a URL', 'https://www.luckyotter.example/play', ['Ottermoor Gaming']],
      ['part of a domain', 'lonely', ['null']],
      ['a legal form', 'Aktieselskab', ['Havmåge Spil']],
      ['a legal form of two letters', 'AB', ['Sea Otter Bets']],
      ['a legal form of several names', 'p.l.c.', ['Otter plc']],
    ]
    expect(await results(rows)).toEqual(rows.map(row => [...row, 'text']))
  })

  test("a text that begins a Company's name, legal form included, finds and highlights it", async () => {
    for (const { key, company_name: name, legal_entity: legal, brands } of records.filter(isCompany))
      for (const field of [name, legal, brands].flat().filter(text => typeof text === 'string'))
        for (let end = 3; end <= field.length; end += 1) {
          const text = field.slice(0, end)
          const found = await world.find({ text })
          const row = found.rows.find(({ hit }) => hit.company_name === name)
          expect([text, key, found.basis, row?.matchedFields.length]).toEqual([
            text,
            key,
            'text',
            expect.any(Number),
          ])
          expect(row?.matchedFields).not.toEqual([])
        }
  })

  test('a text ranks exact names first, then nearly exact names, beginnings, and single words', async () => {
    const rows = (await world.find({ text: 'Otter' })).rows
    const names = rows.map(row => row.hit.company_name)
    expect(names[0]).toBe('Otter')
    expect(new Set(names.slice(1, 3))).toEqual(new Set(['Otter Ltd', 'Otter plc']))
    expect(new Set(names.slice(3, 5))).toEqual(new Set(['Ottermoor Gaming', 'Otterslide Media']))
    expect(names.slice(5)).toEqual(['Sea Otter Bets'])
    const scores = rows.map(row => row.score as number)
    expect(scores).toEqual(scores.toSorted((one, other) => other - one))
    expect(rows.map(row => row.rank)).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('a text with a legal form ranks names with the same legal form first', async () => {
    expect((await world.names({ text: 'Otter Limited' }))[0]).toBe('Otter Ltd')
    expect((await world.names({ text: 'Otter plc' }))[0]).toBe('Otter plc')
    expect(await world.names({ text: 'Otter plc' })).toContain('Otter Ltd')
  })

  test('a text is never searched in payment methods, suppliers or platforms', async () => {
    for (const text of ['pigeon-pay', 'Señor Slots', 'copperbeam'])
      expect(await world.find({ text })).toMatchObject({ total: 0, basis: null, rows: [], next: null })
  })

  test('a text is highlighted in each matched field', async () => {
    const { rows } = await world.find({ text: 'otter gaming' })
    expect(rows[0]).toMatchObject({
      matchedFields: ['company_name', 'legal_entity', 'brands', 'aliases', 'domains'].filter(
        field => rows[0]?.highlight[field] !== undefined,
      ),
      highlight: { company_name: expect.stringContaining('<em>Gaming</em>') },
    })
    const [pike] = (await world.find({ text: 'pebble' })).rows
    expect(pike?.highlight).toEqual({ company_name: '<em>Pebble</em> &amp; Pike' })
    const [royale] = (await world.find({ text: 'otter roy' })).rows
    expect(royale?.highlight.brands).toBe('<em>Otter</em> <em>Royale</em>')
  })
})

describe('a text that no row contains', () => {
  test('a text that no row contains finds similar names', async () => {
    const rows: [label: string, text: string, name: string | null][] = [
      ['a letter missing', 'Otermoor', 'Ottermoor Gaming'],
      ['a letter missing in a word of five', 'Sea Ottr Bets', 'Sea Otter Bets'],
      ['a legal form within', 'Ottermoor Ltd Gaming', 'Ottermoor Gaming'],
      ['a legal form and a misspelt word', 'AB Havmaage', 'Havmåge Spil'],
      ['digits of a word', '365', 'Bet365'],
      ['three characters of a word without blanks', 'ノ東京', '株式会社カジノ東京'],
      ['a letter too many', 'Havmaage', 'Havmåge Spil'],
      ['another letter', 'Pebbla', 'Pebble & Pike'],
      ['two letters exchanged', 'Pebbel', 'Pebble & Pike'],
      ['two errors in a long word', 'Otttermooor', 'Ottermoor Gaming'],
      ['an error in each word', 'Havmaage Spiil', 'Havmåge Spil'],
      ['an error, and its legal form misspelt', 'Otermoor Gaming Limted', 'Ottermoor Gaming'],
      ['an error in a brand', 'luky otter', 'Ottermoor Gaming'],
      ['an error without the blank', 'lukyotter', 'Ottermoor Gaming'],
      ['a blank too many', 'pike bet royal', null],
      ['a blank forgotten within', 'pebblepike', 'Pebble & Pike'],
      ['the end of a word', 'moor gami', 'Ottermoor Gaming'],
      ['a misspelt domain', 'lukyotter.example', 'Ottermoor Gaming'],
      ['another script', 'томаз', 'Томас Игры'],
    ]
    for (const [label, text, name] of rows) {
      const { basis, rows } = await world.find({ text })
      expect(basis, label).toBe(name === null ? null : 'similar')
      expect(rows[0]?.hit.company_name ?? null, label).toBe(name)
      expect(rows[0]?.matchedFields.length, label).not.toBe(0)
    }
  })

  test.each([
    ['Limited Gaming Ottermoor', 'Ottermoor Gaming'],
    ['Ltd Ottermoor', 'Ottermoor Gaming'],
    ['Limited Liability Company Ottermoor', 'Ottermoor Gaming'],
    ['Sp. z o.o. Sea Otter Bets', 'Sea Otter Bets'],
    ['Aktiebolaget Sea Otter Bets', 'Sea Otter Bets'],
  ])('a legal form in front is no word of the text: %s', async (text, name) => {
    const { basis, rows } = await world.find({ text })
    expect([basis, rows.map(({ hit }) => hit.company_name)]).toEqual(['text', [name]])
  })

  test('similar names are searched only if no row of the filtered set contains the text', async () => {
    expect(await world.find({ text: 'Otter', filters: filters({ role: 'affiliate_media' }) })).toMatchObject({
      basis: 'text',
      total: 1,
    })
    // With its legal form the text is a whole name, and so not the beginning of a longer one.
    expect(
      await world.find({ text: 'Otter Ltd', filters: filters({ role: 'affiliate_media' }) }),
    ).toMatchObject({
      basis: 'similar',
      total: 1,
    })
    const found = await world.find({ text: 'Ottermoor', filters: filters({ role: 'affiliate_media' }) })
    expect(found).toMatchObject({ basis: null, total: 0 })
  })

  test('a text that is a number does not match a number that differs in one digit', async () => {
    expect(await world.find({ subject: 'license', text: '099101-R-339107' })).toMatchObject({
      total: 0,
      basis: null,
    })
  })
})

describe('search by filters', () => {
  test('filters return the rows that have every requested value', async () => {
    const rows: [values: Record<string, string>, names: string[]][] = [
      [{ role: 'affiliate_media' }, ['Otterslide Media']],
      [{ jurisdiction: 'denmark' }, ['Havmåge Spil']],
      [{ license_status: 'revoked' }, ['Pebble & Pike']],
      [{ payment_category: 'open_banking' }, ['Ottermoor Gaming']],
      [{ payment_category: 'crypto' }, []],
      [{ payment_method: 'PIGEON PAY' }, ['Ottermoor Gaming']],
      [{ payment_method: 'given up' }, []],
      [{ supplier_brand: 'senor slots' }, ['Ottermoor Gaming']],
      [{ platform: 'copper beam' }, ['Ottermoor Gaming']],
      [{ platform: 'COPPERBEAM' }, ['Ottermoor Gaming']],
      [{ platform: 'backroom' }, []],
      [{ has_platform: 'true' }, ['Ottermoor Gaming']],
      [{ affiliate_program: 'true', role: 'operator' }, ['Red Kite Leisure']],
      [{ geo: 'PL' }, ['Red Kite Leisure']],
      [{ geo: 'IE' }, ['Ottermoor Gaming']],
      [{ geo: 'pl' }, ['Red Kite Leisure']],
      [{ role: 'operator', jurisdiction: 'ukgc', license_status: 'active' }, ['Ottermoor Gaming']],
      [{ role: 'nobody' }, []],
      [{ geo: '\0' }, []],
    ]
    for (const [values, names] of rows) {
      const query = { filters: filters(values) }
      expect([values, await world.names(query)]).toEqual([values, names])
      const { total, basis } = await world.find(query)
      const expected = { total: names.length, basis: names.length === 0 ? null : 'filters' }
      expect([values, { total, basis }]).toEqual([values, expected])
    }
  })

  test('a search with filters alone orders rows by completeness, then name, without a score', async () => {
    const { rows, total } = await world.find({})
    expect(total).toBe(15)
    expect(rows[0]?.hit.company_name).toBe('Ottermoor Gaming')
    const order = rows.map(({ hit }) => [
      1 - (hit.data_completeness as number),
      String(hit.company_name ?? '').toLowerCase(),
    ])
    expect(order.map(([missing]) => missing)).toEqual(order.map(([missing]) => missing).toSorted())
    expect(rows.every(row => row.score === null && row.matchedFields.length === 0)).toBe(true)
  })

  test.each([
    ['pikebet.example', ['Sea Otter Bets', 'Pebble & Pike']],
    ['ottermoor-gaming.example', ['Ottermoor Gaming']],
    ['nobodys.example', []],
  ])('the filter by the domain %s returns its Companies', async (domain, expected) => {
    expect(new Set(await world.names({ domain }))).toEqual(new Set(expected))
    expect((await world.find({ domain })).total).toBe(expected.length)
    expect(
      (await world.find({ domain, text: 'otter' })).rows.every(({ hit }) =>
        expected.includes(String(hit.company_name)),
      ),
    ).toBe(true)
  })

  test('the filter by ids returns only the rows with these ids, and no row for an empty list', async () => {
    const { rows } = await world.find({ text: 'otter' })
    const [first, second] = rows
    const ids = [first?.id as number, second?.id as number]
    expect((await world.find({ text: 'otter', ids })).rows.map(row => row.id)).toEqual(ids)
    expect(await world.find({ ids: [] })).toMatchObject({ total: 0, rows: [] })
  })
})

describe('search of licenses', () => {
  test('licenses are found by number, type, holder and place', async () => {
    const rows: [label: string, text: string, numbers: string[]][] = [
      ['its number', 'MGA/B2C/101/2019', ['MGA/B2C/101/2019']],
      ['its number, otherwise written', 'mga b2c 101 2019', ['MGA/B2C/101/2019']],
      ['its number as of an earlier version', '099101-R-339101-001', ['099101-R-339101-004']],
      ['its number without the version', '099101-r-339101', ['099101-R-339101-004']],
      ['the beginning of its number', '099101', ['099101-R-339101-004', '099101-R-339102-001']],
      ['its type', 'remote casino', ['099101-R-339101-004']],
      ['its holder', 'pebble', ['099101-R-339102-001']],
      ['its holder and place', 'ottermoor malta', ['MGA/B2C/101/2019']],
      ['a misspelt holder', 'otermoor', ['099101-R-339101-004', 'MGA/B2C/101/2019']],
    ]
    for (const [label, text, numbers] of rows)
      expect((await world.names({ subject: 'license', text })).sort(), label).toEqual(numbers)
  })

  test('licenses are filtered by the facts of their register, and by an authorised domain', async () => {
    const by = (values: Record<string, string>) =>
      world.names({ subject: 'license', filters: filters(values) })
    expect(await by({ license_status: 'revoked' })).toEqual(['099101-R-339102-001'])
    expect(await by({ license_type: 'B2C' })).toEqual(['MGA/B2C/101/2019'])
    expect(await world.names({ subject: 'license', domain: 'luckyotter.example' })).toEqual([
      'MGA/B2C/101/2019',
    ])
  })

  test('licenses show exactly the declared fields', async () => {
    const [row] = (await world.find({ subject: 'license', text: 'MGA/B2C/101/2019' })).rows
    expect(row).toMatchObject({
      rank: 1,
      matchedFields: ['license_number', 'jurisdiction', 'license_type'],
      highlight: { license_number: '<em>MGA/B2C/101/2019</em>' },
    })
    expect(row?.hit).toEqual({
      license_ref: expect.stringMatching(/^lic_/),
      company_ref: expect.stringMatching(/^co_/),
      company_name: 'Ottermoor Gaming',
      jurisdiction: 'mga',
      license_number: 'MGA/B2C/101/2019',
      license_type: 'B2C',
      status: 'active',
      issued_at: null,
      expires_at: null,
      authorized_domain_count: 1,
    })
  })
})

describe('facets of a search', () => {
  const count = async (query: Partial<SearchQuery>, field: string) => {
    const [facet] = await countFacets(world.world, { subject: 'company', filters: [], ...query }, [field])
    return facet
  }

  test('facets of a search without conditions come from the dictionary', async () => {
    expect(await count({}, 'has_platform')).toEqual({
      field: 'has_platform',
      values: [
        { value: 'false', count: 14 },
        { value: 'true', count: 1 },
      ],
    })
    expect((await count({ subject: 'license' }, 'jurisdiction'))?.values).toEqual([
      { value: 'ukgc', count: 2 },
      { value: 'denmark', count: 1 },
      { value: 'mga', count: 1 },
    ])
  })

  test('facets count the whole result of any query', async () => {
    expect((await count({ text: 'otter' }, 'role'))?.values).toEqual([
      { value: 'operator', count: 4 },
      { value: 'affiliate_media', count: 1 },
      { value: 'game_studio', count: 1 },
    ])
    expect((await count({ text: 'otermoor' }, 'role'))?.values).toEqual([{ value: 'operator', count: 1 }])
    expect((await count({ domain: 'pikebet.example' }, 'role'))?.values).toEqual([
      { value: 'operator', count: 2 },
    ])
    expect(await count({ text: 'nothing like it anywhere' }, 'role')).toEqual({ field: 'role', values: [] })
  })
})

test('a Company with hundreds of domains is found by each of them', async () => {
  const mirrors = Array.from({ length: 230 }, (_, index) => `mirror-${index}.example`)
  await world.load([
    { kind: 'company', key: 'many', company_name: 'Hydra Play' },
    ...mirrors.map(domain => ({ kind: 'domain', domain, company: 'many', relation: 'brand_owner' })),
  ])
  for (const domain of [mirrors[0], mirrors[99], mirrors[229]] as string[]) {
    expect(await world.names({ domain })).toEqual(['Hydra Play'])
    const [row] = (await world.find({ text: domain })).rows
    expect(row?.hit).toMatchObject({ company_name: 'Hydra Play', domain_count: 230 })
    expect(row?.highlight.domains).toBe(`<em>${domain}</em>`)
  }
})

test('the test whether a Company is among the results does not depend on the page', async () => {
  const { rows } = await world.find({ text: 'otter' })
  const query = { subject: 'company', filters: [], text: 'otter' } as const
  for (const { id } of rows) expect(await isInResult(world.world, query, id)).toBe(true)
  const [kite] = (await world.find({ text: 'kite' })).rows
  expect(await isInResult(world.world, query, kite?.id as number)).toBe(false)
})

test('a search that counts no further than a limit has the Companies of that whole name first', async () => {
  const all = await world.find({ text: 'otter' })
  const whole = all.rows.filter(({ score }) => isWholeName(score))
  expect(whole.length).toBeGreaterThan(1)
  expect(all.total).toBeGreaterThan(whole.length + 1)
  const limited = await world.find({ text: 'otter', countMax: 1 })
  expect(limited.total).toBe(whole.length + 1)
  expect(limited.rows.slice(0, whole.length)).toEqual(whole)
  // The limited count is not that of another search of the same text.
  expect((await world.find({ text: 'otter' })).total).toBe(all.total)
  const similar = { text: 'ottermor' }
  expect((await world.find({ ...similar, countMax: 1 })).total).toBe(1)
  expect((await world.find({ text: 'luckyotter.example', countMax: 1 })).total).toBe(1)
})

test('counts of a search are renewed after a change of the data', async () => {
  const text = 'Kingfisher'
  expect((await world.find({ text })).total).toBe(0)
  const late = { kind: 'company', key: 'late', company_name: 'Kingfisher Play' }
  await world.load([late])
  expect(await world.find({ text })).toMatchObject({ total: 1, basis: 'text' })
  await world.load([{ ...late, company_name: 'Renamed Play' }])
  expect((await world.find({ text })).total).toBe(0)
})
