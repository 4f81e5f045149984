import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDemoRecords } from '../../../../test/harness/demo-world.ts'
import { day } from '../../../registers/fixture.ts'
import { type CompanyService, type Parameters, startCompanyService } from './fixture.ts'

let service: CompanyService
beforeAll(async () => {
  service = await startCompanyService({ world: 'demo' })
})
afterAll(() => service.close())

async function leadsTo(ref: string, parameters: Parameters): Promise<boolean> {
  const { companies, matches } = await service.answer(parameters)
  return [...companies, ...matches].some((company: { company_ref: string }) => company.company_ref === ref)
}

type Named = { [field in 'company_name' | 'legal_entity' | 'brands' | 'aliases']?: unknown }

function namesOf({ company_name, legal_entity, brands = [], aliases = [] }: Named): string[] {
  return [company_name, legal_entity, brands, aliases].flat().filter(name => typeof name === 'string')
}

test('every Company of the demo world is found by each of its identifiers', async () => {
  const records = await readDemoRecords()
  const lookups: [string, Parameters][] = []
  for (const record of records) {
    const ref = async () => service.refOf(`import:${record.kind === 'company' ? record.key : record.company}`)
    if (record.kind === 'company') {
      for (const name of namesOf(record as Named)) lookups.push([await ref(), { name }])
      if (record.legal_entity) lookups.push([await ref(), { legal_entity: String(record.legal_entity) }])
      lookups.push([await ref(), { company_ref: await ref() }])
    } else if (record.kind === 'license') {
      const { license_number, jurisdiction } = record
      lookups.push([await ref(), { license_number, jurisdiction }])
      for (const domain of record.authorized_domains ?? []) lookups.push([await ref(), { domain }])
    } else if (record.kind === 'domain' && record.company !== undefined) {
      lookups.push([await ref(), { domain: record.domain }])
    }
  }
  expect(lookups.length).toBeGreaterThan(400)
  const missed = await Promise.all(
    lookups.map(async ([ref, parameters]) => ((await leadsTo(ref, parameters)) ? [] : [parameters])),
  )
  expect(missed.flat()).toEqual([])
})

const scripts = [
  'latin',
  'ÆØÅ æøå',
  'ŁÓDŹ łódź',
  'ΆΛΦΑ άλφα',
  'ЇЖАК їжак',
  'ՀԱՅ հայ',
  '王者カジノ',
  'كازينو',
  'ßẞ',
  '🎰',
  '\'&\\%_"',
  'ﷺ',
]
const word = fc.oneof(
  fc.constantFrom(...scripts),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
)
/** Draws names in any script, but none of combining marks alone, which are invalid. */
const name = fc
  .array(word, { minLength: 1, maxLength: 6 })
  .map(words => words.join(' ').trim())
  .filter(text => /[\p{L}\p{N}\p{S}\p{P}]/u.test(text) && text.length <= 500)

/** Matches capitals of Latin, Greek, Cyrillic and Armenian that have exactly one lower-case form. */
const capital = /[A-ZÀ-ÖØ-Þ\u0100-\u012f\u0132-\u017dΑ-ΡΣ-ΩЀ-ЯҐԱ-Ֆ]/gu

/** Changes the spelling of a name: its spaces, its case if that maps one to one, or its accents. */
const spellings: ((text: string) => string)[] = [
  text => text,
  text => ` ${text.replaceAll(' ', '\u00a0  ')} `,
  text => text.replaceAll(/[a-z]/g, letter => letter.toUpperCase()),
  text => text.replaceAll(capital, letter => letter.toLowerCase()),
  text => text.normalize('NFD'),
  text => text.normalize('NFC'),
]

const companies = fc.array(
  fc.record({
    company_name: fc.option(name, { nil: null }),
    legal_entity: fc.option(name, { nil: null }),
    brands: fc.uniqueArray(name, { maxLength: 3 }),
    aliases: fc.uniqueArray(name, { maxLength: 3 }),
  }),
  { minLength: 5, maxLength: 15 },
)

test('a Company is found by each of its names in any spelling', async () => {
  let files = 0
  await fc.assert(
    fc.asyncProperty(companies, fc.constantFrom(...spellings), async (records, spelled) => {
      files += 1
      const keyOf = (index: number) => `${files}-${index}`
      const lines = records.map((names, index) => ({ kind: 'company', key: keyOf(index), ...names }))
      await service.load(day(1), ...lines)
      for (const [index, names] of records.entries()) {
        const ref = await service.refOf(`import:${keyOf(index)}`)
        for (const stored of namesOf(names))
          expect(await leadsTo(ref, { name: spelled(stored) }), JSON.stringify(spelled(stored))).toBe(true)
        const filed = names.legal_entity
        if (filed !== null) expect(await leadsTo(ref, { legal_entity: spelled(filed) })).toBe(true)
      }
    }),
    { numRuns: 8 },
  )
})
