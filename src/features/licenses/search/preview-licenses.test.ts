import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaredData } from '../../../../test/harness/declared-schema.ts'
import { type DemoRecord, readDemoRecords } from '../../../../test/harness/demo-world.ts'
import type { Customer } from '../../../../test/harness/service.ts'
import { demoKey } from '../../../core/api-key.ts'
import { creditsUsed, type LicenseService, startLicenseService } from '../fixture.ts'

const path = '/v1/licenses/search/preview'
const misfits = declaredData('preview_licenses')

let service: LicenseService
let customer: Customer
let records: DemoRecord[]
beforeAll(async () => {
  service = await startLicenseService({ world: 'demo' })
  customer = await service.customer({ credits: 10_000_000 })
  records = await readDemoRecords()
})
afterAll(() => service.close())

type Parameters = Record<string, string | number>
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts.
type Data = any

const pathOf = (parameters: Parameters, of = path) =>
  `${of}?${new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))}`

async function preview(parameters: Parameters): Promise<Data> {
  const { status, body } = await customer.ask(pathOf(parameters))
  expect(status, JSON.stringify(body)).toBe(200)
  expect(misfits(body.data)).toBeNull()
  return body.data
}

const questions: Parameters[] = [
  {},
  { q: 'ottermoor' },
  { q: 'gaming' },
  { q: '099101-R-339101' },
  { q: 'otermoor' },
  { q: 'https://www.pikebet.example/' },
  { domain: 'luckyotter.example' },
  { jurisdiction: 'ukgc', license_status: 'active' },
  { license_type: 'Gaming Service - B2C' },
  { q: 'Væddemål & more' },
  { q: 'nobody of that name' },
  { domain: 'neverheard.example' },
]

test.each(questions)('the preview of %j counts the rows of the paid search for free', async question => {
  const curious = await service.customer({ credits: 0 })
  const { status, body, headers } = await curious.ask(pathOf(question))
  expect([status, headers.get('x-credits-charged')]).toEqual([200, null])
  const paid = (await customer.ask(pathOf({ ...question, page_size: 100 }, '/v1/licenses/search'))).body.data
  expect(body.data).toMatchObject({
    query: paid.query,
    total_count: paid.total,
    facet_counts: paid.facet_counts,
    answer_basis: paid.answer_basis,
  })
  expect(body.data.sample).toHaveLength(Math.min(3, paid.total))
  expect(await creditsUsed(curious)).toBe(0)
})

test.each(questions)(
  'the preview of %j estimates the cost of the page that next_action requests',
  async question => {
    const { total_count: total, estimated_costs: costs, next_action: action } = await preview(question)
    expect(costs).toEqual({
      '10': Math.min(10, total),
      '25': Math.min(25, total),
      '50': Math.min(50, total),
      '100': Math.min(100, total),
    })
    if (total === 0) return expect(action).toBeNull()
    expect(action).toMatchObject({ type: 'paid_search', method: 'GET' })
    const buyer = await service.customer({ credits: 10 })
    const { status, body } = await buyer.ask(action.href)
    expect([status, body.data.credits_charged]).toEqual([200, action.estimated_credits])
    expect(body.data.billing.max_credits).toBe(action.estimated_credits)
    expect(body.data.hits).toHaveLength(Math.min(10, total))
    expect(body.data.total).toBe(total)
  },
)

describe('a sample row of the license preview', () => {
  test('a sample row is a redacted row of the paid search', async () => {
    for (const question of questions) {
      const { sample } = await preview(question)
      const { hits } = (await customer.ask(pathOf(question, '/v1/licenses/search'))).body.data
      sample.forEach((row: Data, index: number) => {
        const { company_name: masked, ...shown } = row
        expect(hits[index]).toMatchObject(shown)
        expect(masked).toBe(`${hits[index].company_name.slice(0, 2)}***`)
      })
    }
  })

  test('a sample row of a license preview shows its basis only for an exact domain query', async () => {
    const basesOf = ({ sample }: Data) => sample.map((row: Data) => row.domain_match_basis ?? 'none')
    expect(basesOf(await preview({ domain: 'luckyotter.example' }))).toEqual(['both', 'both'])
    expect(basesOf(await preview({ q: 'pikebet.example' })).sort()).toEqual([
      'both',
      'both',
      'site_corroborated',
    ])
    expect(basesOf(await preview({ q: 'ottermoor' }))).toEqual(['none', 'none', 'none'])
  })
})

test('no license preview reveals a ref, number, date, domain or name', async () => {
  const secrets = new Set(
    records.flatMap(record => {
      if (record.kind === 'license') return [record.license_number, ...(record.authorized_domains ?? [])]
      if (record.kind === 'company') return [String(record.company_name), String(record.legal_entity)]
      return []
    }),
  )
  const queries = fc.oneof(
    fc.constantFrom(...questions),
    fc
      .constantFrom(...secrets)
      .chain(secret =>
        fc.tuple(fc.nat(secret.length - 1), fc.nat(secret.length)).map(([a, b]) => secret.slice(a, a + b)),
      )
      .filter(part => part.trim().length > 1)
      .map(q => ({ q })),
  )
  await fc.assert(
    fc.asyncProperty(queries, async question => {
      const { query: _echo, next_action: action, ...others } = await preview(question as Parameters)
      const text = JSON.stringify(others)
      expect(text).not.toMatch(/(lic|co|dom)_\w{20}|\d{4}-\d\d-\d\d/)
      for (const secret of secrets) expect(text, secret).not.toContain(JSON.stringify(secret).slice(1, -1))
      // The link repeats the parameters and adds only `page_size` and `max_credits`.
      if (action !== null) {
        const linked = new URL(action.href, 'http://baize.test').searchParams
        for (const [name, value] of linked)
          if (!['page_size', 'max_credits'].includes(name)) expect(_echo[name]).toBe(value)
      }
    }),
    { numRuns: 150 },
  )
})

describe('inputs of the license preview', () => {
  test.each([
    [{ domain: 'localhost' }, 'invalid_domain', 'domain'],
    [{ jurisdiction: 'atlantis' }, 'invalid_parameter', 'jurisdiction'],
    [{ license_status: 'activ' }, 'invalid_parameter', 'license_status'],
    [{ q: ' ' }, 'invalid_parameter', 'q'],
    [{ page: 2 }, 'unknown_parameter', 'page'],
    [{ max_credits: 2 }, 'unknown_parameter', 'max_credits'],
  ])('the license preview of %j is a 400: %s', async (parameters, code, parameter) => {
    const { status, body } = await customer.ask(pathOf(parameters as unknown as Parameters))
    expect([status, body.errors.code, body.errors.details.parameter]).toEqual([400, code, parameter])
  })

  test('the license preview without a key is a 401', async () => {
    expect((await service.ask(path)).status).toBe(401)
  })
})

test('the demo key previews only its license templates', async () => {
  const { body } = await service.ask(pathOf({ q: 'ottermoor' }), { key: demoKey })
  expect(body.data).toMatchObject({ demo: true, total_count: 4 })
  expect((await service.ask(pathOf({ q: 'something else' }), { key: demoKey })).status).toBe(403)
})
