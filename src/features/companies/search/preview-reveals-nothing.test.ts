import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DemoRecord, readDemoRecords } from '../../../../test/harness/demo-world.ts'
import { type Customer, startService, type TestService } from '../../../../test/harness/service.ts'
import { companyRoles, paymentCategories } from '../../value-sets.ts'

// These tests check that a free preview never contains paid facts (§4.4).

const path = '/v1/companies/search/preview'

let service: TestService
let customer: Customer
let sold: Sold
beforeAll(async () => {
  service = await startService({ world: 'demo' })
  customer = await service.customer({ credits: 0 })
  sold = soldIn(await readDemoRecords())
})
afterAll(() => service.close())

type Sold = {
  names: string[]
  domains: string[]
  observed: string[]
  platforms: string[]
  licenses: string[]
}

function soldIn(records: DemoRecord[]): Sold {
  const each = (kind: string, ...fields: string[]) =>
    records
      .filter(record => record.kind === kind)
      .flatMap(record => fields.flatMap(field => (record[field] ?? []) as string | string[]))
  const distinct = (values: string[]) => [...new Set(values)]
  return {
    names: distinct(each('company', 'company_name', 'legal_entity', 'brands', 'aliases')),
    domains: distinct(each('domain', 'domain')),
    observed: distinct(each('observation', 'normalized_name', 'normalized_provider_name')),
    platforms: distinct(each('platform', 'key', 'name', 'aliases')),
    licenses: distinct(each('license', 'license_number')),
  }
}

const requestsAtOnce = 8

async function someAtOnce(values: readonly string[], ask: (value: string) => Promise<void>): Promise<void> {
  for (let start = 0; start < values.length; start += requestsAtOnce)
    await Promise.all(values.slice(start, start + requestsAtOnce).map(ask))
}

const everythingSold = () => Object.values(sold).flat()

async function previewText(parameters: Record<string, string>): Promise<string> {
  const { status, body } = await customer.ask(`${path}?${new URLSearchParams(parameters)}`)
  if (status === 400) {
    expect(['platform_brand_in_query', 'invalid_parameter']).toContain(body.errors.code)
    return JSON.stringify(body.errors)
  }
  expect(status, JSON.stringify(body)).toBe(200)
  const { query, identity_match: identity, next_action: next, ...rest } = body.data
  const typed = (value: string) => (value === 'true' || value === 'false' ? value === 'true' : value.trim())
  expect(query).toEqual(
    Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, typed(value)])),
  )
  for (const { company_name: name } of rest.sample) expect(name).toMatch(/^.{1,2}\*\*\*$/u)
  if (identity !== null) expect(identity.name).toBe(parameters.q?.trim() ?? parameters.domain)
  if (next !== null) {
    const { searchParams } = new URL(next.href, service.url)
    const credits = String(next.estimated_credits)
    const expected = { ...query, page_size: credits, max_credits: credits }
    expect(Object.fromEntries(searchParams)).toEqual(
      Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, String(value)])),
    )
  }
  return JSON.stringify({
    ...rest,
    next_action: { ...next, href: null },
    identity_match: { ...identity, name: null },
  })
}

function expectNothingSold(text: string, sent: unknown): void {
  expect(text, JSON.stringify(sent)).not.toMatch(/\b(co|dom|lic)_[0-9a-zA-Z]{4,}/)
  const lowered = text.toLowerCase()
  const found = everythingSold().filter(value => lowered.includes(value.toLowerCase()))
  expect(found, JSON.stringify(sent)).toEqual([])
}

describe('paid values in a preview', () => {
  test('a preview reveals nothing paid for a text that is a paid value', async () => {
    await someAtOnce(everythingSold(), async q => expectNothingSold(await previewText({ q }), q))
  })

  test('a preview reveals nothing paid for any domain', async () => {
    await someAtOnce(sold.domains, async domain => expectNothingSold(await previewText({ domain }), domain))
  })

  test('a preview reveals nothing paid for any piece of a paid value, with any filter', async () => {
    const piece = fc
      .record({
        of: fc.nat(),
        start: fc.double({ min: 0, max: 1, noNaN: true }),
        length: fc.integer({ min: 1, max: 30 }),
        swap: fc.option(fc.nat()),
      })
      .map(({ of, start, length, swap }) => {
        const all = everythingSold()
        const whole = all[of % all.length] as string
        const text = whole.slice(Math.floor(start * whole.length * 0.8)).slice(0, length)
        if (swap === null || text.length < 3) return text
        const at = swap % (text.length - 1)
        return `${text.slice(0, at)}${text[at + 1]}${text[at]}${text.slice(at + 2)}`
      })
    const q = fc
      .tuple(
        fc.array(piece, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(' ', '', '-', ' | ', ':* & ', '%', '<em>'),
      )
      .map(([pieces, between]) => pieces.join(between).slice(0, 200))
      .filter(text => text.trim().length >= 2)
    const queries = fc.record(
      {
        q,
        role: fc.constantFrom(...companyRoles),
        payment_category: fc.constantFrom(...paymentCategories),
        has_platform: fc.constantFrom('true', 'false'),
      },
      { requiredKeys: ['q'] },
    )
    await fc.assert(
      fc.asyncProperty(queries, async parameters => {
        expectNothingSold(await previewText(parameters), parameters)
      }),
      { numRuns: 200 },
    )
  })
})
