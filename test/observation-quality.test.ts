import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { missedGoals } from '../scripts/observation-quality/goals.ts'
import {
  changedFiles,
  changedFilesIn,
  frozenSets,
  labelledSites,
  tuningSets,
} from '../scripts/observation-quality/labelled-sites.ts'
import { type Score, scoredSections } from '../scripts/observation-quality/score.ts'

const command = join(import.meta.dirname, '../scripts/observation-quality.ts')

test.each(frozenSets)('the frozen pages of %s are unchanged', set => {
  expect(changedFiles(set)).toEqual([])
})

test('a mistake on a frozen page is never printed', () => {
  for (const set of frozenSets) {
    const { status, stdout } = spawnSync(process.execPath, [command, '--set', set, '--show'])
    expect({ status, stdout: String(stdout) }).toEqual({ status: 2, stdout: '' })
  }
})

test('pages of misses have a kind, labels of all sections, and less than 6,000 bytes a file', () => {
  const sites = [...labelledSites('tuning-misses'), ...labelledSites('frozen-misses')]
  const optional = new Set<string>(['registration'])
  const lacking = sites.filter(({ kind, labels, captures }) => {
    const isComplete = scoredSections.every(each => optional.has(each) || labels[each] !== undefined)
    return kind === undefined || !isComplete || captures.some(({ body }) => (body?.length ?? 0) >= 6000)
  })
  expect(lacking.map(({ name }) => name)).toEqual([])
  expect(sites.length).toBeGreaterThan(350)
})

test('changed, missing and added files of a frozen set are detected', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'frozen-'))
  const write = (name: string, text: string) => writeFile(join(directory, name), text)
  const line = (name: string, text: string) => `${createHash('sha256').update(text).digest('hex')}  ${name}`
  await write('checksums.txt', [line('same', 'a'), line('changed', 'b'), line('missing', 'c')].join('\n'))
  for (const name of ['same', 'changed', 'added', 'README.md']) await write(name, 'a')
  expect(changedFilesIn(directory).toSorted()).toEqual(['added', 'changed', 'missing'])
  await rm(directory, { recursive: true })
})

test.each(tuningSets)('observation-quality finds no missed goal in %s', set => {
  const { status, stdout } = spawnSync(process.execPath, [command, '--set', set])
  expect({ status, missed: String(stdout).match(/^MISSED .*$/gm) }).toEqual({ status: 0, missed: null })
})

test('scripted sites show no method, supplier, claim or launch without Chromium', () => {
  const options = ['--set', 'scripted', '--unrendered', '--json']
  const [scored] = JSON.parse(String(spawnSync(process.execPath, [command, ...options]).stdout))
  const { sites, sections, falseLive, falsePreLaunch } = scored
  const found = ['payment_methods', 'supplier_brands', 'legal_claims'].map(each => sections[each].right)
  expect({ sites, found, falseLive, falsePreLaunch }).toEqual({
    sites: 22,
    found: [0, 0, 0],
    falseLive: [],
    falsePreLaunch: [],
  })
})

test('a section or a state that misses its goal is named', () => {
  const perfect = { right: 1, wrong: 0, missed: 0 }
  const sections = Object.fromEntries(scoredSections.map(section => [section, perfect])) as Score['sections']
  const good: Score = {
    sites: 1,
    pages: 1,
    sections,
    tempted: 0,
    falseLive: [],
    falsePreLaunch: [],
    mistakes: [],
  }
  expect(missedGoals('tuning', good)).toEqual([])
  const low = { ...good.sections, launch: { right: 97, wrong: 3, missed: 0 } }
  expect(missedGoals('tuning', { ...good, sections: low })).toEqual([
    'launch: a precision of 0.98 and a recall of 0.9',
  ])
  const wrong = { ...good, tempted: 1, falseLive: ['otter'], falsePreLaunch: ['heron'] }
  expect(missedGoals('tuning', wrong)).toEqual(['no tempting value', 'no false pre_launch', 'no false live'])
})
