import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ExportService, startExportService } from '../src/features/exports/fixture.ts'
import { loadLines } from './harness/load-lines.ts'
import type { Customer } from './harness/service.ts'

// Answers of different operations about one fact.

const lines = [
  { kind: 'company', key: 'quoll', company_name: 'Quoll Games', subject_kind: 'legal_entity' },
  { kind: 'domain', domain: 'quoll.example', company: 'quoll', relation: 'licensee' },
  { kind: 'platform', key: 'quolldeck', name: 'Quolldeck', reviewed: true },
  {
    kind: 'platform_reading',
    domain: 'quoll.example',
    platform: 'quolldeck',
    seen_at: '2026-02-01T10:00:00Z',
  },
]

let service: ExportService
let customer: Customer
beforeAll(async () => {
  service = await startExportService({
    world: 'demo_with_registers',
    load: async ({ service: { live } }) => void (await loadLines(live, lines)),
  })
  customer = await service.customer({ credits: 1_000_000 })
})
afterAll(() => service.close())

async function answer(path: string, parameters: Record<string, string>) {
  const { status, body } = await customer.ask(`${path}?${new URLSearchParams(parameters)}`)
  expect([status, path, body.errors]).toEqual([200, path, undefined])
  return body.data
}

const resolveDomain = (domain: string, section: string) =>
  answer('/v1/domains/resolve', { domain, 'include[]': section })
const resolveCompany = async (parameters: Record<string, string>) =>
  (await answer('/v1/companies/resolve', parameters)).companies[0]

async function exportedLines(): Promise<Record<string, string>[]> {
  const { id } = await service.exported(customer, {})
  return parse((await service.download(customer, id)).text, { columns: true })
}

test('a stored reading of a platform is an observation in every operation', async () => {
  const seenAt = '2026-02-01T10:00:00.000Z'
  const { observations } = await resolveDomain('quoll.example', 'platform_history')
  expect(observations).toMatchObject({
    status: 'observed',
    last_enriched_at: seenAt,
    meta: { observed_at: seenAt },
    platform_history: [{ platform: 'Quolldeck', from: seenAt, to: null, observations: 1 }],
  })
  const [hit] = (await answer('/v1/companies/search', { q: 'Quoll Games' })).hits
  expect(hit).toMatchObject({ platform_present: true, last_observed_at: seenAt })
  expect(await resolveCompany({ company_ref: hit.company_ref })).toMatchObject({ last_observed_at: seenAt })
  expect(await exportedLines()).toContainEqual({
    domain_normalized: 'quoll.example',
    company_name: 'Quoll Games',
    status: 'observed',
    last_enriched_at: seenAt,
  })
  const filters = { enriched_after: '2026-01-31T00:00:00Z' }
  const { id } = await service.exported(customer, { filters })
  expect((await service.download(customer, id)).text).toContain('quoll.example')
})
