import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../../test/harness/service.ts'

// What a site takes and runs on is sold: who does not pay for a row learns nothing of it
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

async function answer(parameters: Parameters, who: Customer = rich) {
  const { status, headers, body } = await who.ask(pathOf(parameters))
  const { timestamp: _, ...told } = body
  return { status, told, charged: headers.get('x-credits-charged') }
}

const used = async (who: Customer) => (await who.ask('/v1/account')).body.data.credits_used

/** Searches of which the first matches and the second does not, and which are nowhere else unlike. */
const pairs: [what: string, matches: Parameters, nobody: Parameters][] = [
  ['payment_method', { payment_method: 'visa' }, { payment_method: 'vosa' }],
  ['supplier_brand', { supplier_brand: 'Brass Turnip' }, { supplier_brand: 'Brass Parsnip' }],
  ['platform', { platform: 'Copperbeam' }, { platform: 'Backroom' }],
  [
    'payment_method of one site',
    { domain: 'luckyotter.example', payment_method: 'visa' },
    { domain: 'luckyotter.example', payment_method: 'vosa' },
  ],
]

describe.each(pairs)('by %s', (_, matches, nobody) => {
  test('the two searches differ, to who pays', async () => {
    const { told } = await answer({ ...matches, page_size: 1 })
    expect(told.data).toMatchObject({ credits_charged: 1, billing: { returned_count: 1 } })
    expect(await answer({ ...nobody, page_size: 1 })).toMatchObject({
      status: 200,
      charged: '0',
      told: { data: { total: 0, hits: [], billing: { billing_reason: 'no_results' } } },
    })
  })

  test.each([0, 1, 19])('max_credits_exceeded: a whole page is quoted, whatever is found: %i', async max => {
    const refused = await answer({ ...matches, max_credits: max })
    expect(refused).toMatchObject({
      status: 402,
      charged: '0',
      told: { errors: { code: 'max_credits_exceeded', details: { quoted_credits: 20, max_credits: max } } },
    })
    expect(await answer({ ...nobody, max_credits: max })).toEqual(refused)
  })

  test.each([{}, { page: 2, page_size: 1 }, { page: 50, page_size: 1 }, { page: 1, page_size: 100 }])(
    'quota_exceeded: without credits nothing is told, whatever is found: %j',
    async paging => {
      const refused = await answer({ ...matches, ...paging }, poor)
      expect(refused).toMatchObject({
        status: 429,
        charged: '0',
        told: { errors: { code: 'quota_exceeded', details: { granted: 0, used: 0, reserved: 0 } } },
      })
      expect(await answer({ ...nobody, ...paging }, poor)).toEqual(refused)
    },
  )

  test('page_out_of_range: behind the first a page without rows is the same whether few match or none', async () => {
    const before = await used(rich)
    const refused = await answer({ ...matches, page: 100, page_size: 100 })
    expect(refused).toMatchObject({
      status: 400,
      charged: '0',
      told: { errors: { code: 'page_out_of_range', details: { page: 100, page_size: 100 } } },
    })
    expect(await answer({ ...nobody, page: 100, page_size: 100 })).toEqual(refused)
    expect(await used(rich)).toBe(before)
  })
})

describe('what is charged', () => {
  const search = { payment_method: 'visa' }

  test('is the rows delivered, within the quote', async () => {
    const buyer = await service.customer({ credits: 100 })
    const { told } = await answer({ ...search, page_size: 100, max_credits: 100 }, buyer)
    expect(told.data.total).toBeLessThan(100)
    expect(told.data.credits_charged).toBe(told.data.total)
    expect(await used(buyer)).toBe(told.data.total)
  })

  test('is nothing where the balance does not cover a whole page, also if it covered the rows', async () => {
    const buyer = await service.customer({ credits: 3 })
    const one = { domain: 'luckyotter.example', ...search }
    const { status, told } = await answer({ ...one, page_size: 4 }, buyer)
    expect([status, told.errors.code]).toEqual([429, 'quota_exceeded'])
    expect(told.message).toContain('4 credits')
    expect(await used(buyer)).toBe(0)
    expect((await answer({ ...one, page_size: 3 }, buyer)).told.data.credits_charged).toBe(1)
  })

  test('pages by number and by cursor reach all rows', async () => {
    const { told } = await answer({ ...search, page_size: 100 })
    const { total, hits } = told.data
    const half = Math.ceil(total / 2)
    const first = (await answer({ ...search, page_size: half })).told.data
    const second = (await answer({ ...search, page_size: half, page: 2 })).told.data
    const behind = (await answer({ ...search, page_size: half, after: first.next_cursor })).told.data
    expect([...first.hits, ...second.hits]).toEqual(hits)
    expect(behind.hits).toEqual(second.hits)
  })
})

test('one credit buys one answer, however many questions are asked at once', async () => {
  const prober = await service.customer({ credits: 1 })
  const questions = ['visa', 'mastercard', 'vosa'].flatMap(method =>
    [1, 2].flatMap(page => Array.from({ length: 8 }, () => ({ payment_method: method, page, page_size: 1 }))),
  )
  const answers = await Promise.all(
    questions.map(async asked => ({ asked, ...(await answer(asked, prober)) })),
  )
  const bought = answers.filter(({ charged }) => charged === '1')
  expect(bought).toHaveLength(1)
  // The others say that there is nothing, which is free, or nothing at all.
  for (const { asked, status, charged } of answers.filter(each => !bought.includes(each))) {
    expect(charged).toBe('0')
    expect(asked.payment_method === 'vosa' ? [200, 400, 429] : [429]).toContain(status)
  }
  expect(await used(prober)).toBe(1)
})

test('an account without a quota is asked for no balance', async () => {
  const staff = await service.customer({ plan: 'internal' })
  expect((await answer({ payment_method: 'vosa' }, staff)).status).toBe(200)
  expect((await answer({ payment_method: 'visa', page_size: 1 }, staff)).charged).toBe('1')
})

test('a search without such filters is quoted at the rows that are there, and its empty pages are free', async () => {
  const asked = { domain: 'luckyotter.example' }
  expect((await answer({ ...asked, max_credits: 1 })).status).toBe(200)
  expect(await answer({ ...asked, page: 2, max_credits: 0 }, poor)).toMatchObject({
    status: 200,
    charged: '0',
    told: { data: { hits: [], billing: { billing_reason: 'no_results' } } },
  })
})
