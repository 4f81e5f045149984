import { expect, test } from 'vitest'
import { counted, plural } from './plural.ts'

test('a count of one has the singular, and any other count the plural', () => {
  expect([0, 1, 2].map(count => counted(count, 'row'))).toEqual(['0 rows', '1 row', '2 rows'])
  expect([1, 2].map(count => counted(count, 'entry', 'entries'))).toEqual(['1 entry', '2 entries'])
  expect(plural(1, 'has', 'have')).toBe('has')
})
