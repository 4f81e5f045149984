/** Sends searches, and computes the expected licenses of demo/ without the database. */

import { normaliseStatus } from '@baize/registers/entries'
import { expect } from 'vitest'
import { declaredData } from '../../../../test/harness/declared-schema.ts'
import type { DemoRecord } from '../../../../test/harness/demo-world.ts'
import type { Customer } from '../../../../test/harness/service.ts'
import type { Parameters } from '../fixture.ts'

export type ExpectedLicense = {
  jurisdiction: string
  license_number: string
  license_type: string | null
  status: string | null
  company: string | null
  domains: string[]
}

export function expectedLicenses(records: readonly DemoRecord[]): ExpectedLicense[] {
  return records
    .filter(record => record.kind === 'license')
    .map(record => ({
      jurisdiction: record.jurisdiction,
      license_number: record.license_number,
      license_type: (record.license_type as string | undefined) ?? null,
      status: normaliseStatus(record.status),
      company: (record.company as string | undefined) ?? null,
      domains: record.authorized_domains ?? [],
    }))
}

/** Returns the expected licenses of a site as `number basis`, in order of number. */
export function expectedMatches(records: readonly DemoRecord[], domain: string): string[] {
  const behind = new Set(
    records
      .filter(record => record.kind === 'domain' && record.domain === domain)
      .map(record => record.company),
  )
  return expectedLicenses(records)
    .flatMap(({ license_number, company, domains }) => {
      const corroborated = company !== null && behind.has(company)
      if (domains.includes(domain))
        return [`${license_number} ${corroborated ? 'both' : 'regulator_published'}`]
      return corroborated && domains.length === 0 ? [`${license_number} site_corroborated`] : []
    })
    .sort()
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts.
export type Data = any

export const pathOf = (path: string, parameters: Parameters) =>
  `${path}?${new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))}`

const misfits = declaredData('search_licenses')

/** Returns a page of up to 100 rows, after checking its schema and price. */
export async function searchLicenses(customer: Customer, parameters: Parameters): Promise<Data> {
  const { status, body } = await customer.ask(
    pathOf('/v1/licenses/search', { page_size: 100, ...parameters }),
  )
  expect(status, JSON.stringify(body)).toBe(200)
  expect(misfits(body.data)).toBeNull()
  expect(body.data.credits_charged).toBe(body.data.hits.length)
  return body.data
}

export const numbersOf = (hits: Data[]): string[] => hits.map(hit => hit.license_number)
export const matchesOf = ({ hits }: Data): string[] =>
  hits.map((hit: Data) => `${hit.license_number} ${hit.domain_match_basis}`).sort()
export const distinct = <Value>(values: Value[]) => [...new Set(values)]
