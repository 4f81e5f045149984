import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../../test/harness/service.ts'

// Payment methods, suppliers and platforms are sold, so no free answer may reveal them
// (docs/decisions/0010).

const path = '/v1/companies/search'

let service: TestService
let rich: Customer
let poor: Customer
beforeAll(async () => {
  service = await startService({ world: 'demo' })
  rich = await service.customer({ credits: 100_000 })
  poor = await service.customer({ credits: 0 })
})
afterAll(() => service.close())

type Parameters = Record<string, string | number>
const pathOf = (parameters: Parameters) =>
  `${path}?${new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))}`

async function answer(parameters: Parameters, caller: Customer = rich) {
  const { status, headers, body } = await caller.ask(pathOf(parameters))
  const { timestamp: _, ...answered } = body
  return { status, body: answered, charged: headers.get('x-credits-charged') }
}

const used = async (caller: Customer) => (await caller.ask('/v1/account')).body.data.credits_used

/** Lists pairs of searches: the first matches Companies, the second is alike and matches none. */
const pairs: [what: string, matches: Parameters, noMatch: Parameters][] = [
  ['payment_method', { payment_method: 'visa' }, { payment_method: 'vosa' }],
  ['supplier_brand', { supplier_brand: 'Brass Turnip' }, { supplier_brand: 'Brass Parsnip' }],
  ['platform', { platform: 'Copperbeam' }, { platform: 'Backroom' }],
  [
    'payment_method of one site',
    { domain: 'luckyotter.example', payment_method: 'visa' },
    { domain: 'luckyotter.example', payment_method: 'vosa' },
  ],
]

describe.each(pairs)('a paid filter by %s', (_, matches, noMatch) => {
  test('a caller who pays sees whether a paid filter matches', async () => {
    const { body } = await answer({ ...matches, page_size: 1 })
    expect(body.data).toMatchObject({ credits_charged: 1, billing: { returned_count: 1 } })
    expect(await answer({ ...noMatch, page_size: 1 })).toMatchObject({
      status: 200,
      charged: '0',
      body: { data: { total: 0, hits: [], billing: { billing_reason: 'no_results' } } },
    })
  })

  test.each([0, 1, 19])(
    'max_credits_exceeded: a paid filter quotes a whole page, with or without matches: %i',
    async max => {
      const rejected = await answer({ ...matches, max_credits: max })
      expect(rejected).toMatchObject({
        status: 402,
        charged: '0',
        body: { errors: { code: 'max_credits_exceeded', details: { quoted_credits: 20, max_credits: max } } },
      })
      expect(await answer({ ...noMatch, max_credits: max })).toEqual(rejected)
    },
  )

  test.each([{}, { page: 2, page_size: 1 }, { page: 50, page_size: 1 }, { page: 1, page_size: 100 }])(
    'quota_exceeded: without credits a paid filter reveals no matches: %j',
    async paging => {
      const rejected = await answer({ ...matches, ...paging }, poor)
      expect(rejected).toMatchObject({
        status: 429,
        charged: '0',
        body: {
          errors: {
            code: 'quota_exceeded',
            details: { granted: 0, used: 0, reserved: 0, required: paging.page_size ?? 20 },
          },
        },
      })
      expect(await answer({ ...noMatch, ...paging }, poor)).toEqual(rejected)
    },
  )

  test.each([{}, { q: 'otter' }, { q: 'lucky otter gaming' }])(
    'a page after the last is empty, free, and reveals no matches of a paid filter: %j',
    async text => {
      const before = await used(rich)
      const paging = { ...text, page: 100, page_size: 100 }
      const withoutEcho = async (parameters: Parameters) => {
        const { status, charged, body } = await answer({ ...parameters, ...paging })
        const { query, ...data } = body.data
        return { status, charged, data, query: { ...query, ...parameters } }
      }
      const beyond = await withoutEcho(matches)
      expect(beyond).toMatchObject({
        status: 200,
        charged: '0',
        data: { hits: [], total: 0, has_more: false, next_cursor: null, credits_charged: 0 },
      })
      expect(beyond.data.facet_counts.flatMap((facet: { values: object[] }) => facet.values)).toEqual([])
      expect({ ...(await withoutEcho(noMatch)), query: beyond.query }).toEqual(beyond)
      expect(await used(rich)).toBe(before)
    },
  )
})

describe('the charge of a search with a paid filter', () => {
  const search = { payment_method: 'visa' }

  test('a search with a paid filter is charged for the delivered rows, within the quote', async () => {
    const buyer = await service.customer({ credits: 100 })
    const { body } = await answer({ ...search, page_size: 100, max_credits: 100 }, buyer)
    expect(body.data.total).toBeLessThan(100)
    expect(body.data.credits_charged).toBe(body.data.total)
    expect(await used(buyer)).toBe(body.data.total)
  })

  test('a search is not charged if the balance covers the rows but not a whole page', async () => {
    const buyer = await service.customer({ credits: 3 })
    const one = { domain: 'luckyotter.example', ...search }
    const { status, body } = await answer({ ...one, page_size: 4 }, buyer)
    expect([status, body.errors.code]).toEqual([429, 'quota_exceeded'])
    expect(body.message).toContain('4 credits')
    expect(await used(buyer)).toBe(0)
    expect((await answer({ ...one, page_size: 3 }, buyer)).body.data.credits_charged).toBe(1)
  })

  test('pages of a paid filter reach all rows, by number and by cursor', async () => {
    const { body } = await answer({ ...search, page_size: 100 })
    const { total, hits } = body.data
    const half = Math.ceil(total / 2)
    const first = (await answer({ ...search, page_size: half })).body.data
    const second = (await answer({ ...search, page_size: half, page: 2 })).body.data
    const behind = (await answer({ ...search, page_size: half, after: first.next_cursor })).body.data
    expect([...first.hits, ...second.hits]).toEqual(hits)
    expect(behind.hits).toEqual(second.hits)
  })
})

test('concurrent requests with one credit are answered once', async () => {
  const prober = await service.customer({ credits: 1 })
  const questions = ['visa', 'mastercard', 'vosa'].flatMap(method =>
    [1, 2].flatMap(page => Array.from({ length: 8 }, () => ({ payment_method: method, page, page_size: 1 }))),
  )
  const answers = await Promise.all(
    questions.map(async parameters => ({ parameters, ...(await answer(parameters, prober)) })),
  )
  const bought = answers.filter(({ charged }) => charged === '1')
  expect(bought).toHaveLength(1)
  // All other answers are free empty pages, or rejections.
  for (const { parameters, status, charged } of answers.filter(each => !bought.includes(each))) {
    expect(charged).toBe('0')
    expect(parameters.payment_method === 'vosa' ? [200, 429] : [429]).toContain(status)
  }
  expect(await used(prober)).toBe(1)
})

test('an account without a quota searches with paid filters without a balance', async () => {
  const staff = await service.customer({ plan: 'internal' })
  expect((await answer({ payment_method: 'vosa' }, staff)).status).toBe(200)
  expect((await answer({ payment_method: 'visa', page_size: 1 }, staff)).charged).toBe('1')
})

test('a search without paid filters is quoted at its rows, and an empty page is free', async () => {
  const parameters = { domain: 'luckyotter.example' }
  expect((await answer({ ...parameters, max_credits: 1 })).status).toBe(200)
  expect(await answer({ ...parameters, page: 2, max_credits: 0 }, poor)).toMatchObject({
    status: 200,
    charged: '0',
    body: { data: { hits: [], billing: { billing_reason: 'no_results' } } },
  })
})
