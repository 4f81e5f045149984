import { expect, test } from 'vitest'
import { isDue, lastTurn, type Watch } from './is-due.ts'

const salt = Buffer.from('an installation')
const hourMs = 3_600_000
const noon = Date.UTC(2026, 9, 10, 12)
const official = (fields: Partial<Watch> = {}): Watch => ({
  stream: 'italy.blocklist',
  urls: [],
  isOfficial: true,
  everyMinutes: 1_440,
  watchedAt: new Date(noon),
  failures: 0,
  ...fields,
})

/** Returns the hours from noon until the watch is due. */
function dueAfter(watch: Watch): number {
  for (let hours = 0; hours < 24 * 10; hours += 1)
    if (isDue(watch, new Date(noon + hours * hourMs), salt)) return hours
  return Number.POSITIVE_INFINITY
}

test('a watched official file is due once a night, between midnight and four', () => {
  const hours = dueAfter(official())
  expect(hours).toBeGreaterThan(12)
  expect(hours).toBeLessThanOrEqual(16)
  const after = official({ watchedAt: new Date(noon + hours * hourMs) })
  expect(isDue(after, new Date(noon + (hours + 12) * hourMs), salt)).toBe(false)
})

test('watched streams are due at different times of the night, which differ by installation', () => {
  const turns = (of: Buffer) =>
    Array.from({ length: 60 }, (_, number) => lastTurn(`stream.${number}`, new Date(noon), of))
  const own = turns(salt)
  expect(new Set(own).size).toBeGreaterThan(45)
  for (const turn of own) expect((noon - turn) / hourMs).toBeGreaterThan(8)
  expect(turns(Buffer.from('another'))).not.toEqual(own)
})

test('a new watch is due at once', () => {
  expect(isDue(official({ watchedAt: null }), new Date(noon), salt)).toBe(true)
})

test('a stream that fails each night is tried less often, but at least weekly', () => {
  const nights = [0, 5, 6, 12, 18, 600].map(failures => Math.floor(dueAfter(official({ failures })) / 24) + 1)
  expect(nights).toEqual([1, 1, 2, 4, 7, 7])
})

test('a watch with an interval of the operator is not bound to the night', () => {
  expect(dueAfter(official({ everyMinutes: 180 }))).toBe(3)
  expect(dueAfter(official({ isOfficial: false }))).toBe(24)
})
