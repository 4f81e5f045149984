import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorisation, day, license, licensee } from '../../../registers/fixture.ts'
import { mergeCompanies } from '../index.ts'
import {
  type CompanyService,
  creditsUsed,
  entry,
  namesOf,
  type Parameters,
  type Profile,
  refused,
  startCompanyService,
} from './fixture.ts'

// Which Companies the identifiers of a request lead to (§4.6).

let service: CompanyService
beforeAll(async () => {
  service = await startCompanyService({ world: 'demo_with_registers' })
})
afterAll(() => service.close())

const answer = (parameters: Parameters) => service.answer(parameters)
const found = async (parameters: Parameters) => namesOf(await service.answer(parameters))
const code = async (parameters: Parameters) => refused(await service.resolve(parameters))
const none = [404, 'not_found']

describe('by license number', () => {
  test.each([
    ['as printed', 'MGA/B2C/9901/2019'],
    ['in another case and with blanks', ' mga / b2c/9901 / 2019'],
  ])('%s', async (_, license_number) => {
    const data = await answer({ license_number })
    expect([data.resolved_by, namesOf(data)]).toEqual(['license_number', ['Ottermoor Gaming']])
  })

  test.each(['099101-R-339101-004', '099101-R-339101-001', '099101-r-339101', '099101 - R - 339101 - 99'])(
    'a UKGC number is found with any version counter: %s',
    async license_number => {
      expect(await found({ license_number })).toEqual(['Ottermoor Gaming'])
      expect(await found({ license_number, jurisdiction: 'ukgc' })).toEqual(['Ottermoor Gaming'])
    },
  )

  test('so is one that the register itself printed', async () => {
    expect(await found({ license_number: '990207-R-993207-001' })).toEqual(['Turnstone Group plc'])
  })

  test('a number of another register that ends alike is not cut', async () => {
    await service.load(
      day(1),
      { kind: 'company', key: 'cut', company_name: 'Uncut' },
      { kind: 'license', jurisdiction: 'cyprus', license_number: '12-B-7-001', company: 'cut' },
    )
    expect(await found({ license_number: '12-b-7-001' })).toEqual(['Uncut'])
    expect(await code({ license_number: '12-B-7-002' })).toEqual(none)
    expect(await code({ license_number: '12-B-7' })).toEqual(none)
  })

  test('of several jurisdictions is ambiguous without one, and charges nothing', async () => {
    await service.load(
      day(1),
      { kind: 'company', key: 'one', company_name: 'Number One' },
      { kind: 'company', key: 'two', company_name: 'Number Two' },
      { kind: 'license', jurisdiction: 'latvia', license_number: 'A-77', company: 'one' },
      { kind: 'license', jurisdiction: 'estonia', license_number: 'a 77', company: 'two' },
      { kind: 'license', jurisdiction: 'estonia', license_number: 'A-77', company: 'two' },
    )
    const buyer = await service.customer()
    const { status, body } = await service.resolve({ license_number: 'a-77' }, buyer)
    expect([status, body.errors]).toEqual([
      409,
      { code: 'ambiguous_license_number', details: { jurisdictions: ['estonia', 'latvia'] } },
    ])
    expect(await creditsUsed(buyer)).toBe(0)
    expect(await found({ license_number: 'a-77', jurisdiction: 'latvia' })).toEqual(['Number One'])
    expect(await found({ license_number: 'a-77', jurisdiction: 'estonia' })).toEqual(['Number Two'])
    expect(await code({ license_number: 'a-77', jurisdiction: 'mga' })).toEqual(none)
  })

  test('that two sources of one jurisdiction know leads to the holders that both name', async () => {
    await service.load(
      day(1),
      { kind: 'company', key: 'told', company_name: 'Told Otherwise' },
      { kind: 'license', jurisdiction: 'ukgc', license_number: '990208-R-993208-002', company: 'told' },
    )
    const data = await answer({ license_number: '990208-R-993208-001' })
    expect(namesOf(data).sort()).toEqual(['Redshank Raceways Limited', 'Told Otherwise'])
    expect(data.credits_charged).toBe(6)
  })

  test('without a holder that anybody knows finds no Company', async () => {
    await service.load(day(1), { kind: 'license', jurisdiction: 'peru', license_number: 'P-1' })
    expect(await code({ license_number: 'P-1' })).toEqual(none)
  })
})

describe('by domain', () => {
  test('leads to the licensee and to who owns the brand, each tagged', async () => {
    const data = await answer({ domain: 'pikebet.example' })
    expect(data.companies.map(({ company_name, matched_as }: Profile) => [company_name, matched_as])).toEqual(
      [
        ['Pebble & Pike', ['licensee']],
        ['Magpie Treasury', ['brand_owner']],
      ],
    )
    expect(data.billing).toMatchObject({ returned_count: 2, credits_charged: 6 })
    expect(data.resolved_company_ref).toBe(data.companies[0].company_ref)
  })

  test.each(['https://www.PikeBet.example/casino?a=1', 'pikebet.example.', '//user@pikebet.example:8080/'])(
    'is read from a URL or host: %s',
    async domain => expect(await found({ domain })).toEqual(['Pebble & Pike', 'Magpie Treasury']),
  )

  test('one that is both is tagged as both', async () => {
    await service.load(
      day(1),
      { kind: 'company', key: 'both', company_name: 'Both of Them' },
      { kind: 'domain', domain: 'both.example', company: 'both', relation: 'brand_owner' },
      { kind: 'domain', domain: 'both.example', company: 'both', relation: 'licensee' },
    )
    const [company] = (await answer({ domain: 'both.example' })).companies
    expect(company.matched_as).toEqual(['licensee', 'brand_owner'])
  })

  test('who holds a license that lists the domain is its licensee, whatever else is told', async () => {
    await service.load(
      day(1),
      { kind: 'company', key: 'quiet', company_name: 'Quiet Holder' },
      {
        kind: 'license',
        jurisdiction: 'mga',
        license_number: 'Q-1',
        company: 'quiet',
        authorized_domains: ['quiet.example'],
      },
    )
    const verdict = (await (await service.customer()).ask('/v1/domains/resolve?domain=quiet.example')).body
      .data
    const [company] = (await answer({ domain: 'quiet.example' })).companies
    expect([company.company_ref, company.matched_as]).toEqual([verdict.company.company_ref, ['licensee']])
    expect(company.domains).toEqual([entry('quiet.example', null)])
  })

  test('leads to the licensees that a register names', async () => {
    await service.sync(
      'malta',
      day(2),
      licensee('M9', { legalName: 'Heron Ltd' }),
      license('L9', 'M9'),
      authorisation('heron.example', { licenseKey: 'L9', licenseeKey: 'M9' }),
    )
    expect(await found({ domain: 'heron.example' })).toEqual(['Heron Ltd'])
  })

  test.each(['neverheard.example', 'spin-o-rama.test'])(
    'that is unknown or belongs to nobody is 404: %s',
    async domain => expect(await code({ domain })).toEqual(none),
  )

  test.each([
    ['10.0.0.1', 'ip_address'],
    ['localhost', 'bare_suffix'],
    ['two words.example', 'not_a_domain'],
  ])('junk is invalid_domain: %s', async (domain, reason) => {
    const { status, body } = await service.resolve({ domain })
    expect([status, body.errors.code, body.errors.details.reason]).toEqual([400, 'invalid_domain', reason])
  })
})

describe('by legal entity', () => {
  test.each(['Bocian i Kości Sp. z o.o.', 'bocian I KOSCI sp. z o.o.', '  Bocian i  Kości Sp.z o.o. '])(
    'case, accents and blanks do not count: %s',
    async legal_entity => expect(await found({ legal_entity })).toEqual(['Bocian i Kości']),
  )

  test.each([
    ['the form left out', 'Bocian i Kości'],
    ['the form spelled otherwise', 'Bocian i Kości Spółka z o.o.'],
    ['a sign left out', 'Bocian i Kości Sp z o.o.'],
    ['a brand', 'Lucky Otter'],
    ['the name of a Company without a filed one', 'Gull & Bull'],
    ['a part', 'Ottermoor'],
    ['nothing but accents', '\u0301'],
  ])('nothing looser matches: %s', async (_, legal_entity) => {
    expect(await code({ legal_entity })).toEqual(none)
  })

  test('what a register filed is found, also under the name of an identity that does not lead', async () => {
    await service.sync('sweden', day(2), licensee('S9', { legalName: 'Egret AB', country: 'SE' }))
    await service.load(day(2), { kind: 'company', key: 'egret', legal_entity: 'Egret Holding AB' })
    expect(await found({ legal_entity: 'egret ab' })).toEqual(['Egret AB'])
    const [into, from] = [await service.refOf('sweden.licences:S9'), await service.refOf('import:egret')]
    await mergeCompanies(service.service.live, { from, into, reason: 'one owner', now: day(3) })
    expect(await found({ legal_entity: 'Egret Holding AB' })).toEqual(['Egret AB'])
  })
})

describe('by name', () => {
  test.each([
    ['its name', 'Ottermoor Gaming'],
    ['a brand', 'lucky OTTER'],
    ['an alias', 'Ottermoor'],
    ['its legal entity', 'Ottermoor Gaming Limited'],
    ['blanks that are not there', 'LuckyOtter'],
    ['blanks of any kind', 'Lucky\u00a0\u2003Otter'],
  ])('%s', async (_, name) => expect(await found({ name })).toEqual(['Ottermoor Gaming']))

  test.each([
    ['HAVMÅGEN', 'Havmåge Spil'],
    ['havmagen', 'Havmåge Spil'],
    ['zonkey mangud', 'Zonkey Mängud'],
  ])('%s is %s', async (name, expected) => expect(await found({ name })).toEqual([expected]))

  test.each([
    'Lucky',
    'Lucky Otters',
    'Lucky-Otter',
    'Lucky Oter',
    'luckyotter.example',
    'Lucky%Otter',
    "'--",
  ])('nothing looser matches: %s', async name => expect(await code({ name })).toEqual(none))

  test.each([
    ['Straße & Söhne', 'STRASSE & SOHNE'],
    ['Łódź Bet', 'lodz bet'],
    ['Ørsted Æble', 'orsted aeble'],
    ['ΆΛΦΑ Στοίχημα', 'αλφα στοιχημα'],
    ['БЕТ Україна', 'бет україна'],
    ['Խաղատուն', 'խաղատուն'],
    ['カジノ 王', 'カジノ王'],
    ['İzmir Şans', 'izmir sans'],
    ['Ｆｕｌｌ Ｗｉｄｔｈ', 'full width'],
    ['🎰 Slots 🎰', '🎰slots🎰'],
  ])('%s is found as %s', async (company_name, name) => {
    await service.load(day(1), { kind: 'company', key: company_name, company_name })
    expect(await found({ name })).toEqual([company_name])
  })

  test('of several Companies answers candidates, free of charge', async () => {
    const buyer = await service.customer()
    const { body, headers } = await service.resolve({ name: 'cloudberry' }, buyer)
    const { matches, ...data } = body.data
    expect(data).toEqual({
      resolved_by: 'name',
      ignored_inputs: {},
      matches_total: 2,
      companies: [],
      billing: {
        returned_count: 0,
        credits_per_profile: 3,
        credits_charged: 0,
        billing_reason: 'candidates_only',
        max_credits: null,
      },
      credits_charged: 0,
    })
    expect(matches.toSorted((a: Profile, b: Profile) => (a.company_name < b.company_name ? -1 : 1))).toEqual([
      {
        company_ref: await service.refOf('import:cloudberrymedia'),
        company_name: 'Cloudberry Media',
        legal_entity: null,
        subject_kind: 'trade_name',
        role: ['affiliate_media'],
        country: 'FI',
        primary_domain: null,
      },
      {
        company_ref: await service.refOf('import:cloudberry'),
        company_name: 'Hjortron Kasino',
        legal_entity: 'Hjortron Kasino AB',
        subject_kind: 'legal_entity',
        role: ['operator'],
        country: 'SE',
        primary_domain: entry('cloudberrycasino.example', 'SE'),
      },
    ])
    expect([headers.get('x-credits-charged'), await creditsUsed(buyer)]).toEqual(['0', 0])
    expect((await service.resolve({ name: 'cloudberry', max_credits: 0 }, buyer)).status).toBe(200)
    expect(await found({ company_ref: matches[0].company_ref })).toHaveLength(1)
  })

  test('of more Companies than are listed says how many there are', async () => {
    const namesakes = Array.from({ length: 101 }, (_, index) => ({
      kind: 'company',
      key: `namesake-${index}`,
      company_name: 'Namesake',
    }))
    await service.load(day(1), ...namesakes)
    const data = await answer({ name: 'namesake' })
    expect([data.matches.length, data.matches_total, data.credits_charged]).toEqual([100, 101, 0])
    expect((await answer({ company_ref: data.matches[0].company_ref })).matches_total).toBe(0)
  })

  test('two Companies under one filed legal name are candidates too', async () => {
    await service.load(
      day(1),
      { kind: 'company', key: 'twin-mt', legal_entity: 'Twin Ltd', country: 'MT' },
      { kind: 'company', key: 'twin-gb', legal_entity: 'Twin Ltd', country: 'GB' },
    )
    const data = await answer({ legal_entity: 'twin ltd' })
    expect(data.matches.map((match: { country: string }) => match.country).sort()).toEqual(['GB', 'MT'])
    expect([data.resolved_by, data.credits_charged]).toEqual(['legal_entity', 0])
  })
})

describe('of several identifiers', () => {
  const otter = {
    license_number: 'MGA/B2C/9901/2019',
    domain: 'luckyotter.example',
    legal_entity: 'Ottermoor Gaming Limited',
    name: 'Lucky Otter',
  }
  const order = ['license_number', 'domain', 'legal_entity', 'name'] as const

  test('the first resolves, and those that lead to the same Company are ignored', async () => {
    for (const [index, kind] of order.entries()) {
      const sent = Object.fromEntries(order.slice(index).map(name => [name, otter[name]]))
      const { [kind]: _, ...lower } = sent
      const data = await answer(sent)
      expect([data.resolved_by, data.ignored_inputs]).toEqual([kind, lower])
      expect(data).not.toHaveProperty('input_company_ref')
    }
  })

  test('those that lead to nothing are ignored', async () => {
    const lower = { domain: 'neverheard.example', legal_entity: 'No One Ltd', name: 'No One' }
    const data = await answer({ license_number: otter.license_number, ...lower })
    expect([namesOf(data), data.ignored_inputs]).toEqual([['Ottermoor Gaming'], lower])
  })

  test('those that lead elsewhere are refused, and charge nothing', async () => {
    const buyer = await service.customer()
    const { status, body } = await service.resolve(
      { domain: otter.domain, legal_entity: otter.legal_entity, name: 'Janus Play' },
      buyer,
    )
    expect([status, body.errors]).toEqual([
      409,
      { code: 'conflicting_lookup_input', details: { resolved_by: 'domain', conflicting_inputs: ['name'] } },
    ])
    expect(await creditsUsed(buyer)).toBe(0)
  })

  test('where the first finds nothing, no other is tried', async () => {
    expect(await code({ license_number: 'NONE-1', name: otter.name })).toEqual(none)
    expect(await code({ domain: 'neverheard.example', name: otter.name })).toEqual(none)
  })

  test('one that leads to one of several Companies found agrees', async () => {
    expect(await found({ domain: 'pikebet.example', name: 'Magpie Treasury' })).toHaveLength(2)
    expect(await found({ domain: 'cloudberrycasino.example', name: 'Cloudberry' })).toEqual([
      'Hjortron Kasino',
    ])
    expect(await code({ domain: otter.domain, name: 'Cloudberry' })).toEqual([
      409,
      'conflicting_lookup_input',
    ])
  })

  test('the spelling of the ignored domain is the canonical one', async () => {
    const { ignored_inputs } = await answer({
      license_number: otter.license_number,
      domain: 'https://WWW.luckyotter.example/',
    })
    expect(ignored_inputs).toEqual({ domain: 'luckyotter.example' })
  })

  test('a jurisdiction without a number is ignored and told, and is no identifier', async () => {
    expect((await answer({ name: otter.name, jurisdiction: 'mga' })).ignored_inputs).toEqual({
      jurisdiction: 'mga',
    })
    expect(await code({ jurisdiction: 'mga' })).toEqual([400, 'missing_parameter'])
  })
})
