import { expect, test } from 'vitest'
import { paymentCategories } from '../features/value-sets.ts'
import { listRules } from './index.ts'

test('each payment method that a page can show has a category of the API', () => {
  const methods = listRules().filter(({ rule }) => rule.startsWith('payment-methods/'))
  const wrong = methods.filter(
    ({ value }) => !(paymentCategories as readonly unknown[]).includes(value.category),
  )
  expect(methods.length).toBeGreaterThan(100)
  expect(wrong).toEqual([])
})
