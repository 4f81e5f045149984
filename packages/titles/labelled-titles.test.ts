import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readTitle } from './read-title.ts'
import { type RoleKey, roleKeys } from './role-glossary.ts'

const letters: Record<string, RoleKey> = {
  c: 'ceo',
  t: 'cto',
  o: 'compliance',
  p: 'payments',
  a: 'affiliates',
  m: 'marketing_leads',
  r: 'product_leads',
  d: 'decision_makers',
}

type Labelled = { title: string; keys: RoleKey[]; unjudged: RoleKey[] }

const keysOf = (text = ''): RoleKey[] => [...text.trim()].map(letter => letters[letter] as RoleKey)

async function readLabelled(): Promise<Labelled[]> {
  const text = await readFile(new URL('labelled-titles.txt', import.meta.url), 'utf8')
  return text
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => {
      const [title = '', labels = ''] = line.split(/ =/)
      const [keys, unjudged] = labels.split('?')
      return { title, keys: keysOf(keys), unjudged: keysOf(unjudged) }
    })
}

/** The rules do not know sports clubs and schools. */
const knownMistakes = ['Chairman, Football Club', 'Head of Year']

test('titles labelled by hand have the labelled keys, with two known mistakes', async () => {
  const labelled = await readLabelled()
  expect(labelled.length).toBeGreaterThan(350)
  const mistakes: string[] = []
  const counts = { right: 0, wrong: 0, missed: 0 }
  for (const { title, keys, unjudged } of labelled) {
    const read = readTitle(title).roleKeys
    const judged = roleKeys.filter(key => !unjudged.includes(key))
    const wrong = judged.filter(key => read.includes(key) && !keys.includes(key))
    const missed = judged.filter(key => !read.includes(key) && keys.includes(key))
    counts.right += keys.length - missed.length
    counts.wrong += wrong.length
    counts.missed += missed.length
    if (wrong.length + missed.length > 0) mistakes.push(title)
  }
  expect(mistakes).toEqual(knownMistakes)
  expect(counts).toEqual({ right: expect.any(Number), wrong: knownMistakes.length, missed: 0 })
  expect(counts.right).toBeGreaterThan(300)
})
