import { sql } from 'kysely'
import { loadLines } from '../../../test/harness/load-lines.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import type { ImportReport } from '../../dataset/index.ts'

export type Line = Record<string, unknown>

export const person = (company: string, name: string, more: Line = {}): Line => ({
  kind: 'contact',
  company,
  name,
  source: 'company website',
  ...more,
})

export type PeopleService = TestService & {
  load(...records: object[]): Promise<ImportReport>
  refOf(key: string): Promise<string>
  people(
    who: Customer,
    key: string,
    query?: string,
    headers?: Record<string, string>,
  ): ReturnType<Customer['ask']>
}

export async function startPeopleService(
  options: Parameters<typeof startService>[0] = {},
): Promise<PeopleService> {
  const service = await startService(options)
  const { live } = service.service

  const load = (...records: object[]) => loadLines(live, records, { now: service.service.now() })

  async function refOf(key: string): Promise<string> {
    const { rows } = await sql<{ company_ref: string }>`
      select company_ref
        from company_identities
        join companies company on company.id = company_id
       where stream = 'import' and identity_key = ${key}`.execute(live.database)
    return rows[0]?.company_ref ?? `no Company ${key}`
  }

  async function people(who: Customer, key: string, query = '', headers: Record<string, string> = {}) {
    return who.ask(`/v1/companies/${await refOf(key)}/people${query === '' ? '' : `?${query}`}`, { headers })
  }

  return { ...service, load, refOf, people }
}

export async function creditsUsed(customer: Customer): Promise<number> {
  return (await customer.ask('/v1/account')).body.data.credits_used
}
