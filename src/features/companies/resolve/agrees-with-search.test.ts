import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CompanyService, startCompanyService } from './fixture.ts'

let service: CompanyService
beforeAll(async () => {
  service = await startCompanyService({ world: 'demo_with_registers' })
})
afterAll(() => service.close())

test('a search hit agrees with the profile of its Company', async () => {
  const customer = await service.customer({ credits: 100_000 })
  const { status, body } = await customer.ask('/v1/companies/search?page_size=100')
  expect([status, body.data.hits.length > 40]).toEqual([200, true])
  for (const hit of body.data.hits) {
    const [company] = (await service.answer({ company_ref: hit.company_ref, 'include[]': 'firmographics' }))
      .companies
    expect(hit, hit.company_name).toMatchObject({
      company_name: company.company_name,
      legal_entity: company.legal_entity,
      subject_kind: company.subject_kind,
      role: company.role,
      domain_count: company.domains.length,
      license_count: company.licenses.length,
      payment_categories: company.payment_categories,
      payment_method_count: company.payment_methods.length,
      supplier_brand_count: company.supplier_brands.length,
      platform_present: company.platform_brands.length > 0,
      affiliate_program_present: company.affiliate_program,
      geo_hints: company.geo_hints,
      data_completeness: company.data_completeness,
      last_observed_at: company.last_observed_at,
      last_updated_at: company.last_updated_at,
      firmographics_available: company.firmographics.some(
        (result: { available: boolean }) => result.available,
      ),
    })
    expect([null, ...company.domains]).toContainEqual(hit.primary_domain)
  }
})
