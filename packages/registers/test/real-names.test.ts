/** Reads the names of licensees in real files, if present: no firm among them may be taken for a person. */
import { readFileSync } from 'node:fs'
import { fileOfBytes } from '@baize/tables'
import { describe, expect, test } from 'vitest'
import { findStream } from '../streams.ts'
import { gather } from './gather.ts'
import { data, hasRealFiles, ukgcFiles } from './real-files.ts'

/** The people in these files have fictional names, as `official-2026/README.md` says. */
const fictional = /\b(?:Beispiel|Eksempelsen|Prøvesen)\b/

const firmsExpected = 141

const files: [key: string, paths: string[]][] = [
  ['ukgc.licences', ukgcFiles('2026-10-09')],
  ['denmark.operators', ['denmark/spillemyndigheden-licensed-operators_sample_2026-10-02.tsv']],
  ['denmark.operators', ['official-2026/dk_spillemyndigheden_2026-10-02_part.tsv']],
  ['mga.licensees', ['malta/mga_licensees_sample_2026-10-09.json']],
  ['brazil.brands', ['brazil/BetsBrasileiras_bets_2025-01-26.json']],
  ['germany.operators', ['official-2026/de_ggl_2026-10-02_trimmed.html']],
  ['belgium.casinos', ['official-2026/be_aplus_2026-10-02.json']],
  ['cyprus.bookmakers', ['official-2026/cy_class_b_2026-10_trimmed.html']],
  ['spain.sites', ['official-2026/es_dgoj_page0_2026-10_trimmed.html']],
  ['portugal.operators', ['official-2026/pt_srij_2026-10_trimmed.html']],
]

async function read(key: string, paths: readonly string[]) {
  const stream = findStream(key)
  if (stream === undefined) throw new Error(`${key} is not a stream`)
  const sources = paths.map(path => fileOfBytes(path, readFileSync(new URL(path, data))))
  return gather(stream.read(sources))
}

describe.skipIf(!hasRealFiles)('names in real files (skipped without ../shared/data)', () => {
  test('of the real names of firms none is taken for a person, and the person is hidden', async () => {
    const firms = new Set<string>()
    const hidden: string[] = []
    for (const [key, paths] of files)
      for (const { legalName, isPerson } of (await read(key, paths)).licensee) {
        if (isPerson === true) hidden.push(`${key}: ${legalName}`)
        else firms.add(legalName)
      }
    expect(hidden).toEqual(['germany.operators: Natural person'])
    expect([...firms].filter(name => fictional.test(name))).toEqual([])
    expect(firms.size).toBe(firmsExpected)
  })
})
