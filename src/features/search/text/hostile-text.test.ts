import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSearchWorld, records, type SearchWorld } from '../fixture.ts'
import { countFacets, identify, type SearchSubject } from '../index.ts'

let world: SearchWorld

beforeAll(async () => {
  world = await openSearchWorld()
  await world.load([...records, { kind: 'company', key: 'x', company_name: "D'Otter \\ (Söns) & 'Co' :* !" }])
})

afterAll(() => world.close())

async function searchFor(subject: SearchSubject, text: string): Promise<number> {
  const query = { subject, filters: [], text }
  const { total, rows, next } = await world.find(query, { offset: 0 }, 2)
  expect(rows.length).toBe(Math.min(total, 2))
  if (next !== null) await world.find(query, { after: next }, 2)
  await countFacets(world.world, query, ['jurisdiction', 'license_status'])
  await identify(world.world, query)
  for (const { highlight } of rows)
    for (const shown of Object.values(highlight)) expect(shown.replaceAll(/<\/?em>/g, '')).not.toMatch(/[<>]/)
  return total
}

const subjects = ['company', 'license'] as const

const texts = [
  "'",
  "''",
  '\\',
  "\\'",
  "otter'; drop table companies; --",
  "') | ('otter",
  'otter & !otter',
  'otter:*',
  'otter <-> gaming',
  '!otter',
  '(((((((',
  'otter | ',
  ':ABCD',
  "':*",
  '%',
  '_____',
  '%otter%',
  '.*',
  '(a+)+$',
  '[',
  '\0',
  'otter\0',
  '\ud800',
  'otter\udc00',
  '\ufeff\u200b\u200d',
  '🎰',
  '👨‍👩‍👧‍👦 otter',
  'AB',
  '&&',
  '++',
  '٣٤٥',
  '狐狸',
  'لعبة',
  'ไฟี',
  'ﷺ'.repeat(66),
  'a.'.repeat(100),
  "a'".repeat(100),
  'x'.repeat(200),
  `${'ab '.repeat(66)}`,
  'é'.repeat(200),
  '🎲'.repeat(100),
  'limited limited limited',
  'http://[::1]/',
  'otter.example..',
  'xn--.example',
  '-1',
  'null',
  'undefined',
]

test.each(subjects)('a search of %s accepts any text', async subject => {
  for (const text of texts) expect(await searchFor(subject, text), text).toBeGreaterThanOrEqual(0)
})

test('search finds a name with symbols and quotes', async () => {
  for (const text of ["D'Otter", 'dotter sons', "D'Otter \\ (Söns) & 'Co' :* !"])
    expect(await searchFor('company', text)).toBe(1)
})

test('no text in any script makes a search fail or take long', async () => {
  const unit = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }),
    fc.constantFrom(
      'otter',
      'gam',
      ' ',
      "'",
      '\\',
      ':*',
      '&',
      '|',
      '!',
      '(',
      ')',
      '<->',
      '.',
      '-',
      '\0',
      'é',
      '🎰',
      'ltd',
    ),
  )
  const text = fc.array(unit, { minLength: 1, maxLength: 40 }).map(units => units.join('').slice(0, 200))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...subjects), text, async (subject, typed) => {
      await searchFor(subject, typed)
    }),
    { numRuns: 150 },
  )
})
