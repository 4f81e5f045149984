import build from 'fast-json-stringify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { day } from '../../../registers/fixture.ts'
import { companyProfile } from './company-profile.ts'
import { type CompanyService, startCompanyService } from './fixture.ts'
import { resolutionKey, resolutions } from './resolutions-store.ts'

// PostgreSQL writes profiles as text. These tests compare the text with the schema, byte for byte.

const serialise = build(companyProfile as unknown as build.AnySchema)
const asDeclared = (text: string) => serialise(JSON.parse(text))

let service: CompanyService
beforeAll(async () => {
  service = await startCompanyService({ world: 'demo_with_registers' })
})
afterAll(() => service.close())

async function profileSql(ref: string): Promise<string> {
  const found = await service.service.live.readByKey(
    resolutions,
    resolutionKey('profiles', 'company_ref', ref),
  )
  return found?.profiles ?? `no Company ${ref}`
}

test('a profile has exactly the members of its schema, in their order', async () => {
  const { database } = service.service.live
  const companies = await database.selectFrom('companies').select('company_ref').execute()
  expect(companies.length).toBeGreaterThan(40)
  for (const { company_ref } of companies) {
    const profile = await profileSql(company_ref)
    expect(profile).toBe(asDeclared(profile))
    expect(Object.keys(JSON.parse(profile))).toEqual(
      Object.keys(companyProfile.properties).filter(name => name !== 'firmographics'),
    )
  }
})

const awkward = 'Quote " backslash \\ tab \t line \u2028 control \u0001 del \u007f emoji 🦦 </script>'

test('a profile with special characters is valid JSON', async () => {
  await service.load(
    day(1),
    {
      kind: 'company',
      key: 'awkward',
      company_name: awkward,
      legal_entity: `${awkward} Limited`,
      role: ['operator', 'game_studio'],
      country: 'MT',
      brands: [awkward, 'a,b', '{c}'],
      apps: [
        { store: 'app_store', app_id: awkward, url: 'https://apps.example/b' },
        { store: 'google_play', app_id: 'a', url: 'https://apps.example/a' },
      ],
      geo_hints: ['Z', 'a', 'É', 'B'],
      evidence_routes: ['website', 'register'],
    },
    {
      kind: 'domain',
      domain: 'awkward.example',
      company: 'awkward',
      relation: 'brand_owner',
      inferred_geo: 'Å',
    },
    { kind: 'observation', domain: 'awkward.example', section: 'payment_methods', normalized_name: awkward },
    { kind: 'observation', domain: 'awkward.example', section: 'geo', geo_hints: ['B', awkward] },
  )
  const profile = await profileSql(await service.refOf('import:awkward'))
  expect(profile).toBe(asDeclared(profile))
  expect(JSON.parse(profile)).toMatchObject({
    company_name: expect.stringContaining('🦦 </script>'),
    apps: [{ store: 'app_store' }, { store: 'google_play' }],
    geo_hints: ['B', expect.stringContaining('Quote "'), 'Z', 'a', 'Å', 'É'].toSorted(),
  })
})

test('firmographics have exactly the members of their schema', async () => {
  const rich = await service.customer({ credits: 1_000 })
  const answer = await service.resolve({ name: 'Ottermoor', 'include[]': 'firmographics' }, rich)
  const [company] = answer.body.data.companies
  expect(company.firmographics.length).toBeGreaterThan(1)
  expect(JSON.stringify(company)).toBe(serialise(company))
})
