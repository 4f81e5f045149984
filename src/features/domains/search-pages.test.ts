import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { requireAccount } from '../account/index.ts'
import { openSources } from '../companies/fixture.ts'

const path = '/v1/domains/search'
const listedVerdicts = ['licensed', 'blocklisted', 'mixed'] as const

let service: TestService
let customer: Customer
beforeAll(async () => {
  service = await startService({ world: 'demo' })
  customer = await service.customer({ credits: 100_000_000 })
})
afterAll(() => service.close())

type Parameters = Record<string, string | number>
const textOf = (values: Parameters) =>
  Object.entries(values).map(([name, value]): [string, string] => [name, String(value)])
const pathOf = (parameters: Parameters) => `${path}?${new URLSearchParams(textOf(parameters))}`

async function page(parameters: Parameters, by: Customer = customer) {
  const { status, body } = await by.ask(pathOf(parameters))
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}

async function rejection(parameters: Parameters): Promise<[number, string, unknown]> {
  const { status, body } = await customer.ask(pathOf(parameters))
  return [status, body.errors?.code, body.errors?.details]
}

async function used(by: Customer): Promise<number> {
  return (await by.ask('/v1/account')).body.data.credits_used
}

describe('pages of domain search', () => {
  const filters = fc.record(
    {
      verdict: fc.constantFrom(...listedVerdicts),
      geo: fc.constantFrom('poland', 'ukgc', 'mga', 'italy'),
      since: fc.constantFrom('2020-01-01T00:00:00Z', '2025-06-01T00:00:00Z'),
      dropped_before: fc.constant('2026-06-01T00:00:00Z'),
      payment_category: fc.constantFrom('card', 'crypto'),
    },
    { requiredKeys: ['verdict'] },
  )

  test('pages of any size, by page or by cursor, have the same rows, order and total', async () => {
    await fc.assert(
      fc.asyncProperty(
        filters,
        fc.integer({ min: 2, max: 9 }),
        fc.boolean(),
        async (search, parts, uneven) => {
          const whole = await page({ ...search, per_page: 1_000 })
          expect(whole.next_cursor).toBeNull()
          const size = Math.max(1, Math.ceil(whole.total / parts))

          const byPage: unknown[] = []
          for (let number = 1; number <= Math.ceil(whole.total / size); number++) {
            const { domains, total } = await page({ ...search, per_page: size, page: number })
            expect(total).toBe(whole.total)
            byPage.push(...domains)
          }
          expect(byPage).toEqual(whole.domains)

          const byCursor: unknown[] = []
          let after: string | null = null
          do {
            const perPage: number = uneven ? size + (byCursor.length % 3) : size
            const found = await page({ ...search, per_page: perPage, ...(after === null ? {} : { after }) })
            expect([found.total, found.page]).toEqual([whole.total, 1])
            byCursor.push(...found.domains)
            after = found.next_cursor
          } while (after !== null)
          expect(byCursor).toEqual(whole.domains)
        },
      ),
      { numRuns: 25 },
    )
  })

  test.each([
    { verdict: 'mixed' },
    { verdict: 'blocklisted', geo: 'poland' },
    { verdict: 'blocklisted', dropped_before: '2026-06-01T00:00:00Z' },
  ])('pages with about as many rows as exist have correct rows and cursors: %o', async search => {
    const whole = await page({ ...search, per_page: 1_000 })
    for (const size of [1, whole.total - 1, whole.total, whole.total + 1]) {
      const found = await page({ ...search, per_page: size })
      expect(found.domains, String(size)).toEqual(whole.domains.slice(0, size))
      expect(found.next_cursor === null, String(size)).toBe(size >= whole.total)
    }
  })

  test('pages are cut between rows, whatever characters a license number contains', async () => {
    const parts = ['},\n{', '"},\n{"', '\\n', '\r\n"\\', '\u2028', '},{']
    const sources = openSources(service.service.live)
    await sources.load(
      new Date('2026-01-01T00:00:00Z'),
      ...parts.map((part, index) => ({
        kind: 'license',
        jurisdiction: 'ontario',
        license_number: `7${part}7`,
        authorized_domains: [`cut${index}.example`],
      })),
    )
    const search = { verdict: 'licensed', geo: 'ontario' }
    const whole = await page({ ...search, per_page: 1_000 })
    const cut = whole.domains.filter(({ domain }: { domain: string }) => domain.startsWith('cut'))
    const numbers = cut.map(
      (row: { licensed_by: { license_number: string }[] }) => row.licensed_by[0]?.license_number,
    )
    expect(numbers).toEqual(parts.map(part => `7${part}7`))
    for (let size = 1; size <= whole.total; size++)
      expect((await page({ ...search, per_page: size })).domains).toEqual(whole.domains.slice(0, size))
  })

  test('a page after the last page is empty and free, with the same total', async () => {
    const whole = await page({ verdict: 'licensed', per_page: 1_000 })
    const beyond = await page({ verdict: 'licensed', per_page: 50, page: 200 })
    expect(beyond).toMatchObject({
      domains: [],
      total: whole.total,
      page: 200,
      next_cursor: null,
      credits_charged: 0,
    })
  })

  test('pages report their number and size, 100 rows by default', async () => {
    expect(await page({ verdict: 'mixed' })).toMatchObject({
      page: 1,
      per_page: 100,
      billing: { page_size: 100 },
    })
    expect(await page({ verdict: 'mixed', page: 2, per_page: 7 })).toMatchObject({ page: 2, per_page: 7 })
  })

  test('page_out_of_range: a page beyond row 10,000 is refused, with a way to further rows', async () => {
    for (const [number, size] of [
      [101, 100],
      [11, 1_000],
      [10_000, 2],
    ] as const) {
      const { status, body } = await customer.ask(
        pathOf({ verdict: 'licensed', page: number, per_page: size }),
      )
      expect([status, body.errors]).toEqual([
        400,
        { code: 'page_out_of_range', details: { page: number, per_page: size, rows_max: 10_000 } },
      ])
      expect(body.message).toContain('after')
    }
    await page({ verdict: 'licensed', page: 100, per_page: 100 })
  })
})

describe('a cursor of domain search', () => {
  const cursorOf = async (search: Parameters): Promise<string> => {
    const { next_cursor: cursor } = await page({ ...search, per_page: 1 })
    if (cursor === null) throw new Error('demo/ has more than one row of it')
    return cursor
  }

  test('invalid_cursor: a cursor that was altered or made by another service is refused', async () => {
    const search = { verdict: 'blocklisted' }
    const cursor = await cursorOf(search)
    const altered = Array.from(
      cursor,
      (letter, index) => `${cursor.slice(0, index)}${letter === 'A' ? 'B' : 'A'}${cursor.slice(index + 1)}`,
    )
    const foreign = [
      'x',
      '.',
      'dom1_',
      'dom1_.',
      'dom1_W10.AAAAAAAAAAAAAAAA',
      `${cursor}A`,
      cursor.slice(1),
      cursor.slice(0, -1),
    ]
    for (const after of [...altered, ...foreign]) {
      const [status, code, details] = await rejection({ ...search, after })
      expect([status, code, details], after).toEqual([400, 'invalid_cursor', { parameter: 'after' }])
    }
  })

  test('invalid_cursor: a cursor of the demo is refused on live data', async () => {
    const demo = await service.ask(pathOf({ verdict: 'blocklisted', per_page: 5 }), { key: 'client_demo' })
    const after = demo.body.data.next_cursor
    expect(after).toEqual(expect.any(String))
    expect((await rejection({ verdict: 'blocklisted', after }))[1]).toBe('invalid_cursor')
  })

  test.each<[string, Parameters]>([
    ['another verdict', { verdict: 'licensed' }],
    ['an added geo', { verdict: 'blocklisted', geo: 'poland' }],
    ['an added window', { verdict: 'blocklisted', since: '2020-01-01T00:00:00Z' }],
    ['an added rail', { verdict: 'blocklisted', payment_category: 'card' }],
  ])('cursor_filter_mismatch: a cursor is refused with %s', async (_, search) => {
    const after = await cursorOf({ verdict: 'blocklisted' })
    expect(await rejection({ ...search, after })).toEqual([
      400,
      'cursor_filter_mismatch',
      { parameter: 'after' },
    ])
  })

  test('a cursor works with any page size and max_credits, but only on page 1', async () => {
    const after = await cursorOf({ verdict: 'blocklisted', max_credits: 5 })
    await page({ verdict: 'blocklisted', after, per_page: 3, page: 1, max_credits: 999 })
    const [status, code, details] = await rejection({ verdict: 'blocklisted', after, page: 2 })
    expect([status, code, details]).toMatchObject([400, 'invalid_parameter', { parameter: 'page' }])
  })
})

describe('the bill of domain search', () => {
  test('domain search costs 1 credit a row, in data, billing, headers and ledger', async () => {
    const buyer = await service.customer({ credits: 50 })
    const { body, headers } = await buyer.ask(pathOf({ verdict: 'blocklisted', per_page: 7, max_credits: 7 }))
    expect(body.data.domains).toHaveLength(7)
    expect(body.data.credits_charged).toBe(7)
    expect(body.data.billing).toEqual({
      returned_count: 7,
      credits_per_result: 1,
      credits_charged: 7,
      page_size: 7,
      billing_reason: 'search_results_delivered',
      max_credits: 7,
    })
    expect([headers.get('x-credits-charged'), headers.get('x-credits-remaining')]).toEqual(['7', '43'])
    const { id } = await requireAccount(service.service.live, buyer.accountRef)
    const lines = await service.service.live.database
      .selectFrom('ledger_entries')
      .select(['price_key', 'units', 'credits'])
      .where('account_id', '=', id)
      .where('kind', '=', 'charge')
      .execute()
    expect(lines).toEqual([{ price_key: 'domain.search_row', units: 7, credits: 7 }])
  })

  test('an empty page of domain search costs 0, and leaves no ledger entry', async () => {
    const buyer = await service.customer({ credits: 0 })
    const data = await page({ verdict: 'licensed', geo: 'peru', max_credits: 0 }, buyer)
    expect(data).toMatchObject({ domains: [], total: 0, next_cursor: null, credits_charged: 0 })
    expect(data.billing).toMatchObject({
      returned_count: 0,
      credits_charged: 0,
      billing_reason: 'no_results',
    })
    const { id } = await requireAccount(service.service.live, buyer.accountRef)
    const { database } = service.service.live
    expect(
      await database.selectFrom('ledger_entries').select('kind').where('account_id', '=', id).execute(),
    ).toEqual([])
  })

  test('a page above the balance is rejected without delivery or charge', async () => {
    const buyer = await service.customer({ credits: 6 })
    const { status, body, headers } = await buyer.ask(pathOf({ verdict: 'blocklisted', per_page: 7 }))
    expect([status, body.errors]).toEqual([
      429,
      { code: 'quota_exceeded', details: { granted: 6, used: 0, reserved: 0, required: 7 } },
    ])
    expect(body).not.toHaveProperty('data')
    expect(headers.get('x-should-retry')).toBe('false')
    expect(await used(buyer)).toBe(0)
    expect((await page({ verdict: 'blocklisted', per_page: 6 }, buyer)).credits_charged).toBe(6)
  })

  test('max_credits is compared with the number of rows found, not with the page size', async () => {
    const { total } = await page({ verdict: 'mixed', per_page: 1_000 })
    expect(await rejection({ verdict: 'mixed', per_page: 1_000, max_credits: total - 1 })).toEqual([
      402,
      'max_credits_exceeded',
      { quoted_credits: total, max_credits: total - 1 },
    ])
    await page({ verdict: 'mixed', per_page: 1_000, max_credits: total })
  })

  test('a retried domain search is charged once, and returns the page byte for byte', async () => {
    const buyer = await service.customer({ credits: 10 })
    const keyed = { headers: { 'idempotency-key': 'one-page' } }
    const first = await buyer.ask(pathOf({ verdict: 'blocklisted', per_page: 3 }), keyed)
    const second = await buyer.ask(pathOf({ per_page: 3, verdict: 'blocklisted' }), keyed)
    expect([second.text, second.headers.get('idempotency-replayed')]).toEqual([first.text, 'true'])
    expect(await used(buyer)).toBe(3)
  })
})

describe('domain search by platform, a paid filter', () => {
  const running = { verdict: 'licensed', platform: 'copperbeam' }
  const noMatch = { ...running, since: '2199-01-01T00:00:00Z' }

  async function rejected(parameters: Parameters, by: Customer = customer) {
    const { status, body } = await by.ask(pathOf(parameters))
    return [status, body.errors?.code, body.errors?.details, body.message]
  }

  test('max_credits_exceeded: a filter by platform is quoted as a whole page, with any matches', async () => {
    expect((await page({ ...running, per_page: 1 })).credits_charged).toBe(1)
    expect(await page({ ...noMatch, per_page: 1 })).toMatchObject({ total: 0, credits_charged: 0 })
    const answer = await rejected({ ...running, max_credits: 99 })
    expect(answer.slice(0, 3)).toEqual([
      402,
      'max_credits_exceeded',
      { quoted_credits: 100, max_credits: 99 },
    ])
    expect(await rejected({ ...noMatch, max_credits: 99 })).toEqual(answer)
    await page({ ...running, max_credits: 100 })
  })

  test('quota_exceeded: without credits a filter by platform does not reveal any match', async () => {
    const poor = await service.customer({ credits: 0 })
    for (const number of [1, 2, 9]) {
      const answer = await rejected({ ...running, page: number, per_page: 1 }, poor)
      expect(answer.slice(0, 2)).toEqual([429, 'quota_exceeded'])
      expect(await rejected({ ...noMatch, page: number, per_page: 1 }, poor)).toEqual(answer)
    }
  })

  test('a page after the last one does not reveal whether a filter by platform matches', async () => {
    const beyond = { page: 10, per_page: 1_000 }
    const found = await page({ ...running, ...beyond })
    expect(found).toMatchObject({ domains: [], total: 0, has_more: false, credits_charged: 0 })
    expect(await page({ ...noMatch, ...beyond })).toEqual(found)
  })
})
