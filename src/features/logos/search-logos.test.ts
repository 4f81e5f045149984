import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withClient } from '../../../test/harness/client.ts'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { demoKey } from '../../core/api-key.ts'
import { drawing, type LogoFeed, logoLine, openLogoFeed } from './fixture.ts'

let service: TestService
let customer: Customer
let feed: LogoFeed
const misfits = declaredData('search_logos')
beforeAll(async () => {
  service = await startService({ world: 'demo_key' })
  customer = await service.customer({ credits: 0 })
  feed = await openLogoFeed(service)
  for (const width of [1, 2, 3]) await feed.put(`${width}.svg`, drawing(width))
})
afterAll(async () => {
  await feed.close()
  await service.close()
})

const path = '/v1/logos/search'
const search = (q: string, more = '') => customer.ask(`${path}?q=${encodeURIComponent(q)}${more}`)
async function namesFound(q: string, more = ''): Promise<string[]> {
  const { status, body } = await search(q, more)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(misfits(body.data)).toBeNull()
  return body.data.results.map((row: { kind: string; name: string }) => `${row.kind} ${row.name}`)
}

async function empty(): Promise<void> {
  await sql`truncate companies, domains, observations, logo_subjects restart identity cascade`.execute(
    service.service.live.database,
  )
}

const game = (name: string, rest: object = {}) =>
  logoLine('game', name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'), name, rest)

describe('a result of logo search', () => {
  beforeEach(empty)

  test('a result of logo search has every field of §2.12, with the default image first', async () => {
    await feed.load([
      logoLine('operator_brand', 'lucky-otter', 'Lucky Otter', {
        domain: 'https://www.luckyotter.example/',
        role: ['operator', 'unknown'],
        file: '1.svg',
        source: 'business_profile',
        theme: 'dark',
      }),
      logoLine('operator_brand', 'lucky-otter', 'Lucky Otter', {
        domain: 'luckyotter.example',
        role: ['operator'],
        file: '2.svg',
        source: 'website',
      }),
    ])
    const { body } = await search('otter')
    expect(body.data).toEqual({
      results: [
        {
          name: 'Lucky Otter',
          kind: 'operator_brand',
          slug: 'lucky-otter',
          domain: 'luckyotter.example',
          role: ['operator'],
          logo_url: 'http://baize.test/images/operator_brand/lucky-otter',
          logos: [
            {
              url: expect.stringMatching(/^http:\/\/baize\.test\/logos\/[0-9a-f]{64}\.svg$/),
              source: 'website',
              variant: 'logo',
              theme: 'light',
              format: 'svg',
            },
            {
              url: expect.stringMatching(/^http:\/\/baize\.test\/logos\/[0-9a-f]{64}\.svg$/),
              source: 'business_profile',
              variant: 'logo',
              theme: 'dark',
              format: 'svg',
            },
          ],
        },
      ],
      found: 1,
      found_capped: false,
    })
  })

  test('a result without a logo has logo_url null and empty logos, role and domain', async () => {
    await feed.load([
      {
        kind: 'observation',
        domain: 'a.example',
        section: 'payment_methods',
        normalized_name: 'otterpay',
        category: 'ewallet',
      },
    ])
    expect((await search('otter')).body.data.results).toEqual([
      {
        name: 'otterpay',
        kind: 'payment_method',
        slug: 'otterpay',
        domain: '',
        role: [],
        logo_url: null,
        logos: [],
      },
    ])
  })

  test("a Company's result has its roles and primary domain; a brand's has a site", async () => {
    await feed.load([
      {
        kind: 'company',
        key: 'acme',
        company_name: 'Acme Otters',
        role: ['platform_provider', 'operator', 'unknown'],
        brands: ['Lucky Otter'],
      },
      { kind: 'domain', domain: 'a.example', company: 'acme', relation: 'brand_owner' },
      { kind: 'domain', domain: 'z.example', company: 'acme', relation: 'licensee', brand: 'Lucky Otter' },
      { kind: 'domain', domain: 'b.example', company: 'acme', relation: 'licensee', brand: 'Lucky Otter' },
      {
        kind: 'license',
        jurisdiction: 'mga',
        license_number: '7',
        company: 'acme',
        authorized_domains: ['z.example'],
      },
    ])
    const rows = (await search('otter')).body.data.results
    expect(rows.map(({ kind, domain, role }: Record<string, unknown>) => ({ kind, domain, role }))).toEqual([
      { kind: 'company', domain: 'b.example', role: ['operator', 'platform_provider'] },
      { kind: 'operator_brand', domain: 'z.example', role: ['operator', 'platform_provider'] },
    ])
    const payer = await service.customer({ credits: 100 })
    const [hit] = (await payer.ask('/v1/companies/search?q=acme+otters')).body.data.hits
    expect(hit.primary_domain.domain).toBe('b.example')
  })

  test("a Company's result has a site that only its license links", async () => {
    await feed.load([
      { kind: 'company', key: 'acme', company_name: 'Acme Otters' },
      {
        kind: 'license',
        jurisdiction: 'mga',
        license_number: '7',
        company: 'acme',
        authorized_domains: ['y.example'],
      },
    ])
    expect((await search('acme otters')).body.data.results).toMatchObject([
      { kind: 'company', domain: 'y.example' },
    ])
  })

  test('a result of logo search has no superseded, withdrawn or rejected image', async () => {
    const line = (rest: object) => game('Otter Splash', rest)
    await feed.load([line({ file: '1.svg' }), line({ file: '2.svg', variant: 'icon', status: 'withdrawn' })])
    await feed.load([line({ file: '3.svg' }), line({ file: '1.svg', variant: 'wide', status: 'rejected' })])
    const [row] = (await search('otter')).body.data.results
    expect(row.logos.map((logo: { variant: string }) => logo.variant)).toEqual(['logo'])
    await feed.load([line({ file: '3.svg', status: 'withdrawn' })])
    const [without] = (await search('otter')).body.data.results
    expect([without.logo_url, without.logos]).toEqual([null, []])
  })
})

describe('logo search by a fragment', () => {
  test('a fragment finds exact matches first, then prefix matches, then others by name', async () => {
    await empty()
    const names = ['Zotter', 'Otter Zoo', 'Lucky Otter', 'Otter', 'Otter Ace', 'Badger']
    await feed.load(names.map(name => game(name)))
    expect(await namesFound('otter')).toEqual(
      ['Otter', 'Otter Ace', 'Otter Zoo', 'Lucky Otter', 'Zotter'].map(name => `game ${name}`),
    )
  })

  describe('spellings in logo search', () => {
    const names = [
      'Lucky Otter',
      'Glücksfall',
      'Pebble / Pike',
      'Казино Ривьера',
      '100% Win',
      '日本カジノ',
      '%_% !!!',
      'Bet+Win',
    ]
    beforeAll(async () => {
      await empty()
      await feed.load(names.map((name, index) => logoLine('game', `g-${index}`, name)))
    })

    const queries = [
      ['LUCKY otter', 'Lucky Otter'],
      ['luckyotter', 'Lucky Otter'],
      ['luckyot', 'Lucky Otter'],
      ['ky ott', 'Lucky Otter'],
      ['  lucky   otter ', 'Lucky Otter'],
      ['Lucky-Otter', 'Lucky Otter'],
      ['gluck', 'Glücksfall'],
      ['GLÜCKSFALL', 'Glücksfall'],
      ['pebble pike', 'Pebble / Pike'],
      ['зино', 'Казино Ривьера'],
      ['РИВ', 'Казино Ривьера'],
      ['100%', '100% Win'],
      ['日本カ', '日本カジノ'],
      ['%_%', '%_% !!!'],
      ['t+w', 'Bet+Win'],
    ] as const

    test('a name in another spelling finds its logo subjects and nothing else', async () => {
      const results = await Promise.all(queries.map(async ([q]) => [q, await namesFound(q)]))
      expect(results).toEqual(queries.map(([q, name]) => [q, [`game ${name}`]]))
    })

    const unmatched = [
      '___',
      '%%%',
      '\\\\\\',
      "'; drop table logos; --",
      '(((',
      'a\0b',
      '😀😀😀',
      '?!?!',
      '...',
      '\u202e\u202e\u202e',
      '\ud800\ud800\ud800',
      'x'.repeat(100),
    ]

    test('special characters in a logo search match nothing, without an error', async () => {
      const results = await Promise.all(
        unmatched.map(async q => {
          const { status, body } = await customer.ask(`${path}?${new URLSearchParams({ q })}`)
          return [q, status, body.data?.results]
        }),
      )
      expect(results).toEqual(unmatched.map(q => [q, 200, []]))
    })
  })

  test('a fragment finds only subjects of the requested kind', async () => {
    await empty()
    await feed.load([
      game('Otter'),
      { kind: 'company', key: 'o', company_name: 'Otter', brands: ['Otter'] },
      {
        kind: 'observation',
        domain: 'a.example',
        section: 'supplier_brands',
        normalized_provider_name: 'Otter',
      },
    ])
    expect(await namesFound('otter')).toEqual([
      'company Otter',
      'game Otter',
      'operator_brand Otter',
      'supplier_brand Otter',
    ])
    for (const kind of ['company', 'game', 'operator_brand', 'supplier_brand'])
      expect(await namesFound('otter', `&kind=${kind}`)).toEqual([`${kind} Otter`])
    expect(await namesFound('otter', '&kind=payment_method')).toEqual([])
  })

  test('a fragment finds at most ten subjects, and reports whether there are more', async () => {
    await empty()
    const names = Array.from({ length: 11 }, (_, index) => `Otter ${String(index).padStart(2, '0')}`)
    await feed.load(names.slice(0, 10).map(name => game(name)))
    const ten = (await search('otter')).body.data
    expect([ten.results.length, ten.found, ten.found_capped]).toEqual([10, 10, false])
    await feed.load(names.map(name => game(name)))
    const eleven = (await search('otter')).body.data
    expect([eleven.results.length, eleven.found, eleven.found_capped]).toEqual([10, 10, true])
    expect(eleven.results.map((row: { name: string }) => row.name)).toEqual(names.slice(0, 10))
  })

  test('a fragment finds the same first ten names, whether few or many names match', async () => {
    await empty()
    const names = Array.from({ length: 2_100 }, (_, index) => `A ${(index * 7_919) % 10_007} otter`)
    await feed.load(names.map((name, index) => logoLine('game', `g-${index}`, name)))
    const sorted = names.map(name => name.toLowerCase()).sort()
    const many = (await search('otter')).body.data.results
    expect(many.map((row: { name: string }) => row.name.toLowerCase())).toEqual(sorted.slice(0, 10))
    const few = (await search('7 otter')).body.data.results
    expect(few.map((row: { name: string }) => row.name.toLowerCase())).toEqual(
      sorted.filter(name => name.includes('7 otter')).slice(0, 10),
    )
  })
})

describe('requests of logo search', () => {
  const invalid = [
    ['', 'missing_parameter', 'q'],
    ['?q=', 'invalid_parameter', 'q'],
    ['?q=ab', 'invalid_parameter', 'q'],
    ['?q=%20%20ab%20%20', 'invalid_parameter', 'q'],
    ['?q=a--', 'invalid_parameter', 'q'],
    ['?q=a%25_', 'invalid_parameter', 'q'],
    ['?q=%28a%20b%29', 'invalid_parameter', 'q'],
    [`?q=${'a'.repeat(101)}`, 'invalid_parameter', 'q'],
    ['?q=abc&q=def', 'invalid_parameter', 'q'],
    ['?q=abc&kind=brand', 'invalid_parameter', 'kind'],
    ['?q=abc&kind=', 'invalid_parameter', 'kind'],
    ['?q=abc&page=2', 'unknown_parameter', 'page'],
    ['?q=abc&max_credits=1', 'unknown_parameter', 'max_credits'],
  ] as const

  test('an invalid parameter of logo search is a 400 that names the parameter', async () => {
    const results = await Promise.all(
      invalid.map(async ([query]) => {
        const { status, body } = await customer.ask(`${path}${query}`)
        return [query, status, body.errors.code, body.errors.details.parameter]
      }),
    )
    expect(results).toEqual(invalid.map(([query, code, parameter]) => [query, 400, code, parameter]))
  })

  test('logo search answers 401 without a key, and 405 for another method', async () => {
    expect((await service.ask(`${path}?q=otter`)).status).toBe(401)
    const { status, headers } = await customer.ask(`${path}?q=otter`, { method: 'POST' })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test.each([3, 100])(
    'logo search accepts a text of %i characters, without surrounding blanks',
    async length => {
      expect((await search(` ${'é'.repeat(length)} `)).status).toBe(200)
    },
  )
})

test('logo search is free, and its response has no charge', async () => {
  const { status, headers, body } = await search('otter')
  expect([status, headers.get('x-credits-charged'), body.data.credits_charged]).toEqual([
    200,
    null,
    undefined,
  ])
})

test('search_unavailable: a logo search that takes too long is a 503 with Retry-After', async () => {
  const { status, body, headers } = await withClient(service.database.connection, async client => {
    await client.query('begin; lock table logo_subjects in access exclusive mode')
    const answer = search('otter')
    await eventually('a waiting statement is cancelled', async () => {
      await client.query('select pg_stat_clear_snapshot()')
      const { rowCount } = await client.query(
        `select pg_cancel_backend(pid) from pg_stat_activity
          where datname = current_database()
            and wait_event_type = 'Lock'
            and application_name like 'baize public%'`,
      )
      return rowCount
    })
    await client.query('rollback')
    return answer
  })
  expect([status, body.errors.code, headers.get('retry-after')]).toEqual([503, 'search_unavailable', '2'])
})

describe('logo search with the demo key', () => {
  const ask = (query: string) => service.ask(`${path}?${query}`, { key: demoKey })

  test('the demo key finds logos of the demo world, whose image URLs are separate', async () => {
    const { status, body } = await ask('q=lucky+otter')
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ demo: true, found: 1 })
    expect(body.data.results[0]).toMatchObject({
      slug: 'lucky-otter',
      logo_url: 'http://baize.test/images/demo/operator_brand/lucky-otter',
    })
    expect(await namesFound('lucky otter')).toEqual([])
  })

  test('the demo key searches logos by its templates only', async () => {
    expect((await ask('q=LUCKY+OTTER')).status).toBe(403)
    expect((await ask('q=nobody')).body.errors.code).toBe('demo_key_restricted')
  })
})
