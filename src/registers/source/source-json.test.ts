import { describe, expect, test } from 'vitest'
import { listOf } from '../streams/fixture.ts'
import { fileOfBytes } from './file-of-bytes.ts'
import { readJsonRecords } from './source-json.ts'

const read = (content: string, within?: string) =>
  listOf(readJsonRecords(fileOfBytes('register.json', content, 7), within))

test('members of all objects become columns; lists are joined, null is empty', async () => {
  const rows = await read(
    '[{"name": "Žlutá liška", "types": [1, "2"]}, {"name": null, "since": {"year": 2026}}]',
  )
  expect(rows).toEqual([
    { line: 0, cells: ['name', 'types', 'since'] },
    { line: 1, cells: ['Žlutá liška', '1, 2', ''] },
    { line: 2, cells: ['', '', '{"year":2026}'] },
  ])
})

test('the list may be a member of an object', async () => {
  const rows = [
    { line: 0, cells: ['a'] },
    { line: 1, cells: ['x'] },
  ]
  expect(await read('{"source": "page", "records": [{"a": "x"}]}', 'records')).toEqual(rows)
  expect(await read('[{"a": "x"}]', 'records')).toEqual(rows)
})

test('an item that is not an object becomes a row without columns', async () => {
  expect(await read('[{"a": "x", "b": "y"}, "z"]')).toContainEqual({ line: 2, cells: ['z'] })
})

describe('refuses other documents:', () => {
  test.each([
    ['cut off', '[{"a": "x"}, {"a"', /not whole JSON/],
    ['an empty list', '[]', /has no rows/],
    [
      'an object without the list',
      '{"error": "try later"}',
      /expected a list, alone or as "records", found \{"error"/,
    ],
    ['a number', '12', /expected a list/],
    [
      'objects of ever new members',
      JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ [`member${index}`]: 1 }))),
      /more than 256 different members/,
    ],
    [
      'a row without an end',
      JSON.stringify([{ a: 'x' }, { a: 'x'.repeat(65_537) }]),
      /row 2 is longer than 65536/,
    ],
    [
      'nested without an end',
      `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
      /nested more than 32 levels deep/,
    ],
    ['an error page', '<!doctype html><html></html>', /HTML page/],
  ])('%s', async (_what, content, message) => {
    await expect(read(content, 'records')).rejects.toThrow(message)
  })
})
