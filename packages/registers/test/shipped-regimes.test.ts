import { findMarket } from '@baize/names'
import { expect, test } from 'vitest'
import { shippedRegimes } from '../entries/regimes.ts'

test('each shipped regime has a market, a day, a source and a note, and no two overlap', () => {
  for (const { market, from, to, source_url, note } of shippedRegimes) {
    expect([market, findMarket(market)?.code]).toEqual([market, market])
    expect(new Date(from).toISOString().slice(0, 10)).toBe(from)
    expect(to === null || to >= from).toBe(true)
    expect([market, new URL(source_url).protocol]).toEqual([market, 'https:'])
    expect((note ?? '').length).toBeLessThanOrEqual(300)
  }
  const overlaps = shippedRegimes.filter((one, index) =>
    shippedRegimes
      .slice(index + 1)
      .some(
        other =>
          one.market === other.market &&
          one.vertical === other.vertical &&
          (one.to === null || one.to >= other.from) &&
          (other.to === null || other.to >= one.from),
      ),
  )
  expect(overlaps).toEqual([])
})
