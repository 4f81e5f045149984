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

let service: CompanyService
beforeAll(async () => {
  service = await startCompanyService({ world: 'demo_with_registers' })
})
afterAll(() => service.close())

const answer = (parameters: Parameters) => service.answer(parameters)
const found = async (parameters: Parameters) => namesOf(await service.answer(parameters))
const code = async (parameters: Parameters) => refused(await service.resolve(parameters))
const none = [404, 'not_found']

describe('Company resolve by license number', () => {
  test.each([
    ['as printed', 'MGA/B2C/9901/2019'],
    ['in another case and with blanks', ' mga / b2c/9901 / 2019'],
  ])('a license number is found %s', async (_, license_number) => {
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

  test('a number from the UKGC register is found without its version counter', async () => {
    expect(await found({ license_number: '990207-R-993207-001' })).toEqual(['Turnstone Group plc'])
  })

  test("another register's number that looks like a version counter is not shortened", async () => {
    await service.load(
      day(1),
      { kind: 'company', key: 'cut', company_name: 'Uncut' },
      { kind: 'license', jurisdiction: 'cyprus', license_number: '12-B-7-001', company: 'cut' },
    )
    expect(await found({ license_number: '12-b-7-001' })).toEqual(['Uncut'])
    expect(await code({ license_number: '12-B-7-002' })).toEqual(none)
    expect(await code({ license_number: '12-B-7' })).toEqual(none)
  })

  test('a license number of several jurisdictions is a free error if no jurisdiction is given', async () => {
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

  test('a license number from two sources of one jurisdiction returns the holders of both', async () => {
    await service.load(
      day(1),
      { kind: 'company', key: 'other', company_name: 'Other Holder' },
      { kind: 'license', jurisdiction: 'ukgc', license_number: '990208-R-993208-002', company: 'other' },
    )
    const data = await answer({ license_number: '990208-R-993208-001' })
    expect(namesOf(data).sort()).toEqual(['Other Holder', 'Redshank Raceways Limited'])
    expect(data.credits_charged).toBe(6)
  })

  test('a license number without a known holder is not found', async () => {
    await service.load(day(1), { kind: 'license', jurisdiction: 'peru', license_number: 'P-1' })
    expect(await code({ license_number: 'P-1' })).toEqual(none)
  })
})

describe('Company resolve by domain', () => {
  test('a domain finds the licensee and the brand owner, each with its relation', async () => {
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
    'a Company is found by the domain of a URL or host: %s',
    async domain => expect(await found({ domain })).toEqual(['Pebble & Pike', 'Magpie Treasury']),
  )

  test('a licensee that also owns the brand has both relations to the domain', async () => {
    await service.load(
      day(1),
      { kind: 'company', key: 'both', company_name: 'Both of Them' },
      { kind: 'domain', domain: 'both.example', company: 'both', relation: 'brand_owner' },
      { kind: 'domain', domain: 'both.example', company: 'both', relation: 'licensee' },
    )
    const [company] = (await answer({ domain: 'both.example' })).companies
    expect(company.matched_as).toEqual(['licensee', 'brand_owner'])
  })

  test("the holder of a license that lists a domain is the domain's licensee", async () => {
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

  test('a domain finds the licensees that a register lists for it', async () => {
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
    'a domain that is unknown or has no Company is 404: %s',
    async domain => expect(await code({ domain })).toEqual(none),
  )

  test.each([
    ['10.0.0.1', 'ip_address'],
    ['localhost', 'no_dot'],
    ['ann@heron.example', 'mail_address'],
    ['ftp://heron.example', 'other_scheme'],
    ['two words.example', 'blank_inside'],
  ])('an invalid domain is rejected by Company resolve: %s', async (domain, reason) => {
    const { status, body } = await service.resolve({ domain })
    expect([status, body.errors.code, body.errors.details.reason]).toEqual([400, 'invalid_domain', reason])
  })
})

describe('Company resolve by legal entity', () => {
  test.each(['Bocian i Kości Sp. z o.o.', 'bocian I KOSCI sp. z o.o.', '  Bocian i  Kości Sp.z o.o. '])(
    'a legal entity is found whatever its case, accents and spaces: %s',
    async legal_entity => expect(await found({ legal_entity })).toEqual(['Bocian i Kości']),
  )

  test.each([
    ['without the legal form', 'Bocian i Kości'],
    ['a brand', 'Lucky Otter'],
    ['a trade name', 'Gull & Bull'],
    ['a part', 'Ottermoor'],
    ['accents only', '\u0301'],
  ])('a legal entity is not found by another name: %s', async (_, legal_entity) => {
    expect(await code({ legal_entity })).toEqual(none)
  })

  test('a Company is found by the legal name of each of its identities', async () => {
    await service.sync('sweden', day(2), licensee('S9', { legalName: 'Egret AB', country: 'SE' }))
    await service.load(day(2), { kind: 'company', key: 'egret', legal_entity: 'Egret Holding AB' })
    expect(await found({ legal_entity: 'egret ab' })).toEqual(['Egret AB'])
    const [into, from] = [await service.refOf('sweden.licences:S9'), await service.refOf('import:egret')]
    await mergeCompanies(service.service.live, { from, into, reason: 'one owner', now: day(3) })
    expect(await found({ legal_entity: 'Egret Holding AB' })).toEqual(['Egret AB'])
  })
})

describe('Company resolve by name', () => {
  test.each([
    ['its name', 'Ottermoor Gaming'],
    ['a brand', 'lucky OTTER'],
    ['an alias', 'Ottermoor'],
    ['its legal entity', 'Ottermoor Gaming Limited'],
    ['without the space', 'LuckyOtter'],
    ['other kinds of spaces', 'Lucky\u00a0\u2003Otter'],
  ])('a Company is found by its name or a variant: %s', async (_, name) =>
    expect(await found({ name })).toEqual(['Ottermoor Gaming']),
  )

  test.each([
    ['HAVMÅGEN', 'Havmåge Spil'],
    ['havmagen', 'Havmåge Spil'],
    ['zonkey mangud', 'Zonkey Mängud'],
  ])('the name %s finds %s', async (name, expected) => expect(await found({ name })).toEqual([expected]))

  test.each(['Lucky', 'Lucky Otters', 'Lucky Oter', 'luckyotter.example', "'--"])(
    'a Company is not found by a different name: %s',
    async name => expect(await code({ name })).toEqual(none),
  )

  test('case, accents and spaces of a name are ignored in every script', async () => {
    const names = [
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
    ] as const
    await service.load(
      day(1),
      ...names.map(([company_name]) => ({ kind: 'company', key: company_name, company_name })),
    )
    const matches = await Promise.all(names.map(async ([, name]) => [await found({ name }), name]))
    expect(matches).toEqual(names.map(([company_name, name]) => [[company_name], name]))
  })

  test('a name of several Companies returns free candidates', async () => {
    const buyer = await service.customer()
    const { body, headers } = await service.resolve({ name: 'cloudberry' }, buyer)
    const { matches, ...data } = body.data
    expect(data).toEqual({
      resolved_by: 'name',
      match_basis: 'exact',
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

  test('matches_total counts all candidates, even if the list is cut at its limit', async () => {
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

  test('a legal name of two Companies returns candidates', async () => {
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

describe('Company resolve with several identifiers', () => {
  const otter = {
    license_number: 'MGA/B2C/9901/2019',
    domain: 'luckyotter.example',
    legal_entity: 'Ottermoor Gaming Limited',
    name: 'Lucky Otter',
  }
  const order = ['license_number', 'domain', 'legal_entity', 'name'] as const

  test('the first identifier decides, and other identifiers of the same Company are ignored', async () => {
    for (const [index, kind] of order.entries()) {
      const sent = Object.fromEntries(order.slice(index).map(name => [name, otter[name]]))
      const { [kind]: _, ...lower } = sent
      const data = await answer(sent)
      expect([data.resolved_by, data.ignored_inputs]).toEqual([kind, lower])
      expect(data).not.toHaveProperty('input_company_ref')
    }
  })

  test('later identifiers that find nothing are ignored', async () => {
    const lower = { domain: 'neverheard.example', legal_entity: 'No One Ltd', name: 'No One' }
    const data = await answer({ license_number: otter.license_number, ...lower })
    expect([namesOf(data), data.ignored_inputs]).toEqual([['Ottermoor Gaming'], lower])
  })

  test('later identifiers of a different Company are rejected, free of charge', async () => {
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

  test('if the first identifier finds nothing, later identifiers are not tried', async () => {
    expect(await code({ license_number: 'NONE-1', name: otter.name })).toEqual(none)
    expect(await code({ domain: 'neverheard.example', name: otter.name })).toEqual(none)
  })

  test('a later identifier does not conflict if it matches one of several found Companies', async () => {
    expect(await found({ domain: 'pikebet.example', name: 'Magpie Treasury' })).toHaveLength(2)
    expect(await found({ domain: 'cloudberrycasino.example', name: 'Cloudberry' })).toEqual([
      'Hjortron Kasino',
    ])
    expect(await code({ domain: otter.domain, name: 'Cloudberry' })).toEqual([
      409,
      'conflicting_lookup_input',
    ])
  })

  test('an ignored domain is returned in its canonical form', async () => {
    const { ignored_inputs } = await answer({
      license_number: otter.license_number,
      domain: 'https://WWW.luckyotter.example/',
    })
    expect(ignored_inputs).toEqual({ domain: 'luckyotter.example' })
  })

  test('a jurisdiction without a license number is returned as ignored', async () => {
    expect((await answer({ name: otter.name, jurisdiction: 'mga' })).ignored_inputs).toEqual({
      jurisdiction: 'mga',
    })
    expect(await code({ jurisdiction: 'mga' })).toEqual([400, 'missing_parameter'])
  })
})
