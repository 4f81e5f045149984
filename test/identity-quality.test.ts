import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LabelledPair } from '../scripts/identity-quality/labelled-pairs.ts'
import { missedGoals, operatorResult, scorePairs } from '../scripts/identity-quality/score.ts'

const pair = (label: LabelledPair['label'], a: string, b: string) =>
  ({
    label,
    kind: 'same_name',
    chosen: 'rule',
    reason: 'a test',
    a: { key: a },
    b: { key: b },
  }) as LabelledPair

test('a pair of one company counts as linked, as a pair for staff or as missed', () => {
  const companyOf = new Map(Object.entries({ a: 1, b: 1, c: 2, d: 3, e: 4 }))
  const linked = { companyOf, formerKeysOf: new Map(), candidates: new Set(['1:2']), linked: {}, links: [] }
  const pairs = [pair('same', 'a', 'b'), pair('same', 'a', 'c'), pair('same', 'd', 'e')]
  const score = scorePairs([...pairs, pair('different', 'a', 'b'), pair('undecidable', 'a', 'd')], linked)
  expect(score).toMatchObject({ same: 3, linked: 1, candidates: 1, different: 1 })
  expect([score.wrong, score.asked, score.missed]).toEqual([
    [pair('different', 'a', 'b')],
    [pairs[1]],
    [pairs[2]],
  ])
  expect(missedGoals(score)).toHaveLength(3)
})

test('an operator is as many Companies as its rows have, before and now', () => {
  const companyOf = new Map(Object.entries({ a: 1, b: 1, c: 1, d: 2, other: 1 }))
  const formerKeysOf = new Map(
    Object.entries({ a: ['MT:C1'], b: ['x ltd|MT'], c: ['MT:C1', 'x ltd|MT'], d: [] as string[] }),
  )
  const operator = { name: 'X', rows: ['a', 'b', 'c', 'd'], siblings: ['other', 'd2'] }
  expect(operatorResult(operator, { companyOf, formerKeysOf })).toEqual({
    companies: 2,
    before: 2,
    joined: ['other'],
  })
})

test('a mistake on a frozen pair is never printed', () => {
  const command = join(import.meta.dirname, '../scripts/identity-quality.ts')
  const { status, stdout } = spawnSync(process.execPath, [command, '--frozen', '--show'])
  expect({ status, stdout: String(stdout) }).toEqual({ status: 2, stdout: '' })
})
