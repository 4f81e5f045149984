import { expect, test } from 'vitest'
import { findMarket } from '../../core/markets.ts'
import { fileOfBytes } from '../file-of-bytes.ts'
import { Refusal } from '../stream.ts'
import { findStream, streams } from './index.ts'

test('keys are unique, `<jurisdiction>.<what>`, and found', () => {
  const keys = streams.map(stream => stream.key)
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys.filter(key => !/^[a-z_]+\.[a-z]+$/.test(key))).toEqual([])
  expect(streams.filter(stream => findStream(stream.key) !== stream)).toEqual([])
  expect(findStream('atlantis.sites')).toBeUndefined()
})

test('a key begins with its market, which is known, and has its regulator', () => {
  for (const { key, market, regulator, regulatorCountryCode } of streams) {
    expect(key.split('.')[0]).toBe(market)
    expect(findMarket(market)).toMatchObject({ regulator, country: regulatorCountryCode })
  }
})

test('the facts of a stream are whole, and no two sources call themselves alike', () => {
  for (const stream of streams) {
    expect(new URL(stream.officialUrl).protocol).toBe('https:')
    for (const words of [stream.format, stream.cadence.words, stream.identity, stream.qualification])
      expect(words.trim(), stream.key).not.toBe('')
    expect(stream.cadence.hours, stream.key).toBeGreaterThanOrEqual(24)
    expect(stream.rowsMin, stream.key).toBeGreaterThan(0)
    expect(stream.parserVersion, stream.key).toBeGreaterThanOrEqual(1)
  }
  const identities = streams.map(stream => stream.sourceIdentity)
  expect(new Set(identities).size).toBe(identities.length)
})

test('what a source claims fits what it covers', () => {
  for (const { key, covers, sourceClaim, publishes } of streams) {
    expect(covers.includes('blocklist'), key).toBe(sourceClaim.includes('blocklist'))
    expect(covers.includes('register'), key).toBe(sourceClaim !== 'blocklist')
    if (!covers.includes('register'))
      expect([publishes.revoked, publishes.roles], key).toEqual([false, false])
  }
})

test('a file without a byte is refused by every stream', async () => {
  for (const stream of streams) {
    const reading = Array.fromAsync(stream.read([fileOfBytes('list.txt', '')]))
    await expect(reading, stream.key).rejects.toThrow(new Refusal('"list.txt" is empty'))
  }
})
