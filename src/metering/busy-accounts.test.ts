import { expect, test } from 'vitest'
import { BusyAccounts } from './busy-accounts.ts'

test('a locked account is skipped for a second, and settled separately for a minute', () => {
  const busy = new BusyAccounts()
  const at = (ms: number) => [busy.isLocked(1, ms), busy.has(1, ms), busy.has(2, ms)]
  expect(at(0)).toEqual([false, false, false])
  busy.add(1, 1_000)
  expect(at(1_999)).toEqual([true, true, false])
  expect(at(2_000)).toEqual([false, true, false])
  expect(at(60_999)).toEqual([false, true, false])
  expect(at(61_000)).toEqual([false, false, false])
  busy.add(1, 70_000)
  busy.delete(1)
  expect(at(70_001)).toEqual([false, false, false])
})

test('only the latest 10,000 locked accounts are remembered', () => {
  const busy = new BusyAccounts()
  for (let account = 1; account <= 10_000; account++) busy.add(account, 0)
  busy.add(1, 1)
  busy.add(10_001, 1)
  expect([1, 2, 3, 10_001].map(account => busy.has(account, 1))).toEqual([true, false, true, true])
})
