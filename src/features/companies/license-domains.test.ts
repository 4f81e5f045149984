import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Customer } from '../../../test/harness/service.ts'
import { type CompanyService, startCompanyService } from './resolve/fixture.ts'

// The authorised domains of a license are domains of its holder, without a "domain" line for each.

let service: CompanyService
let customer: Customer
beforeAll(async () => {
  service = await startCompanyService()
  customer = await service.customer({ credits: 100_000 })
  const now = new Date('2026-01-02T00:00:00Z')
  await service.load(
    now,
    { kind: 'company', key: 'otter', company_name: 'Ottermoor', role: ['operator'] },
    { kind: 'company', key: 'pike', company_name: 'Pike', role: ['operator'] },
    { kind: 'platform', key: 'copperbeam', name: 'Copperbeam', reviewed: true },
    {
      kind: 'license',
      jurisdiction: 'mga',
      license_number: 'MGA/1',
      company: 'otter',
      status: 'Active',
      authorized_domains: ['ottermoor.example', 'second.example'],
    },
    {
      kind: 'license',
      jurisdiction: 'mga',
      license_number: 'MGA/2',
      company: 'pike',
      status: 'Suspended',
      authorized_domains: ['pike.example'],
    },
    {
      kind: 'observation',
      section: 'payment_methods',
      domain: 'second.example',
      normalized_name: 'visa',
      category: 'card',
      last_seen_at: '2026-01-01T00:00:00Z',
    },
    {
      kind: 'platform_reading',
      domain: 'pike.example',
      platform: 'copperbeam',
      seen_at: '2026-01-01T00:00:00Z',
    },
  )
})
afterAll(() => service.close())

async function data(path: string) {
  const { status, body } = await customer.ask(path)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}
const search = (query: string) => data(`/v1/companies/search?${query}`)
const namesOf = (hits: { company_name: string }[]) => hits.map(hit => hit.company_name)

describe.each([
  ['ottermoor.example', 'Ottermoor'],
  ['second.example', 'Ottermoor'],
  ['pike.example', 'Pike'],
])("the license's domain %s", (domain, name) => {
  test('the domain of a license leads Company resolve and search to the license holder', async () => {
    const [company] = (await service.answer({ domain })).companies
    expect(company).toMatchObject({ company_name: name, matched_as: ['licensee'] })
    for (const query of [`domain=${domain}`, `q=${domain}`]) {
      const found = await search(query)
      expect(namesOf(found.hits)).toEqual([name])
      expect(found.identity_match).toMatchObject({ type: 'domain', name: domain, company_name: name })
    }
    expect((await search(`q=${domain}`)).hits[0].matched_fields).toContain('domains')
  })
})

test('a search row includes the domains of licenses and their observations', async () => {
  const { hits } = await search('q=ottermoor')
  expect(hits[0]).toMatchObject({
    domain_count: 2,
    primary_domain: { domain: 'ottermoor.example' },
    payment_method_count: 1,
    payment_categories: ['card'],
  })
  const shown = hits[0].domains_sample.map((each: { domain: string }) => each.domain)
  expect(shown).toEqual(['ottermoor.example', 'second.example'])
  expect(namesOf((await search('payment_method=visa')).hits)).toEqual(['Ottermoor'])
  expect(namesOf((await search('platform=copperbeam')).hits)).toEqual(['Pike'])
})

test('a verdict names the license holder, and a Signal names the operator of the site', async () => {
  const verdict = await data('/v1/domains/resolve?domain=second.example')
  expect([verdict.verdict, verdict.company.name]).toEqual(['licensed', 'Ottermoor'])
  const { company_ref: ref } = (await search('q=pike')).hits[0]
  const { signals } = await data('/v1/signals/platform-sites?role=operator&platform=copperbeam')
  expect(signals).toMatchObject([{ subject: { domain: 'pike.example', company_ref: ref } }])
})

test('a domain that is removed from a license no longer leads to the holder', async () => {
  await service.load(new Date('2026-02-02T00:00:00Z'), {
    kind: 'license',
    jurisdiction: 'mga',
    license_number: 'MGA/1',
    company: 'otter',
    status: 'Active',
    authorized_domains: ['ottermoor.example'],
  })
  expect((await search('domain=second.example')).total).toBe(0)
  expect((await search('q=ottermoor')).hits[0]).toMatchObject({ domain_count: 1, payment_method_count: 0 })
  expect((await service.resolve({ domain: 'second.example' })).status).toBe(404)
})
