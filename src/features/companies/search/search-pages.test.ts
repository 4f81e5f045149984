import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withClient } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { type Customer, startService, type TestService } from '../../../../test/harness/service.ts'
import { requireAccount } from '../../account/index.ts'

const path = '/v1/companies/search'

let service: TestService
let customer: Customer
beforeAll(async () => {
  service = await startService({ world: 'demo' })
  customer = await service.customer({ credits: 100_000_000 })
})
afterAll(() => service.close())

type Parameters = Record<string, string | number | boolean>
const pathOf = (parameters: Parameters) =>
  `${path}?${new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))}`

async function page(parameters: Parameters, caller: Customer = customer) {
  const { status, body } = await caller.ask(pathOf(parameters))
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}

async function rejection(parameters: Parameters): Promise<[number, string, unknown]> {
  const { status, body } = await customer.ask(pathOf(parameters))
  return [status, body.errors?.code, body.errors?.details]
}

async function used(caller: Customer): Promise<number> {
  return (await caller.ask('/v1/account')).body.data.credits_used
}

describe('pages of Company search', () => {
  const searches = fc.record(
    {
      q: fc.constantFrom(
        'media',
        'cloudberry',
        'limited',
        'ltd',
        'platform',
        'casno',
        'otter',
        'and',
        'finch',
        'pi',
      ),
      role: fc.constantFrom('operator', 'game_studio'),
      license_status: fc.constantFrom('active', 'revoked'),
      affiliate_program: fc.boolean(),
    },
    { requiredKeys: [] },
  )

  test('pages of any size, by number or cursor, have the same rows in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(
        searches,
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        async (search, parts, uneven) => {
          const parameters = search as Parameters
          const whole = await page({ ...parameters, page_size: 100 })
          expect(whole.next_cursor).toBeNull()
          expect(whole.hits.map((hit: { rank: number }) => hit.rank)).toEqual(
            Array.from({ length: whole.total }, (_, index) => index + 1),
          )
          const size = Math.max(1, Math.ceil(whole.total / parts))
          const membersOf = ({
            total,
            facet_counts,
            identity_match,
            answered,
            answer_basis,
          }: typeof whole) => ({
            total,
            facet_counts,
            identity_match: identity_match === null ? null : identity_match.type,
            answered,
            answer_basis,
          })

          const byPage: unknown[] = []
          for (let number = 1; number <= Math.ceil(whole.total / size); number++) {
            const found = await page({ ...parameters, page_size: size, page: number })
            expect(membersOf(found)).toEqual(membersOf(whole))
            byPage.push(...found.hits)
          }
          expect(byPage).toEqual(whole.hits)

          const byCursor: unknown[] = []
          let after: string | null = null
          do {
            const pageSize: number = uneven ? size + (byCursor.length % 3) : size
            const found = await page({
              ...parameters,
              page_size: pageSize,
              ...(after === null ? {} : { after }),
            })
            expect([membersOf(found), found.page]).toEqual([membersOf(whole), 1])
            byCursor.push(...found.hits)
            after = found.next_cursor
          } while (after !== null)
          expect(byCursor).toEqual(whole.hits)
        },
      ),
      { numRuns: 30 },
    )
  })

  test('a page after the last one is empty and free, and has the same total', async () => {
    const { total } = await page({ role: 'operator', page_size: 100 })
    expect(await page({ role: 'operator', page_size: 50, page: 200 })).toMatchObject({
      hits: [],
      total,
      page: 200,
      next_cursor: null,
      credits_charged: 0,
      billing: { billing_reason: 'no_results' },
    })
  })

  test('pages report their number and size, 20 rows by default', async () => {
    const first = await page({ role: 'operator' })
    expect(first).toMatchObject({ page: 1, page_size: 20, billing: { page_size: 20 } })
    expect(first.hits).toHaveLength(20)
    expect(await page({ role: 'operator', page: 2, page_size: 7 })).toMatchObject({ page: 2, page_size: 7 })
  })

  test('page_out_of_range: a page beyond row 10,000 is refused, and the message names `after`', async () => {
    for (const [number, size] of [
      [101, 100],
      [10_000, 2],
      [10_001, 1],
      [999_999_999, 1],
    ] as const) {
      const { status, body } = await customer.ask(pathOf({ page: number, page_size: size }))
      expect([status, body.errors]).toEqual([
        400,
        { code: 'page_out_of_range', details: { page: number, page_size: size, rows_max: 10_000 } },
      ])
      expect(body.message).toContain('after')
    }
    await page({ page: 100, page_size: 100 })
  })
})

describe('a cursor of Company search', () => {
  const cursorOf = async (search: Parameters): Promise<string> => {
    const { next_cursor: cursor } = await page({ ...search, page_size: 1 })
    if (cursor === null) throw new Error('demo/ has more than one row of it')
    return cursor
  }

  test('invalid_cursor: an altered cursor, or one of another list or service, is refused', async () => {
    const search = { q: 'otter' }
    const cursor = await cursorOf({ role: 'operator' })
    const domains = (await customer.ask('/v1/domains/search?verdict=blocklisted&per_page=1')).body.data
    const foreign = ['x', '.', 'com1_', 'com1_.', 'com1_W10.AAAAAAAAAAAAAAAA', domains.next_cursor]
    for (const after of [...foreign, `${cursor}A`, cursor.slice(1), cursor.slice(0, -1)])
      expect(await rejection({ ...search, after }), after).toEqual([
        400,
        'invalid_cursor',
        { parameter: 'after' },
      ])
  })

  test.each<[string, Parameters]>([
    ['another text', { q: 'gaming' }],
    ['no text', {}],
    ['a filter more', { q: 'media', role: 'operator' }],
  ])('cursor_filter_mismatch: a cursor is refused with %s', async (_, search) => {
    const after = await cursorOf({ q: 'media' })
    expect(await rejection({ ...search, after })).toEqual([
      400,
      'cursor_filter_mismatch',
      { parameter: 'after' },
    ])
  })

  test('a cursor of another list and an altered cursor have different error messages', async () => {
    const { next_cursor: after } = (await customer.ask('/v1/domains/search?verdict=blocklisted&per_page=1'))
      .body.data
    const messageOf = async (cursor: string) =>
      (await customer.ask(`/v1/companies/search?role=operator&after=${cursor}`)).body.message
    expect(await messageOf(after)).toContain('belongs to another list')
    expect(await messageOf(`${after}A`)).toContain('altered')
  })

  test('a cursor works with another page size and max_credits, and only with page 1', async () => {
    const after = await cursorOf({ q: 'media', max_credits: 5 })
    await page({ q: ' media ', after, page_size: 3, page: 1, max_credits: 999 })
    expect(await rejection({ q: 'media', after, page: 2 })).toMatchObject([
      400,
      'invalid_parameter',
      { parameter: 'page' },
    ])
  })
})

describe('the bill of Company search', () => {
  test('a search costs 1 credit a row, in data, billing, headers and ledger', async () => {
    const buyer = await service.customer({ credits: 50 })
    const { body, headers } = await buyer.ask(pathOf({ role: 'operator', page_size: 7, max_credits: 7 }))
    expect(body.data.hits).toHaveLength(7)
    expect(body.data.credits_charged).toBe(7)
    expect(body.data.billing).toEqual({
      returned_count: 7,
      credits_per_result: 1,
      credits_charged: 7,
      billing_reason: 'search_results_delivered',
      max_credits: 7,
      page_size: 7,
    })
    expect([headers.get('x-credits-charged'), headers.get('x-credits-remaining')]).toEqual(['7', '43'])
    const { id } = await requireAccount(service.service.live, buyer.accountRef)
    const lines = await service.service.live.database
      .selectFrom('ledger_entries')
      .select(['price_key', 'units', 'credits'])
      .where('account_id', '=', id)
      .where('kind', '=', 'charge')
      .execute()
    expect(lines).toEqual([{ price_key: 'company.search_row', units: 7, credits: 7 }])
  })

  test('an empty page costs 0, even without credits', async () => {
    const buyer = await service.customer({ credits: 0 })
    expect(await page({ q: 'nobody of that name', max_credits: 0 }, buyer)).toMatchObject({
      hits: [],
      total: 0,
      credits_charged: 0,
      billing: { returned_count: 0, credits_charged: 0, billing_reason: 'no_results', max_credits: 0 },
    })
  })

  test('quota_exceeded: a page above the balance is neither delivered nor charged', async () => {
    const buyer = await service.customer({ credits: 6 })
    const { status, body, headers } = await buyer.ask(pathOf({ role: 'operator', page_size: 7 }))
    expect([status, body.errors]).toEqual([
      429,
      { code: 'quota_exceeded', details: { granted: 6, used: 0, reserved: 0, required: 7 } },
    ])
    expect(body).not.toHaveProperty('data')
    expect(headers.get('x-should-retry')).toBe('false')
    expect(await used(buyer)).toBe(0)
    expect((await page({ role: 'operator', page_size: 6 }, buyer)).credits_charged).toBe(6)
  })

  test('max_credits_exceeded: the quote is the number of rows on the page, not its page size', async () => {
    const search = { role: 'game_studio', page_size: 100 }
    const { total } = await page(search)
    expect(await rejection({ ...search, max_credits: total - 1 })).toEqual([
      402,
      'max_credits_exceeded',
      { quoted_credits: total, max_credits: total - 1 },
    ])
    await page({ ...search, max_credits: total })
  })

  test('a search retried with its idempotency key is charged once, and another search is a 409', async () => {
    const buyer = await service.customer({ credits: 10 })
    const keyed = { headers: { 'idempotency-key': 'one-page' } }
    const first = await buyer.ask(pathOf({ domain: 'luckyotter.example', page_size: 3 }), keyed)
    const again = pathOf({ page_size: 3, domain: 'https://www.LuckyOtter.example/' })
    const second = await buyer.ask(again, keyed)
    expect([second.text, second.headers.get('idempotency-replayed')]).toEqual([first.text, 'true'])
    const other = await buyer.ask(pathOf({ domain: 'luckyotter.example', page_size: 4 }), keyed)
    expect([other.status, other.body.errors.code]).toEqual([409, 'idempotency_key_reused'])
    expect(await used(buyer)).toBe(1)
  })
})

describe('a rejected search', () => {
  test.each<[string, Parameters, string]>([
    ['a text of one character', { q: 'a' }, 'q'],
    ['a text of one character and blanks', { q: '  a  ' }, 'q'],
    ['a text of blanks', { q: '   ' }, 'q'],
    ['a text of 201 characters', { q: 'ä'.repeat(201) }, 'q'],
    ['an unknown role', { role: 'wizard' }, 'role'],
    ['an unknown payment category', { payment_category: 'cash' }, 'payment_category'],
    ['an unknown jurisdiction', { jurisdiction: 'atlantis' }, 'jurisdiction'],
    ['an unknown status', { license_status: 'activ' }, 'license_status'],
    ['a status of no letters', { license_status: '--' }, 'license_status'],
    ['no boolean', { has_platform: 'yes' }, 'has_platform'],
    ['no boolean either', { affiliate_program: 1 }, 'affiliate_program'],
    ['a place of 65 characters', { geo: 'x'.repeat(65) }, 'geo'],
    ['a supplier of blanks', { supplier_brand: '  ' }, 'supplier_brand'],
    ['page 0', { page: 0 }, 'page'],
    ['page_size 0', { page_size: 0 }, 'page_size'],
    ['page_size 101', { page_size: 101 }, 'page_size'],
    ['a negative ceiling', { max_credits: -1 }, 'max_credits'],
  ])('invalid_parameter: a search refuses %s', async (_, parameters, parameter) => {
    const [status, code, details] = await rejection(parameters)
    expect([status, code, details]).toMatchObject([400, 'invalid_parameter', { parameter }])
    expect((details as { takes: string }).takes).toBeTruthy()
  })

  test('a rejected search names the accepted values', async () => {
    const takes = async (parameters: Parameters) =>
      ((await rejection(parameters))[2] as { takes: string }).takes
    expect(await takes({ role: 'wizard' })).toContain('platform_provider')
    expect(await takes({ jurisdiction: 'atlantis' })).toContain('ukraine')
    expect(await takes({ license_status: 'activ' })).toContain('active')
  })

  test('a rejected search suggests the nearest accepted value of every list', async () => {
    const meant = async (parameters: Parameters) =>
      ((await rejection(parameters))[2] as { did_you_mean: string | null }).did_you_mean
    expect(await meant({ role: 'Operater' })).toBe('operator')
    expect(await meant({ license_status: 'Revokd' })).toBe('revoked')
    expect(await meant({ license_status: 'wizardry' })).toBeNull()
  })

  test('a search accepts the longest and the shortest text, in any script', async () => {
    for (const q of ['ab', '🎰'.repeat(200), ` ${'x'.repeat(200)} `, 'Ω'.repeat(200)]) await page({ q })
  })

  test('no text of a search causes a server error', async () => {
    const unit = fc.oneof(
      fc.constantFrom(
        "'",
        '"',
        '\\',
        ':*',
        '|',
        '&',
        '!',
        '(',
        '%',
        '_',
        '\0',
        '\u200b',
        '<',
        '$1',
        '--',
        '.',
      ),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
    )
    const text = fc.array(unit, { minLength: 1, maxLength: 60 }).map(parts => parts.join(''))
    await fc.assert(
      fc.asyncProperty(text, async q => {
        const characters = [...q.trim()].length
        const { status } = await customer.ask(pathOf({ q }))
        expect(status).toBe(characters >= 2 && characters <= 200 ? 200 : 400)
      }),
      { numRuns: 150 },
    )
  })

  test.each(['10.0.0.1', 'localhost', 'co.uk', 'not a domain'])('%s is an invalid_domain', async domain => {
    expect((await rejection({ domain })).slice(0, 2)).toEqual([400, 'invalid_domain'])
  })

  test('unknown_parameter: a search refuses unknown filters, and suggests a similar parameter', async () => {
    expect(await rejection({ subject_kind: 'domain' })).toMatchObject([400, 'unknown_parameter', {}])
    expect(await rejection({ max_credit: 1 })).toMatchObject([
      400,
      'unknown_parameter',
      { did_you_mean: 'max_credits' },
    ])
  })

  test('a search without a key answers 401', async () => {
    expect((await service.ask(path)).status).toBe(401)
    const careful = await service.customer()
    for (const parameters of [{ q: 'a' }, { domain: 'localhost' }, { page: 101, page_size: 100 }])
      expect((await careful.ask(pathOf(parameters as Parameters))).status).toBe(400)
    expect(await used(careful)).toBe(0)
  })

  test('search_unavailable: a search over its time limit is a free 503 with Retry-After', async () => {
    const patient = await service.customer()
    const response = await withClient(service.database.connection, async client => {
      await client.query('begin; lock table company_search in access exclusive mode')
      const answer = patient.ask(pathOf({ q: 'otter', role: 'operator' }))
      await eventually('a statement waits, and is cancelled', async () => {
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
    expect([response.status, response.body.errors.code]).toEqual([503, 'search_unavailable'])
    expect(response.headers.get('retry-after')).toBe('2')
    expect(await used(patient)).toBe(0)
    expect((await patient.ask(pathOf({ q: 'otter', role: 'operator' }))).status).toBe(200)
  })
})
