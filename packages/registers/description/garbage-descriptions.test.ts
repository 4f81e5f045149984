import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fixtureText, jsonDescription, marketCodes, problemsOf } from '../test/described.ts'
import { readDescription } from './read-description.ts'

describe('invalid descriptions', () => {
  test('reading any JSON value as a description never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), value => {
        const reading = readDescription(JSON.stringify(value), marketCodes)
        expect(reading.ok).toBe(false)
      }),
      { numRuns: 200 },
    )
  })

  test('reading a description with any value in place of any key never throws', () => {
    const paths = pathsOf(jsonDescription)
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue({ maxDepth: 3 }), (path, value) => {
        const reading = readDescription(JSON.stringify(withValue(jsonDescription, path, value)), marketCodes)
        if (reading.ok) return
        expect(reading.problems.length).toBeGreaterThan(0)
        for (const { line, column, message } of reading.problems) {
          expect([line, column > 0, message.length > 10]).toEqual([1, true, true])
        }
      }),
      { numRuns: 300 },
    )
  })

  test('reading any text as a description never throws', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc
        .array(fc.constantFrom(...fixtureText('croatia-blocklist.yaml').split(/(?<=\W)/)), { maxLength: 60 })
        .map(parts => parts.join('')),
    )
    fc.assert(
      fc.property(text, each => {
        expect(readDescription(each, marketCodes).ok).toBe(false)
      }),
      { numRuns: 150 },
    )
  })

  test.each([
    ['brackets', '['.repeat(30_000)],
    ['braces', '{a: '.repeat(20_000)],
    ['dashes', '- '.repeat(30_000)],
    ['a deep value', `key: ${'['.repeat(300)}${']'.repeat(300)}`],
    ['many wrong keys', Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join('\n')],
    ['keys of the language', '__proto__: {key: a}\nconstructor: 1\ntoString: 2\n'],
    [
      'a pattern that never ends',
      fixtureText('cyprus-blocklist.yaml').replace(
        /pattern: .*/,
        "pattern: '(?:(?:(?:(?:(?:(?=)){99}){99}){99}){99}){99}(?<site>a)'",
      ),
    ],
  ])('a description of %s is reported with at most 50 problems', (_what, text) => {
    const problems = problemsOf(text)
    expect(problems.length).toBeGreaterThan(0)
    expect(problems.length).toBeLessThanOrEqual(50)
  })
})

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...path, key]))]
}

function withValue(whole: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value
  const entries = Object.entries(whole as object).map(([name, each]): [string, unknown] => [
    name,
    name === key ? withValue(each, rest, value) : each,
  ])
  return Array.isArray(whole) ? entries.map(([, each]) => each) : Object.fromEntries(entries)
}
