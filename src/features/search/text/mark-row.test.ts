import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSearchWorld, records, type SearchWorld } from '../fixture.ts'

let world: SearchWorld

const names = [
  'LeoVegas',
  "O'Neill Bookmakers",
  'Sean O`Neill Bets',
  'Fun+ Games',
  'C++ Games',
  '++Nine',
  'A / S Otterby',
  'B.V. Kingfisher',
  'Bet365',
  'Spillehal og Casino Ltd',
  '株式会社カジノ東京',
  'Betway™',
  '½ Pint Play',
  'ﷺ',
]

beforeAll(async () => {
  world = await openSearchWorld()
  await world.load([
    ...records,
    ...names.map((company_name, index) => ({ kind: 'company', key: `marked${index}`, company_name })),
    { kind: 'company', key: 'clemens', company_name: 'Clemens' },
    { kind: 'domain', domain: 'clemensspillehal.example', company: 'clemens', relation: 'licensee' },
  ])
})

afterAll(() => world.close())

test.each([
  ['leo vegas', { company_name: '<em>LeoVegas</em>' }],
  ['leo veg', { company_name: '<em>LeoVegas</em>' }],
  ['o neill', { company_name: '<em>O&#39;Neill</em> Bookmakers' }],
  ['luckyott', { brands: '<em>Lucky</em> <em>Otter</em>' }],
  ['pebble an', { company_name: '<em>Pebble</em> <em>&amp;</em> Pike' }],
  ['otter roy', { brands: '<em>Otter</em> <em>Royale</em>' }],
  ['otter public limited c', { company_name: '<em>Otter plc</em>' }],
  ['++', { company_name: '<em>++</em>Nine' }],
])('a name that begins with %j is marked as far as the text reaches', async (text, highlight) => {
  const { rows } = await world.find({ text })
  expect(rows.map(row => row.highlight)).toContainEqual(expect.objectContaining(highlight))
})

test.each([
  ['plc', 'Otter plc', { company_name: 'Otter <em>plc</em>' }],
  ['public limited company', 'Otter plc', { company_name: 'Otter <em>plc</em>' }],
  ['aktieselskab', 'Havmåge Spil', { legal_entity: 'Havmåge Spil <em>A/S</em>' }],
])('the legal form %j alone is marked in a name', async (text, name, highlight) => {
  const { rows, basis } = await world.find({ text })
  expect(basis).toBe('text')
  expect(rows.find(row => row.hit.company_name === name)).toMatchObject({
    matchedFields: Object.keys(highlight),
    highlight,
  })
})

test('a domain is marked whole if one of its words contains the text', async () => {
  const text = 'emensspil'
  const { rows, basis } = await world.find({ text })
  expect(basis).toBe('similar')
  expect(rows).toMatchObject([
    { matchedFields: ['domains'], highlight: { domains: '<em>clemensspillehal.example</em>' } },
  ])
  expect(rows[0]?.score).toBeGreaterThan(0)
})

const spelt = fc.constantFrom(
  ...names,
  ...records.flatMap(({ company_name, legal_entity, brands }) =>
    [company_name, legal_entity, brands].flat().filter(name => typeof name === 'string'),
  ),
)
/** Draws a text: a name, maybe without blanks, with an extra blank, and cut off. */
const typed = fc
  .record({
    name: spelt,
    isJoined: fc.boolean(),
    blankAt: fc.nat({ max: 30 }),
    length: fc.integer({ min: 2, max: 30 }),
  })
  .map(({ name, isJoined, blankAt, length }) => {
    const letters = [...(isJoined ? name.replaceAll(' ', '') : name)]
    return letters.toSpliced(blankAt, 0, ' ').slice(0, length).join('').trim()
  })
  .filter(text => text !== '')

test('every result of any spelling has a matched field with a marked text', async () => {
  await fc.assert(
    fc.asyncProperty(typed, async text => {
      const { rows } = await world.find({ text })
      for (const { hit, score, matchedFields, highlight } of rows) {
        expect(matchedFields, `${text} finds ${hit.company_name}`).not.toEqual([])
        expect(Object.values(highlight).every(shown => shown.includes('<em>'))).toBe(true)
        expect(score).toBeGreaterThan(0)
      }
    }),
    { numRuns: 400 },
  )
})
