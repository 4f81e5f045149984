import { expect } from 'vitest'
import { declaredData } from '../../../../test/harness/declared-schema.ts'
import {
  type Customer,
  type Response,
  startService,
  type TestService,
  type TestServiceOptions,
} from '../../../../test/harness/service.ts'
import { openSources, type Sources } from '../fixture.ts'

export type Parameters = Record<string, string | number | boolean | string[]>

export type CompanyService = TestService &
  Sources & {
    resolve(parameters: Parameters, who?: Customer, headers?: Record<string, string>): Promise<Response>
    /**
     * Returns response data for a customer with enough credits, and checks it against the declared schema.
     */
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts.
    answer(parameters: Parameters): Promise<any>
  }

export const resolvePath = '/v1/companies/resolve'

export async function startCompanyService(
  options: Pick<TestServiceOptions, 'world'> = {},
): Promise<CompanyService> {
  // Sources are off, because a refresh would wait for a check that no worker makes.
  const service = await startService({ ...options, observation: { isOn: false } })
  const sources = openSources(service.service.live)
  const rich = await service.customer({ credits: 10_000_000 })
  const schemaErrors = declaredData('resolve_company')
  const resolve: CompanyService['resolve'] = (parameters, who = rich, headers = {}) =>
    who.ask(`${resolvePath}?${queryOf(parameters)}`, { headers })
  return {
    ...service,
    ...sources,
    resolve,
    async answer(parameters) {
      const { status, body } = await resolve(parameters)
      expect([status, body.errors]).toEqual([200, undefined])
      expect(schemaErrors(body.data)).toBeNull()
      return body.data
    },
  }
}

function queryOf(parameters: Parameters): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters))
    for (const each of [value].flat()) query.append(name, String(each))
  return query
}

export const refused = ({ status, body }: Response) => [status, body.errors.code]

export async function creditsUsed(customer: Customer): Promise<number> {
  return (await customer.ask('/v1/account')).body.data.credits_used
}

export type Profile = Record<string, unknown> & { company_name: string; matched_as: string[] }

export const namesOf = ({ companies }: { companies: Profile[] }) =>
  companies.map(company => company.company_name)

export function entry(domain: string, inferred_geo: string | null) {
  return { domain_ref: expect.stringMatching(/^dom_\w{20}$/), domain, inferred_geo }
}
