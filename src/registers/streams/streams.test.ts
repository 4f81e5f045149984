import { expect, test } from 'vitest'
import { findStream, streams } from './index.ts'

test('keys are unique, `<jurisdiction>.<what>`, and found', () => {
  const keys = streams.map(stream => stream.key)
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys.filter(key => !/^[a-z_]+\.[a-z]+$/.test(key))).toEqual([])
  expect(streams.filter(stream => findStream(stream.key) !== stream)).toEqual([])
  expect(findStream('atlantis.sites')).toBeUndefined()
})

test('a key begins with its market, and an official URL can be opened', () => {
  for (const { key, market, officialUrl, regulatorCountryCode } of streams) {
    expect(key.split('.')[0]).toBe(market)
    expect(new URL(officialUrl).protocol).toBe('https:')
    expect(regulatorCountryCode).toMatch(/^[A-Z]{2}$/)
  }
})
