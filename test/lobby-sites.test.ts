import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changedFilesIn } from '../scripts/observation-quality/labelled-sites.ts'

const folder = join(import.meta.dirname, 'lobby-sites')
const truthsOf = (set: string): { sections: object[]; reason: string[] | null }[] =>
  readdirSync(join(folder, set), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => JSON.parse(readFileSync(join(folder, set, name, 'site.json'), 'utf8')).truth)

test('the frozen half of the labelled lobbies is unchanged', () => {
  expect(changedFilesIn(join(folder, 'frozen'))).toEqual([])
})

test.each(['tuning', 'frozen'])('the labelled lobbies of %s are 14 with games and 6 that must fail', set => {
  const truths = truthsOf(set)
  expect(truths.filter(({ sections }) => sections.length > 0)).toHaveLength(14)
  expect(truths.filter(({ reason }) => reason !== null)).toHaveLength(6)
})
