import { expect } from 'vitest'
import { readTitle } from './read-title.ts'
import type { RoleKey } from './role-glossary.ts'

/** A title and its expected reading. `dm` is short for decision_makers. */
export type Row = [title: string, keys: string, seniority: string | null, jobFunction: string | null]

const keysOf = (text: string): RoleKey[] =>
  text
    .split(' ')
    .filter(word => word !== '')
    .map(word => (word === 'dm' ? 'decision_makers' : (word as RoleKey)))

export function expectReadings(rows: readonly Row[]) {
  const readings = rows.map(([title]) => ({ title, ...readTitle(title) }))
  expect(readings).toEqual(
    rows.map(([title, keys, seniority, jobFunction]) => ({
      title,
      roleKeys: keysOf(keys),
      seniority,
      function: jobFunction,
    })),
  )
}
