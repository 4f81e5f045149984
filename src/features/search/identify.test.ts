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
  // Only one Company has exactly this name; Otter Ltd and Otter plc differ by the legal form.
  ['Otter', 'company_name', 'Otter', 'Otter'],
  ['Otter plc', 'company_name', 'Otter plc', 'Otter plc'],
])('the text %s identifies one Company, by its %s', async (text, type, name, company) => {
  expect(await identify(world.world, { subject: 'company', filters: [], text })).toMatchObject({
    type,
    name,
    company_name: company,
    company_ref: expect.stringMatching(/^co_/),
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
])('the text %s does not identify a Company, as it names none or several', async text => {
  expect(await identify(world.world, { subject: 'company', filters: [], text })).toBeNull()
})

test('a domain identifies its only Company, and a text decides over a domain', async () => {
  const query = { subject: 'company', filters: [], domain: 'luckyotter.example' } as const
  expect(await identify(world.world, query)).toMatchObject({
    type: 'domain',
    name: 'luckyotter.example',
    company_name: 'Ottermoor Gaming',
    legal_entity: 'Ottermoor Gaming Limited',
    aliases: ['Ottermoor'],
    official_domain: 'ottermoor-gaming.example',
  })
  expect(await identify(world.world, { ...query, text: 'Pebble & Pike' })).toMatchObject({
    company_name: 'Pebble & Pike',
  })
  expect(await identify(world.world, { ...query, domain: 'pikebet.example' })).toBeNull()
})
