import { expect, test } from 'vitest'
import type { CompanyShown } from '../../../features/look-ups/index.ts'
import { tableAddress, tableFile } from '../../components/index.ts'
import { siteTable } from './tables.ts'

const domains = Array.from({ length: 10_000 }, (_, index) => ({
  domain: `n${index}.example`,
  inferred_geo: 'MT',
}))
const license = { license_ref: 'lic_1', jurisdiction: 'mga', authorized_domains: domains.slice(0, 9_000) }
const shown = {
  bought: { response: { domains, licenses: [license] } },
  sites: [{ domain: 'n7.example', verdict: 'mixed', platforms: [] }],
} as unknown as CompanyShown

test('a Company with 10,000 sites shows 100 of them in a matrix with markets, and its file has all', () => {
  const address = tableAddress(
    '/dashboard/companies/co_1',
    new URLSearchParams({ table: 'sites' }),
    'licenses',
  )
  const { text } = siteTable.draw(shown, { address })
  expect(text.match(/<tr>/g)).toHaveLength(101)
  expect(text.length).toBeLessThan(60_000)
  expect(text).toContain('The first 100 of 10,000. The files have all.')
  expect(text).toContain('<td data-name="Malta"><span title="listed by its register">✓ listed')
  expect(text.match(/± mixed/g)).toHaveLength(1)
  const { rows, isComplete } = tableFile(siteTable.of(shown, { address }), address, 'csv')
  expect([rows.length, isComplete]).toEqual([10_000, true])
  expect(rows.filter(row => JSON.stringify(row).includes('Malta'))).toHaveLength(9_000)
})
