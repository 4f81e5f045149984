import type { TObject } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonText } from '../../core/json-text.ts'
import { closedObject } from '../../core/schema.ts'
import { companyHit, writeCompanyHit } from '../companies/search/company-hit.ts'
import { licenseHit, writeLicenseHit } from '../licenses/search/license-hit.ts'
import { openSearchWorld, records, type SearchWorld } from './fixture.ts'
import { type ResultRow, type SearchSubject, searchRows, writerOf } from './index.ts'

// Stored hits bypass the serialiser, which would omit undeclared members. This test compares them with the
// declared schema, byte for byte.

let world: SearchWorld

const names = [
  'A "quoted" name \\ with a stroke',
  'Line\nbreak\u2028 and\ttab',
  '{"firmographics_available":true}',
  ',"firmographics_available":',
  'Ünïcödé 株式会社カジノ東京 👩‍👩‍👧 of more than forty-two characters',
  'x'.repeat(490),
  '<em>Otter</em> & Sons',
]

beforeAll(async () => {
  world = await openSearchWorld()
  const { rejects } = await world.load([
    ...records,
    ...names.map((company_name, index) => ({
      kind: 'company',
      key: `hostile${index}`,
      company_name,
      legal_entity: `${company_name} Limited`,
      brands: [company_name, `${company_name} Bet`],
    })),
    ...names.map((license_type, index) => ({
      kind: 'license',
      jurisdiction: 'mga',
      license_number: `H-${index} "${index}"`,
      company: `hostile${index}`,
      status: 'Active',
      license_type,
    })),
  ])
  expect(rejects).toEqual([])
})

afterAll(() => world.close())

const subjects: readonly {
  subject: SearchSubject
  declared: TObject
  /** The members that depend on the query. */
  place: readonly string[]
  write(row: ResultRow): JsonText
}[] = [
  {
    subject: 'company',
    declared: companyHit,
    place: ['rank', 'score', 'matched_fields', 'highlight'],
    write: writeCompanyHit,
  },
  {
    subject: 'license',
    declared: licenseHit,
    place: ['rank', 'domain_match_basis'],
    write: row => writeLicenseHit(row, { matches: new Map([[row.id, 'both']]) }),
  },
]

const pageOf = async (subject: SearchSubject, text?: string) =>
  (await searchRows(world.world, { subject, filters: [], text }, { position: { offset: 0 }, rows: 100 })).rows

describe.each(subjects)('a hit of a $subject', ({ subject, declared, place, write }) => {
  test('a stored hit is the JSON of the declared members, and of no others', async () => {
    const members = Object.entries(declared.properties).filter(([name]) => !place.includes(name))
    const writeDeclared = writerOf(closedObject(Object.fromEntries(members)))
    const rows = await pageOf(subject)
    expect(rows.length).toBeGreaterThan(names.length)
    for (const { hit } of rows) {
      expect(Object.keys(JSON.parse(hit))).toEqual(members.map(([name]) => name))
      expect(writeDeclared(JSON.parse(hit))).toBe(hit)
    }
  })

  test('a hit in an answer is the JSON of its row, with any highlight', async () => {
    const writeDeclared = writerOf(declared)
    const texts = [undefined, 'otter', 'mga', 'firmographics_available', 'quoted', 'Ünïcödé', 'xxx']
    for (const text of texts)
      for (const row of await pageOf(subject, text)) {
        const sent = [write(row)].flat().join('')
        expect(JSON.parse(sent)).toMatchObject({ ...JSON.parse(row.hit), rank: row.rank })
        expect(writeDeclared(JSON.parse(sent))).toBe(sent)
      }
  })
})
