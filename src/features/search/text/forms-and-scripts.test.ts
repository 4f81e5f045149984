import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSearchWorld, type SearchWorld } from '../fixture.ts'
import { identify } from '../index.ts'

const names = [
  'ООО «Рога и копыта»',
  'ТОВ "Паріматч"',
  'Державне підприємство Лото',
  'Красный Филин ООО',
  'SIA Laimz',
  'Olybet Latvia SIA',
  'UAB Baltic Bet',
  'Vilkas Bet, UAB',
  'AB Trav Galopp',
  'Aktiebolaget Tall Spel',
  'AS Roma Lotto',
  'Roma Slots',
  'AG Communications Limited',
  'Communications',
  'ΟΠΑΠ ΑΕ',
  'Ελληνικά Τυχερά Παιχνίδια Α.Ε.',
  'ΑΕ Χρυσή Κότα',
  'Игры Онлайн ЕООД',
  'შპს ბეტლაივი',
  'Otter Gaming Ltd',
]

let world: SearchWorld
beforeAll(async () => {
  world = await openSearchWorld()
  await world.load(names.map((company_name, index) => ({ kind: 'company', key: `n${index}`, company_name })))
})
afterAll(() => world.close())

async function search(text: string) {
  const { rows, basis } = await world.find({ text })
  return [basis, rows.map(({ hit }) => hit.company_name)]
}
const identity = async (text: string) =>
  (await identify(world.world, { subject: 'company', filters: [], text }))?.name

describe('a legal form in front of a name or in another alphabet', () => {
  test.each([
    ['ООО Рога и копыта', 'ООО «Рога и копыта»'],
    ['Рога и копыта', 'ООО «Рога и копыта»'],
    ['Рога и копыта ООО', 'ООО «Рога и копыта»'],
    ['Общество с ограниченной ответственностью "Рога и копыта"', 'ООО «Рога и копыта»'],
    ['ООО Красный Филин', 'Красный Филин ООО'],
    ['Паріматч ТОВ', 'ТОВ "Паріматч"'],
    ['Паріматч', 'ТОВ "Паріматч"'],
    ['ДП Лото', 'Державне підприємство Лото'],
    ['Laimz', 'SIA Laimz'],
    ['Laimz SIA', 'SIA Laimz'],
    ['Laimz, Sabiedrība ar ierobežotu atbildību', 'SIA Laimz'],
    ['SIA Olybet Latvia', 'Olybet Latvia SIA'],
    ['SIA "Olybet"', 'Olybet Latvia SIA'],
    ['Baltic Bet UAB', 'UAB Baltic Bet'],
    ['UAB Vilkas Bet', 'Vilkas Bet, UAB'],
    ['Trav Galopp AB', 'AB Trav Galopp'],
    ['Aktiebolaget Trav Galopp', 'AB Trav Galopp'],
    ['Tall Spel AB', 'Aktiebolaget Tall Spel'],
    ['Ltd Otter Gaming', 'Otter Gaming Ltd'],
    ['ΑΕ ΟΠΑΠ', 'ΟΠΑΠ ΑΕ'],
    ['ΟΠΑΠ', 'ΟΠΑΠ ΑΕ'],
    ['ΟΠΑΠ Α.Ε.', 'ΟΠΑΠ ΑΕ'],
    ['Ελληνικά Τυχερά Παιχνίδια Ανώνυμη Εταιρεία', 'Ελληνικά Τυχερά Παιχνίδια Α.Ε.'],
    ['Χρυσή Κότα', 'ΑΕ Χρυσή Κότα'],
    ['ЕООД Игры Онлайн', 'Игры Онлайн ЕООД'],
    ['ბეტლაივი', 'შპს ბეტლაივი'],
  ])('%s finds %s as text', async (text, name) => {
    expect(await search(text)).toEqual(['text', [name]])
  })

  test.each([
    ['ООО Рога и копыта', 'ООО «Рога и копыта»'],
    ['Laimz', 'SIA Laimz'],
    ['SIA Olybet Latvia', 'Olybet Latvia SIA'],
    ['opap', 'ΟΠΑΠ ΑΕ'],
  ])('%s names %s', async (text, name) => expect(await identity(text)).toBe(name))

  test('a short form that may be a word of the name is not left out of a typed name', async () => {
    expect(await search('AS Roma')).toEqual(['text', ['AS Roma Lotto']])
    expect(((await search('Roma'))[1] as string[]).toSorted()).toEqual(['AS Roma Lotto', 'Roma Slots'])
    expect((await search('AG Communications'))[1]).toContain('AG Communications Limited')
  })

  test('a legal form of another alphabet alone finds the names with it', async () => {
    const found = ['ООО «Рога и копыта»', 'Красный Филин ООО']
    const [basis, listed] = await search('ООО')
    expect([basis, (listed as string[]).toSorted()]).toEqual(['text', found.toSorted()])
  })
})

describe('Latin letters', () => {
  test.each([
    ['roga i kopyta', 'ООО «Рога и копыта»'],
    ['OOO Roga i Kopyta', 'ООО «Рога и копыта»'],
    ['TOV Parimatch', 'ТОВ "Паріматч"'],
    ['Krasnyy Filin', 'Красный Филин ООО'],
    ['OPAP', 'ΟΠΑΠ ΑΕ'],
    ['OPAP AE', 'ΟΠΑΠ ΑΕ'],
    ['Chrysi Kota', 'ΑΕ Χρυσή Κότα'],
    ['igry onlayn', 'Игры Онлайн ЕООД'],
    ['betlaivi', 'შპს ბეტლაივი'],
  ])('%s finds %s', async (text, name) => {
    expect(await search(text)).toEqual(['text', [name]])
  })

  test('another Latin spelling of a Cyrillic name is similar', async () => {
    expect(await search('Krasny Filin')).toEqual(['similar', ['Красный Филин ООО']])
  })

  test('Cyrillic letters find a name in Latin ones', async () => {
    expect(await search('Лаимз')).toEqual(['text', ['SIA Laimz']])
  })

  test('the match is marked in the letters of the name', async () => {
    const [row] = (await world.find({ text: 'kopyta' })).rows
    expect(row?.highlight).toEqual({ company_name: 'ООО «Рога и <em>копыта</em>»' })
  })
})
