import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { FileWriter } from '../../journal/index.ts'
import { type Line, loadedAt, openTestWorld, type TestWorld } from '../fixture.ts'
import { replayImport } from '../index.ts'

let small: TestWorld
beforeAll(async () => {
  small = await openTestWorld()
})
beforeEach(() => small.empty())
afterAll(() => small.close())

const account: Line = { kind: 'account', key: 'otter', name: 'Otter Ltd', plan: 'growth', credits_granted: 5 }
const list: Line = { kind: 'prospect_list', account: 'otter', cadence: 'weekly', status: 'requested' }

test.each(['strict', 'skip-invalid'] as const)('a %s import reports every bad line at once', async mode => {
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
      { line: 2, reason: 'credits_granted must not be below the 5 granted so far' },
      { line: 3, reason: 'company: no company in these files or in the database has the key "nobody"' },
      { line: 5, reason: 'account: no account with the key "nobody" was loaded, before or in these files' },
    ],
  })
  const lists = (await small.dump()).filter(line => line.includes('"kind":"prospect_list"'))
  expect(lists).toHaveLength(mode === 'strict' ? 0 : 1)
})

const license: Line = { kind: 'license', jurisdiction: 'ukgc', license_number: '7' }
const entry: Line = { kind: 'blocklist_entry', regulator: 'poland', domain: 'a.example' }

test('a line with an unknown market is rejected, with the nearest market as a suggestion', async () => {
  const lines = [
    { ...license, jurisdiction: 'nowhere' },
    { ...license, jurisdiction: 'sweeden' },
    { ...license, jurisdiction: 'ukraine' },
    { ...entry, regulator: 'polland' },
    entry,
  ]
  const report = await small.load(lines, { mode: 'skip-invalid' })
  expect(report).toMatchObject({
    rejected: 3,
    rejects: [
      { line: 1, reason: 'jurisdiction: "nowhere" is not a market code' },
      { line: 2, reason: 'jurisdiction: "sweeden" is not a market code; did you mean "sweden"?' },
      { line: 4, reason: 'regulator: "polland" is not a market code; did you mean "poland"?' },
    ],
    loaded: { license: { added: 1 }, blocklist_entry: { added: 1 } },
  })
})

test('a replay accepts lines of a market that is no longer known', async () => {
  const { database } = small.world
  const { sha256 } = await database.transaction().execute(async tx => {
    const writer = new FileWriter(tx)
    await writer.write(`${JSON.stringify({ ...license, jurisdiction: 'yugoslavia' })}\n`)
    return writer.end()
  })
  const recorded = { files: [sha256.toString('hex')], mode: 'strict' as const, named_by_ref: [] }
  await replayImport(small.world, database, recorded, { now: loadedAt })
  expect((await small.dump()).join()).toContain('yugoslavia')
})
