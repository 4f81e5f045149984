import { expect, test } from 'vitest'
import { labelledSites } from '../scripts/observation-quality/labelled-sites.ts'

test('a scripted site has its form, its root, and labels of five sections', () => {
  const sites = (['scripted', 'frozen-scripted'] as const).flatMap(labelledSites)
  const sections = ['payment_methods', 'supplier_brands', 'legal_claims', 'web_presence', 'launch']
  const lacking = sites.filter(
    ({ form, responses, labels }) =>
      form === undefined || responses.length !== 1 || sections.some(section => labels[section] === undefined),
  )
  expect(lacking.map(({ name }) => name)).toEqual([])
  expect(sites.length).toBeGreaterThanOrEqual(40)
})
