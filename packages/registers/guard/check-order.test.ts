import { Refusal } from '@baize/tables'
import { describe, expect, test } from 'vitest'
import { checkOrder } from './check-order.ts'

const now = new Date('2026-03-10T12:00:00Z')
const minutes = (number: number) => new Date(now.getTime() + number * 60_000)
const content = (text: string) => Buffer.from(text)

const last = { takenAt: minutes(-60), contentSha256: content('one'), parserVersion: 3 }
const candidate = (takenAt: Date, text: string, parserVersion = 3) => {
  return { takenAt, now, contentSha256: content(text), parserVersion }
}

describe('the order of snapshots', () => {
  test.each([
    ['new without a last one', candidate(minutes(-90), 'one'), undefined, 'new'],
    ['new with other content', candidate(minutes(0), 'two'), last, 'new'],
    ['unchanged with the same content', candidate(minutes(0), 'one'), last, 'unchanged'],
    ['unchanged with the same content of the same moment', candidate(last.takenAt, 'one'), last, 'unchanged'],
    ['new with the same content read by another parser', candidate(last.takenAt, 'one', 4), last, 'new'],
    ['new a little ahead of the clock', candidate(minutes(4), 'two'), last, 'new'],
  ])('a snapshot is %s', (_, snapshot, previous, expected) => {
    expect(checkOrder(snapshot, previous)).toBe(expected)
  })

  test.each([
    ['refused if older, even with the same content', candidate(minutes(-61), 'one'), last],
    ['refused with other content of the same moment', candidate(last.takenAt, 'two'), last],
    ['refused if taken after now', candidate(minutes(6), 'one'), undefined],
  ])('a snapshot is %s', (_, snapshot, previous) => {
    expect(() => checkOrder(snapshot, previous)).toThrow(Refusal)
  })
})
