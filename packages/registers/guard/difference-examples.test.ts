import { expect, test } from 'vitest'
import { describeDifference, shortenDifference as shortened } from './difference-examples.ts'

const exampleOf = (...described: Parameters<typeof describeDifference>) =>
  shortened(describeDifference(...described))

const license = {
  license_number: '39028-R-319-001',
  status: 'active',
  legal_entity: 'Otter Ltd',
  trading_names: [],
  authorized_domains: ['otter.example'],
}

test('an added or removed record is shown by its name, such as a domain or company', () => {
  const name = '39028-R-319-001, Otter Ltd, otter.example'
  const recordKey = '1'
  expect(exampleOf('license', { recordKey, before: null, after: license })).toEqual({
    kind: 'license',
    change: 'added',
    name,
    fields: [],
  })
  expect(exampleOf('license', { recordKey, before: license, after: null })).toMatchObject({
    change: 'removed',
    name,
  })
})

test('a changed record is shown with the fields that differ, each shortened', () => {
  const domains = Array.from({ length: 1_000 }, (_, index) => `${index}.example`)
  const after = { ...license, status: 'surrendered', authorized_domains: domains }
  expect(exampleOf('license', { recordKey: '1', before: license, after })).toMatchObject({
    change: 'changed',
    fields: [
      { name: 'status', before: 'active', after: 'surrendered' },
      {
        name: 'authorized_domains',
        before: 'otter.example',
        after: '0.example, 1.example, 2.example, 3.example, 4.example and 995 more',
      },
    ],
  })
})

test('an entry that is delisted is shown as removed, and an entry that returns as added', () => {
  const listed = { domain: 'otter.example', published: 'otter.example', listed: true, delisted_at: null }
  const delisted = { ...listed, listed: false, delisted_at: '2026-10-01' }
  const changeOf = (before: object, after: object) =>
    exampleOf('blocklist_entry', { recordKey: '1', before: { ...before }, after: { ...after } }).change
  expect([changeOf(listed, delisted), changeOf(delisted, listed)]).toEqual(['removed', 'added'])
})

test('a record without a name is shown by its key, and no text is longer than 200 characters', () => {
  expect(exampleOf('licensee', { recordKey: 'C 7', before: null, after: {} }).name).toBe('C 7')
  const after = { legal_entity: 'x'.repeat(5_000) }
  expect(exampleOf('licensee', { recordKey: '1', before: null, after }).name).toHaveLength(201)
})
