import { expect, test } from 'vitest'
import type { CheckShown } from '../../../features/look-ups/index.ts'
import { checkState } from './check.ts'

const ended = (more: Partial<CheckShown>) =>
  checkState({
    enrichment_id: 'enr_1',
    domain: 'otter.example',
    status: 'completed',
    reason: null,
    requested_at: '2026-11-24T00:00:00Z',
    completed_at: '2026-11-24T00:00:05Z',
    credits_charged: 10,
    found: null,
    ...more,
  } as CheckShown).text

test('a failed check is shown with its reason, and as free of charge', () => {
  const text = ended({ status: 'failed', reason: 'blocked', credits_charged: 0 })
  expect(text).toContain('The site refused the check.')
  expect(text).toContain('Nothing was charged.')
  expect(text).not.toContain('credits charged')
})

test('a check that found no site of the domain is shown with its charge', () => {
  const text = ended({ reason: 'name_does_not_exist' })
  expect(text).toContain('The name does not exist, so there is no site.')
  expect(text).toMatch(/10 credits\s+charged/)
  expect(text).not.toContain('Nothing was charged')
})

test('a completed check shows its findings and links to the page of the site', () => {
  const text = ended({ found: { payment_methods: 3 } as unknown as NonNullable<CheckShown['found']> })
  expect(text).toContain('Found')
  expect(text).toContain('href="/dashboard/domains/otter.example"')
  expect(text).not.toContain('hx-get')
})
