import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Line, openTestWorld, type TestWorld } from './fixture.ts'

let small: TestWorld
beforeAll(async () => {
  small = await openTestWorld()
})
beforeEach(() => small.empty())
afterAll(() => small.close())

const account: Line = { kind: 'account', key: 'otter', name: 'Otter Ltd', plan: 'growth', credits_granted: 5 }
const list: Line = { kind: 'prospect_list', account: 'otter', cadence: 'weekly', status: 'requested' }

test.each(['strict', 'skip-invalid'] as const)('a %s import tells every bad line at once', async mode => {
  await small.load([account])
  const report = await small.load(
    [
      '{',
      { ...account, credits_granted: 4 },
      { kind: 'domain', domain: 'a.example', company: 'nobody', relation: 'licensee' },
      list,
      { ...list, account: 'nobody' },
    ],
    { mode },
  )
  expect(report).toMatchObject({
    lines: 5,
    rejected: 4,
    rejects: [
      { line: 1, reason: 'not JSON' },
      { line: 2, reason: 'credits_granted is below the 5 that were granted already' },
      { line: 3, reason: 'company: "nobody" is the key of no company of these files or loaded before' },
      { line: 5, reason: 'account: "nobody" is the key of no account of these files or loaded before' },
    ],
  })
  const lists = (await small.dump()).filter(line => line.includes('"kind":"prospect_list"'))
  expect(lists).toHaveLength(mode === 'strict' ? 0 : 1)
})
