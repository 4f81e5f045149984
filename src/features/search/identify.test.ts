import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSearchWorld, records, type SearchWorld } from './fixture.ts'
import { identify } from './index.ts'

let world: SearchWorld

beforeAll(async () => {
  world = await openSearchWorld()
  await world.load(records)
})

afterAll(() => world.close())

test.each([
  ['Ottermoor Gaming', 'company_name', 'Ottermoor Gaming', 'Ottermoor Gaming'],
  ['OTTERMOOR GAMING LTD', 'legal_entity', 'Ottermoor Gaming Limited', 'Ottermoor Gaming'],
  ['lucky otter', 'brand', 'Lucky Otter', 'Ottermoor Gaming'],
  ['LuckyOtter', 'brand', 'Lucky Otter', 'Ottermoor Gaming'],
  ['ottermoor', 'alias', 'Ottermoor', 'Ottermoor Gaming'],
  ['Havmage Spil', 'company_name', 'Havmåge Spil', 'Havmåge Spil'],
  ['https://luckyotter.example/', 'domain', 'luckyotter.example', 'Ottermoor Gaming'],
  // One exact match; Otter Ltd and Otter plc differ by the legal form.
  ['Otter', 'company_name', 'Otter', 'Otter'],
  ['Otter plc', 'company_name', 'Otter plc', 'Otter plc'],
])('%s names one Company, by its %s', async (text, type, name, company) => {
  expect(await identify(world.world, { subject: 'company', filters: [], text })).toMatchObject({
    type,
    name,
    companyName: company,
    companyRef: expect.stringMatching(/^co_/),
  })
})

test.each([
  'Twin Star',
  'Otter GmbH',
  'otter gaming',
  'Otermoor',
  'pikebet.example',
  'nobodys.example',
  '🎲',
  '&&',
])('%s names no Company, or more than one', async text => {
  expect(await identify(world.world, { subject: 'company', filters: [], text })).toBeNull()
})

test('a domain identifies its only Company; a text takes precedence', async () => {
  const query = { subject: 'company', filters: [], domain: 'luckyotter.example' } as const
  expect(await identify(world.world, query)).toMatchObject({
    type: 'domain',
    name: 'luckyotter.example',
    companyName: 'Ottermoor Gaming',
    legalEntity: 'Ottermoor Gaming Limited',
    aliases: ['Ottermoor'],
    officialDomain: 'ottermoor-gaming.example',
  })
  expect(await identify(world.world, { ...query, text: 'Pebble & Pike' })).toMatchObject({
    companyName: 'Pebble & Pike',
  })
  expect(await identify(world.world, { ...query, domain: 'pikebet.example' })).toBeNull()
})
