import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openWorld, type World } from '../../../database/open.ts'
import type { Line } from '../../../dataset/fixture.ts'
import { prepareQuery } from '../at-one-version.ts'
import { readFacets } from '../facets-store.ts'
import { openSearchWorld, type SearchWorld } from '../fixture.ts'
import { type SearchQuery, searchRows } from '../index.ts'
import { listFacets } from '../list-facets.ts'
import { countedField, facetFields } from '../rows/search-row.ts'
import { countedMatch, summariseSearch } from '../summarise.ts'
import { followFacets } from './follow-facets.ts'

let testWorld: SearchWorld
/** A second process with its own caches and table. */
let other: World

const roles = ['operator', 'game_studio', 'affiliate_media']
const geos = ['GB', 'gb', 'SE', 'MT', 'Málta']
const companyOf = (number: number, geo: number, role: number): Line => ({
  kind: 'company',
  key: `c${number}`,
  company_name: `${['Otter', 'Kite'][number % 2]} ${number}`,
  role: [roles[role % roles.length]],
  geo_hints: geos.slice(geo % geos.length),
})

beforeAll(async () => {
  testWorld = await openSearchWorld()
  await testWorld.load(Array.from({ length: 60 }, (_, number) => companyOf(number, number, number)))
  other = openWorld('public', { connection: testWorld.connection })
  await ready(other)
})
afterAll(async () => {
  await other.close()
  await testWorld.close()
})

async function ready(world: World): Promise<void> {
  await vi.waitUntil(() => followFacets(world, 'company').isReady, { interval: 5, timeout: 10_000 })
}

const queryOf = (text: string, value?: string): SearchQuery => ({
  subject: 'company',
  text,
  filters: value === undefined ? [] : [{ field: 'role', value }],
})

async function ofStatement(query: SearchQuery) {
  const { query: prepared } = await prepareQuery(other, query, 'now')
  if (prepared === null) return facetFields.company.map(field => ({ field, values: [] }))
  const match = countedMatch(prepared, await summariseSearch(other, prepared))
  const { facets } = await readFacets(other, match, facetFields.company.map(countedField))
  return listFacets(facetFields.company, facets)
}

async function ofPage(query: SearchQuery) {
  const page = { position: { offset: 0 }, rows: 3, facets: facetFields.company }
  const { facets, total } = await searchRows(other, query, page)
  return total === 0 ? facetFields.company.map(field => ({ field, values: [] })) : facets
}

const change = fc.tuple(fc.nat(80), fc.nat(9), fc.nat(9))

test('facets counted in memory equal facets counted by SQL, even after another process imports', async () => {
  let counted = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { maxLength: 6 }),
      fc.constantFrom('otter', 'kite', 'ot', 'ottre', 'nothing'),
      fc.option(fc.constantFrom(...roles), { nil: undefined }),
      async (changes, text, role) => {
        await testWorld.load(changes.map(each => companyOf(...each)))
        const query = queryOf(text, role)
        expect(followFacets(other, 'company').isReady).toBe(true)
        const found = await ofPage(query)
        expect(found).toEqual(await ofStatement(query))
        counted += found?.[0]?.values.length ?? 0
      },
    ),
    { numRuns: 25 },
  )
  expect(counted).toBeGreaterThan(0)
})

test('facets are counted without SQL while the table in memory is current', async () => {
  await testWorld.load([companyOf(1, 2, 2)])
  const statements: string[] = []
  const search = other.search.bind(other)
  const watched: World = {
    ...other,
    search: (text, values) => {
      statements.push(text)
      return search(text, values)
    },
  }
  await ready(watched)
  const found = await searchRows(watched, queryOf('otter 3'), {
    position: { offset: 0 },
    rows: 3,
    facets: facetFields.company,
  })
  expect(found.facets).toEqual(await ofStatement(queryOf('otter 3')))
  expect(statements).toHaveLength(1)
  expect(statements[0]).not.toContain('unnest')
})

test('PostgreSQL counts facets until the table in memory has loaded all rows', async () => {
  await testWorld.load(Array.from({ length: 4_100 }, (_, index) => companyOf(1_000 + index, index, index)))
  const query = queryOf('kite')
  const wanted = await ofStatement(query)
  // The table of this process lacks the 4,100 new rows.
  const found = await ofPage(query)
  if (found !== null) expect(found).toEqual(wanted)
  await ready(other)
  await testWorld.load([companyOf(1, 1, 1)])
  expect(await ofPage(query)).toEqual(await ofStatement(query))
})

test('facets of a world that was emptied no longer count its former rows', async () => {
  await testWorld.empty()
  await testWorld.load([companyOf(7, 0, 0)])
  const query = queryOf('kite')
  expect(await ofPage(query)).toEqual(await ofStatement(query))
})
