import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Line } from '../../dataset/fixture.ts'
import { openSearchWorld, type ReadRow, type SearchWorld } from './fixture.ts'
import { countFacets, type SearchQuery } from './index.ts'

let world: SearchWorld

const words = ['otter', 'lucky', 'royal', 'bet', 'casino', 'kite', 'spil', 'nordic', 'play', 'gold']
const forms = ['Ltd', 'AB', 'plc', '']
const roles = ['operator', 'game_studio', 'affiliate_media']
const geos = ['GB', 'SE', 'MT']

/** Returns Companies whose names share many words and beginnings, so that most rows have the same rank. */
function manyCompanies(): Line[] {
  return Array.from({ length: 160 }, (_, index) => {
    const word = (step: number) => words[(index * step + Math.floor(index / 7)) % words.length] as string
    const name = `${word(1)} ${word(3)} ${forms[index % forms.length]}`.trim()
    return {
      kind: 'company',
      key: `c${index}`,
      company_name: name,
      role: [roles[index % roles.length]],
      ...(index % 5 === 0 ? { country: 'SE' } : {}),
      ...(index % 4 === 0 ? { brands: [`${word(7)}${word(3)}`] } : {}),
      geo_hints: index % 2 === 0 ? [geos[index % 3]] : [],
    }
  })
}

beforeAll(async () => {
  world = await openSearchWorld()
  await world.load(manyCompanies())
})

afterAll(() => world.close())

const text = fc.option(
  fc.oneof(
    fc.constantFrom(...words),
    fc.tuple(fc.constantFrom(...words), fc.constantFrom(...words)).map(pair => pair.join(' ')),
    fc.constantFrom(
      'ot',
      'lucky ot',
      'casin',
      'ottre',
      'cassino',
      'luckyroyal',
      'otter ltd',
      'nrodic spil',
      'qqqq',
    ),
  ),
  { nil: undefined },
)
const filters = fc.subarray([
  { field: 'role', value: 'operator' },
  { field: 'geo', value: 'GB' },
  { field: 'affiliate_program', value: 'false' },
])
const searches = fc.record({ subject: fc.constant('company' as const), text, filters })

const shown = (rows: readonly ReadRow[]) =>
  rows.map(({ id, rank, score, highlight }) => ({ id, rank, score, highlight }))

async function byPages(query: SearchQuery, size: number): Promise<ReadRow[]> {
  const rows: ReadRow[] = []
  for (let offset = 0; ; offset += size) {
    const page = await world.find(query, { offset }, size)
    rows.push(...page.rows)
    expect(page.next === null).toBe(offset + page.rows.length >= page.total)
    if (page.rows.length < size) return rows
  }
}

async function byCursor(query: SearchQuery, size: number): Promise<ReadRow[]> {
  const rows: ReadRow[] = []
  for (let page = await world.find(query, { offset: 0 }, size); ; ) {
    rows.push(...page.rows)
    if (page.next === null) return rows
    page = await world.find(query, { after: page.next }, size)
  }
}

test('pages of a search of any size, by number or cursor, have the same rows in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(searches, fc.integer({ min: 1, max: 60 }), async (query, size) => {
      const whole = await world.find(query, { offset: 0 }, 500)
      expect(whole.rows).toHaveLength(whole.total)
      expect(new Set(whole.rows.map(row => row.id)).size).toBe(whole.total)
      expect(whole.rows.map(row => row.rank)).toEqual(whole.rows.map((_, index) => index + 1))
      expect(shown(await byPages(query, size))).toEqual(shown(whole.rows))
      expect(shown(await byCursor(query, size))).toEqual(shown(whole.rows))
    }),
    { numRuns: 60 },
  )
})

test('totals, facets and scores of a search agree with its rows', async () => {
  await fc.assert(
    fc.asyncProperty(searches, async query => {
      const { total, rows } = await world.find(query, { offset: 0 }, 500)
      expect(rows).toHaveLength(total)
      const [facet] = await countFacets(world.world, query, ['role'])
      const counted = Map.groupBy(rows, ({ hit }) => (hit.role as string[])[0] as string)
      expect(new Map(facet?.values.map(({ value, count }) => [value, count]))).toEqual(
        new Map([...counted].map(([role, of]) => [role, of.length])),
      )
      const scores = rows.map(row => row.score)
      if (query.text === undefined) expect(new Set(scores).size).toBeLessThanOrEqual(1)
      else expect(scores).toEqual((scores as number[]).toSorted((one, other) => other - one))
      for (const score of scores) if (score !== null) expect(score > 0 && score <= 1).toBe(true)
    }),
    { numRuns: 60 },
  )
})

test('rows and total of a search are of one version of the data, even during writes', async () => {
  const writing = (async () => {
    for (let number = 0; number < 6; number += 1)
      await world.load([{ kind: 'company', key: `late${number}`, company_name: `Kingfisher ${number}` }])
  })()
  const totals: number[] = []
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const { rows, total } = await world.find({ text: 'kingfisher' }, { offset: 0 }, 50)
    expect(rows).toHaveLength(total)
    totals.push(total)
  }
  await writing
  expect(totals).toEqual(totals.toSorted((one, other) => one - other))
  expect((await world.find({ text: 'kingfisher' })).total).toBe(6)
})

test('invalid_cursor: a cursor of another kind of search is refused', async () => {
  const { next } = await world.find({ text: 'otter' }, { offset: 0 }, 1)
  await expect(world.find({}, { after: next as string[] }, 1)).rejects.toThrow(/cursor/i)
  await expect(world.find({ text: 'otter' }, { after: ['1', '2'] }, 1)).rejects.toThrow(/cursor/i)
})
