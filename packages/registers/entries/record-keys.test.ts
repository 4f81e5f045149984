import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RecordKeys } from './record-keys.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

function heapMegabytes(): number {
  collect()
  return process.memoryUsage().heapUsed / 1_000_000
}

test('of any keys in any order, the first of each is claimed and no other', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 5_000, size: 'max' }), given => {
      const keys = new RecordKeys()
      const claimed = given.filter(key => keys.claim(key))
      expect(claimed).toEqual([...new Set(given)])
    }),
    { numRuns: 20 },
  )
})

test('the keys of a file do not keep its text in memory', () => {
  const keys = new RecordKeys()
  const before = heapMegabytes()
  for (let row = 0; row < 5_000; row += 1) {
    const text = `key-${row}-of-a-row;${String.fromCharCode(0x430).repeat(10_000)}`
    keys.claim(text.slice(0, text.indexOf(';')))
  }
  expect(heapMegabytes() - before).toBeLessThan(20)
  expect(keys.claim('key-0-of-a-row')).toBe(false)
})
