import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSearchWorld, type SearchWorld } from '../fixture.ts'
import type { SearchQuery, SearchSubject, Term } from '../index.ts'
import { isRareText, isRareWord } from './common-words.ts'
import { compileText, type TextQuery } from './text-query.ts'

const roles = ['operator', 'game_studio', 'affiliate_media']
const jurisdictions = ['mga', 'ukgc']

/** All six hundred Companies are named … Gaming Limited, and seven of them Wolverine Gaming. */
const companies = Array.from({ length: 600 }, (_, index) => ({
  kind: 'company' as const,
  key: `c${index}`,
  company_name: `${index % 91 === 0 ? 'Wolverine' : `Otter${index}`} Gaming`,
  legal_entity: `${index % 91 === 0 ? 'Wolverine' : `Otter${index}`} Gaming Limited`,
  role: [roles[index % roles.length]],
}))
const licenses = companies.map(({ key }, index) => ({
  kind: 'license' as const,
  jurisdiction: jurisdictions[index % jurisdictions.length],
  license_number: `0991${index}`,
  company: key,
  status: 'Active',
}))

let world: SearchWorld
let unread: SearchWorld

async function openLoaded(): Promise<SearchWorld> {
  const opened = await openSearchWorld()
  await opened.load([...companies, ...licenses])
  return opened
}

beforeAll(async () => {
  world = await openLoaded()
  await sql`analyze company_search, license_search`.execute(world.world.database)
  unread = await openLoaded()
  await sql`alter table company_search set (autovacuum_enabled = false)`.execute(unread.world.database)
  await sql`delete from pg_statistic where starelid = 'company_search'::regclass`.execute(
    unread.world.database,
  )
})

afterAll(() => Promise.all([world.close(), unread.close()]))

const isFew = ({ world }: SearchWorld, text: string, subject: SearchSubject = 'company') =>
  isRareText(world, subject, compileText(subject, text) as TextQuery)

describe('rare texts', () => {
  test.each(['Wolverine', 'wolverine gaming', 'Gaming Wolverine Limited', 'Otter17', 'nobody'])(
    'a text is rare if one of its words is: %s',
    async text => expect(await isFew(world, text)).toBe(true),
  )

  test.each(['Gaming', 'gami', 'gaming ltd', 'ot', 'Limited', 'A/S'])(
    'a text of common, short or beginning words, or of a legal form, is not rare: %s',
    async text => expect(await isFew(world, text)).toBe(false),
  )

  test('a text that may begin every license number is not rare', async () => {
    expect(await isFew(world, '0991', 'license')).toBe(false)
    expect(await isFew(world, 'Wolverine', 'license')).toBe(true)
  })

  test('no text is rare without statistics of the words', async () => {
    expect(await isFew(unread, 'Wolverine')).toBe(false)
  })
})

const common = ['betting', 'casinos', 'gaming', 'play']

test.each(['zebra', 'aard', 'bettings', 'casinox', 'gamblers'])(
  'the word %s is rare, because no common word has this beginning',
  word => expect(isRareWord(word, common)).toBe(true),
)

test.each(['gaming', 'gami', 'casino', 'play', 'bet', 'zoo'])('the word %s is not rare', word =>
  expect(isRareWord(word, common)).toBe(false),
)

const filtersOf = (values: Record<string, string>): Term[] =>
  Object.entries(values).map(([field, value]) => ({ field, value }))

test('a text with filters returns the same rows by either access path', async () => {
  for (const subject of ['company', 'license'] as const)
    for (const text of ['wolverine', 'wolverine gaming', 'gaming', 'otter17', 'Limited']) {
      const all = await everyRow({ subject, text })
      expect(all).not.toEqual([])
      for (const jurisdiction of jurisdictions) {
        const expected = all.filter(({ hit }) =>
          [hit.jurisdictions, hit.jurisdiction].flat().includes(jurisdiction),
        )
        const found = await everyRow({ subject, text, filters: filtersOf({ jurisdiction }) })
        expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
      }
    }
})

async function everyRow(query: Partial<SearchQuery>) {
  const { rows, total } = await world.find(query, { offset: 0 }, 1_000)
  expect(rows).toHaveLength(total)
  return rows
}
