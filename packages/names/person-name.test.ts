import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readPersonName, withoutContactPart } from './person-name.ts'

type Labelled = { places: string[]; name: string; isPerson: boolean }

const labelled = readFileSync(new URL('./labelled-names.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))
  .flatMap(line => {
    const [head = '', names = ''] = line.split(': ')
    const [language = '', country = '', label] = head.split(' ')
    return names
      .split('; ')
      .map((name): Labelled => ({ places: [language, country], name, isPerson: label === 'person' }))
  })
const wrong = (isPerson: boolean) =>
  labelled
    .filter(each => each.isPerson === isPerson)
    .filter(({ places, name }) => (readPersonName(name, places) === 'person') !== isPerson)
    .map(({ name }) => name)

describe('of at least 300 labelled names', () => {
  const people = labelled.filter(each => each.isPerson).length
  const firms = labelled.length - people

  test('at least 98 % of the people are recognised', () => {
    expect(labelled.length).toBeGreaterThanOrEqual(300)
    expect(wrong(true).length, wrong(true).join('; ')).toBeLessThanOrEqual(people * 0.02)
  })

  test('at most 0.5 % of the firms are taken for people', () => {
    expect(wrong(false).length, wrong(false).join('; ')).toBeLessThanOrEqual(firms * 0.005)
  })
})

test.each([
  ['Musterfeld Jürgen', 'doubtful'],
  ['J. Musterfeld', 'none'],
  ['Jürgen', 'none'],
  ['Jürgen Musterfeld 2', 'none'],
  ['', 'none'],
])('"%s" is read as %s', (name, reading) => expect(readPersonName(name, ['de'])).toBe(reading))

test('a given name counts only where registers print it', () => {
  expect(readPersonName('Torben Vesterlund', ['da'])).toBe('person')
  expect(readPersonName('Torben Vesterlund', ['pt', 'BR'])).toBe('none')
})

test.each([
  ['Støtteforeningen Duppen, c/o Karl Eksempelsen', 'Støtteforeningen Duppen'],
  ['Foreningen Sportens Venner v/kasserer Jens Prøvesen', 'Foreningen Sportens Venner'],
  ['Otter Club (att. Jane Doe)', 'Otter Club'],
  ['Toto-Lotto Birkental Inh. Jürgen Musterfeld', 'Toto-Lotto Birkental'],
  ['Attention Media ApS', 'Attention Media ApS'],
  ['Lotto z.Hd. Frau Ahornweg', 'Lotto'],
  ['c/o Karl Eksempelsen', 'c/o Karl Eksempelsen'],
])('a contact is cut off "%s"', (name, cut) => expect(withoutContactPart(name)).toBe(cut))
