import { expect, test } from 'vitest'
import { LargePlace } from './large-place.ts'

test('at most two checks read large pages at the same time, and a third check waits', async () => {
  const [one, two, three] = [new LargePlace(), new LargePlace(), new LargePlace()]
  expect(await Promise.all([one.take(0), two.take(0), one.take(0)])).toEqual([true, true, true])
  expect(await three.take(1)).toBe(false)
  const waits = three.take(60_000)
  two.release()
  two.release()
  expect(await waits).toBe(true)
  expect(await two.take(1)).toBe(false)
  one.release()
  three.release()
  expect(await two.take(0)).toBe(true)
  two.release()
})
