import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changedFiles, changedFilesIn, labelledSites } from '../scripts/observation-quality/labelled-sites.ts'
import { precisionOf, recallOf, scoredSections, scoreSites } from '../scripts/observation-quality/score.ts'

test('the frozen pages are as they were frozen', () => {
  expect(changedFiles('blind')).toEqual([])
})

test('a frozen set notices changed, missing and added files', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'frozen-'))
  const write = (name: string, text: string) => writeFile(join(directory, name), text)
  const line = (name: string, text: string) => `${createHash('sha256').update(text).digest('hex')}  ${name}`
  await write('checksums.txt', [line('same', 'a'), line('changed', 'b'), line('missing', 'c')].join('\n'))
  for (const name of ['same', 'changed', 'added', 'README.md']) await write(name, 'a')
  expect(changedFilesIn(directory).toSorted()).toEqual(['added', 'changed', 'missing'])
  await rm(directory, { recursive: true })
})

test('each section is read with a precision of 0.98 and a recall of 0.90', async () => {
  const score = await scoreSites(labelledSites('tuning'))
  const low = scoredSections.filter(section => {
    const counts = score.sections[section]
    return precisionOf(counts) < 0.98 || recallOf(counts) < 0.9
  })
  expect(low).toEqual([])
  expect(score).toMatchObject({ tempted: 0, falsePreLaunch: [], falseLive: [] })
})
