import { describe, expect, test } from 'vitest'
import type { PageType } from './choose-pages.ts'
import { linkOf, pageOf } from './fixture.ts'
import { type Claim, readClaims } from './read-claims.ts'

type Page = Parameters<typeof pageOf>[0]

const findingsOn = (page: Page, pageType: PageType | null = null) =>
  readClaims(pageOf(page), { domain: 'luckyotter.example', pageType })

const claimsIn = (...paragraphs: string[]) =>
  findingsOn({ paragraphs }).map(({ value }) => {
    const { claim_type, claimed_name, license_number } = value as Claim
    return [claim_type, claimed_name, ...(license_number === null ? [] : [license_number])].join(' | ')
  })

test('a footer yields the claims of its operator and licensee with all details', () => {
  const text =
    'Lucky Otter is operated by Ottermoor Gaming Limited, a company registered in Malta under number ' +
    'C 99101 with its registered office at 5, Otter Street, Sliema SLM 1549, Malta, which is licensed by ' +
    'the Malta Gaming Authority under licence MGA/B2C/9901/2019.'
  const details = {
    claimed_name: 'Ottermoor Gaming Limited',
    company_registration_number: 'C 99101',
    license_number: 'MGA/B2C/9901/2019',
    registered_address: '5, Otter Street, Sliema SLM 1549, Malta',
    market: 'mga',
    evidence_text: text,
  }
  expect(findingsOn({ paragraphs: [text] }).map(({ value }) => value)).toEqual([
    { claim_type: 'operator', ...details },
    { claim_type: 'licensee', ...details },
  ])
})

test('a white label names two companies, and the license number is the licensee’s', () => {
  expect(
    claimsIn(
      'Finchspins is a brand of Finch Brand Holdings Ltd and is operated by Greenfinch Entertainment Ltd, ' +
        'licensed by the Malta Gaming Authority under MGA/B2C/9902/2016. ' +
        'Payments are processed by Finch Pay (Cyprus) Ltd.',
    ),
  ).toEqual([
    'owner | Finch Brand Holdings Ltd',
    'operator | Greenfinch Entertainment Ltd | MGA/B2C/9902/2016',
    'licensee | Greenfinch Entertainment Ltd | MGA/B2C/9902/2016',
    'billing_agent | Finch Pay (Cyprus) Ltd',
  ])
})

test('a label in a separate cell gives the role of the company in the next cell', () => {
  const paragraphs = ['Operator', 'Otter Gaming Limited', 'Licence number:', 'MGA/B2C/394/2017', 'Lobby']
  const claims = findingsOn({ paragraphs }, 'imprint').map(({ value }) => value as Claim)
  expect(
    claims.map(({ claim_type, claimed_name, license_number }) => [claim_type, claimed_name, license_number]),
  ).toEqual([
    ['operator', 'Otter Gaming Limited', null],
    ['licensee', 'Otter Gaming Limited', 'MGA/B2C/394/2017'],
  ])
  const headings = ['Brand', 'Operator', 'Lucky Otter', 'Heron Gaming Limited']
  expect(findingsOn({ paragraphs: headings }, 'imprint')).toEqual([])
})

test.each([
  ['Your personal data is controlled by Otter Gaming Limited.', 'data_controller'],
  ['Otter Gaming Limited is the controller of your personal data.', 'data_controller'],
  ['Operated under licence by Otter Digital Inc.', 'operator'],
  [
    'Otter Spiele GmbH ist Inhaberin einer Erlaubnis der Gemeinsamen Glücksspielbehörde der Länder.',
    'licensee',
  ],
  ['Otter Spel AB med licens från Spelinspektionen.', 'licensee'],
])('the sentence "%s" claims the role %s', (sentence, role) => {
  expect(findingsOn({ paragraphs: [sentence] }, 'terms')).toMatchObject([{ value: { claim_type: role } }])
})

test('each license number of a company is a claim', () => {
  expect(
    claimsIn(
      'Ottermoor Gaming Limited is licensed by the Malta Gaming Authority (MGA/B2C/9901/2019, ' +
        'MGA/CRP/9902/2020) and by the Gambling Commission under account number 99101.',
    ),
  ).toEqual([
    'licensee | Ottermoor Gaming Limited | MGA/B2C/9901/2019',
    'licensee | Ottermoor Gaming Limited | MGA/CRP/9902/2020',
    'licensee | Ottermoor Gaming Limited | 99101',
  ])
})

test('a license number in the next text belongs to the only company before it', () => {
  expect(
    claimsIn(
      'Your bets are processed by the operator, Lagos Otter Limited.',
      'Licence No. LSLGA/OP/OSB/CL071124',
    ),
  ).toEqual(['operator | Lagos Otter Limited', 'licensee | Lagos Otter Limited | LSLGA/OP/OSB/CL071124'])
})

test('a license number after sentences about two companies belongs to neither company', () => {
  expect(claimsIn('Owned by Alpha Ltd and operated by Beta Ltd.', 'Licence MGA/B2C/9901/2019.')).toEqual([
    'owner | Alpha Ltd',
    'operator | Beta Ltd',
  ])
})

describe('operators in each language', () => {
  test.each([
    ['en', 'This website is owned and operated by Otter N.V.', 'Otter N.V.'],
    ['de', 'Diese Webseite wird von der Otter Spiele GmbH betrieben.', 'Otter Spiele GmbH'],
    ['fr', 'Ce site est exploité par Loutre Jeux SAS, RCS Paris 123 456 789.', 'Loutre Jeux SAS'],
    [
      'es',
      'Este sitio es operado por Nutria Apuestas S.A.U., con domicilio social en Ceuta.',
      'Nutria Apuestas S.A.U.',
    ],
    ['pt', 'Este site é operado por Lontra Apostas Ltda., CNPJ 12.345.678/0001-90.', 'Lontra Apostas Ltda'],
    ['it', 'Il sito è gestito da Lontra Giochi S.r.l., P. IVA 12345678901.', 'Lontra Giochi S.r.l.'],
    ['nl', 'Deze website wordt geëxploiteerd door Otter Spelen B.V., KvK 12345678.', 'Otter Spelen B.V.'],
    ['sv', 'Webbplatsen drivs av Utter Spel AB, org.nr 559123-4567.', 'Utter Spel AB'],
    ['da', 'Siden drives af Odder Spil A/S, CVR 12345678.', 'Odder Spil A/S'],
    ['nb', 'Nettstedet drives av Oter Spill AS, org.nr 912345678.', 'Oter Spill AS'],
    ['fi', 'Sivustoa ylläpitää Saukko Pelit Oy, Y-tunnus 1234567-8.', 'Saukko Pelit Oy'],
    ['pl', 'Serwis jest prowadzony przez Wydra Gry Sp. z o.o., KRS 0000123456.', 'Wydra Gry Sp. z o.o.'],
    ['cs', 'Provozovatelem je Vydra Hry s.r.o., IČO 12345678.', 'Vydra Hry s.r.o.'],
    ['sk', 'Stránku prevádzkuje spoločnosť Vydra Hry a.s., IČO 12345678.', 'Vydra Hry a.s.'],
    ['hu', 'A weboldalt a Vidra Játék Kft. üzemelteti, cégjegyzékszáma 01-09-123456.', 'Vidra Játék Kft'],
    ['ro', 'Site-ul este operat de Vidra Jocuri S.R.L., CUI 12345678.', 'Vidra Jocuri S.R.L.'],
    ['bg', 'Сайтът се управлява от „Видра Игри“ ЕООД, ЕИК 123456789.', 'Видра Игри ЕООД'],
    ['el', 'Τον ιστότοπο διαχειρίζεται η Βίδρα Παίγνια Α.Ε., ΓΕΜΗ 123456789.', 'Βίδρα Παίγνια Α.Ε.'],
    ['tr', 'Bu site Samur Oyun A.Ş. tarafından işletilmektedir.', 'Samur Oyun A.Ş.'],
    ['uk', 'Оператором є ТОВ «Видра Ігри», код ЄДРПОУ 12345678.', 'ТОВ Видра Ігри'],
    ['ru', 'Сайт управляется компанией Otter Games N.V., регистрационный номер 123456.', 'Otter Games N.V.'],
    ['et', 'Veebilehte haldab Saarmas Mängud OÜ, registrikood 12345678.', 'Saarmas Mängud OÜ'],
    ['lv', 'Vietni pārvalda SIA Ūdrs Spēles, reģistrācijas numurs 40001234567.', 'SIA Ūdrs Spēles'],
    ['lt', 'Svetainę valdo UAB „Ūdra“, įmonės kodas 123456789.', 'UAB Ūdra'],
    ['hr', 'Stranicom upravlja Vidra Igre d.o.o., OIB 12345678901.', 'Vidra Igre d.o.o.'],
    ['sl', 'Spletno stran upravlja Vidra Igre d.o.o., matična številka 1234567000.', 'Vidra Igre d.o.o.'],
  ])('an operator is read in the language %s: %s', (_language, text, name) => {
    expect(claimsIn(text)).toContain(`operator | ${name}`)
    const numbers = findingsOn({ paragraphs: [text] }).map(({ value }) => value.company_registration_number)
    if (/\d/.test(text)) expect(numbers[0]).toMatch(/\d{3}/)
  })
})

test.each([
  ['a natural person', 'Inhaber und Betreiber: Max Mustermann, Hauptstraße 1, Berlin'],
  ['a company without a role', 'Best slots by Velvet Anvil Games AB and Paper Walrus Oy.'],
  ['a bank’s licence', 'Finch Pay Ltd is authorised and licensed by the Financial Conduct Authority.'],
  ['another site', 'www.redkite-casino.example is operated by Red Kite Leisure N.V.'],
  ['a regulator', 'The site is licensed by Antillephone N.V. under 8048/JAZ.'],
  ['a number without a company', 'Licence MGA/B2C/9901/2019 of the Malta Gaming Authority.'],
])('a sentence about %s makes no claim', (_what, text) => {
  expect(claimsIn(text)).toEqual([])
})

test('a company in the middle of the home page makes no claim, but it does on the terms page', () => {
  const paragraphs = [
    'The casino is operated by Red Kite Leisure N.V.',
    ...Array.from({ length: 60 }, (_, index) => `Game ${index}`),
  ]
  expect(findingsOn({ paragraphs })).toEqual([])
  expect(findingsOn({ paragraphs }, 'payments')).toEqual([])
  expect(findingsOn({ paragraphs }, 'terms')).toHaveLength(1)
})

test('a page of another site yields no claim', () => {
  const paragraphs = ['This website is operated by Red Kite Leisure N.V.']
  expect(findingsOn({ paragraphs, url: 'https://redkite.example/' })).toEqual([])
  expect(findingsOn({ paragraphs, url: 'https://www.luckyotter.example/fi/' })).toHaveLength(1)
})

describe('seals', () => {
  const text = 'Lucky Otter is operated by Ottermoor Gaming Limited (MGA/B2C/9901/2019).'
  const strengths = (page: Page) =>
    findingsOn({ paragraphs: [text], ...page }).map(({ strength }) => strength)
  test('a seal that links to the regulator confirms the claim for its market', () => {
    const seal = linkOf('https://www.authorisation.mga.org.mt/verification.aspx?lang=en&company=e73e6b08')
    expect(strengths({ links: [seal] })).toEqual([2, 2])
  })
  test('a seal that is only an image confirms no claim', () => {
    const url = 'https://luckyotter.example/images/mga-logo.png'
    const images = [
      { alt: 'MGA licence seal', file: 'mga-logo', url, isHeader: false, within: null, after: -1, low: 0 },
    ]
    expect(strengths({ images })).toEqual([1, 1])
  })
  test('a seal on a host that only begins like the regulator’s confirms no claim', () => {
    const links = [linkOf('https://authorisation.mga.org.mt.seals.example/verification.aspx')]
    expect(strengths({ links })).toEqual([1, 1])
  })
  test('a seal with a number makes the only operator a licensee', () => {
    const links = [linkOf('https://www.gamblingcommission.gov.uk/public-register/business/detail/99101')]
    expect(findingsOn({ paragraphs: [text], links }).map(({ valueKey }) => valueKey)).toContain(
      'licensee:ottermoor gaming ltd:ukgc:99101',
    )
  })
})

describe('JSON-LD', () => {
  const organisation = { '@type': 'Organization', legalName: 'Ottermoor Gaming Limited' }
  const found = (object: object) => findingsOn({ jsonLd: [{ ...organisation, ...object }] })
  test('JSON-LD names the owner of its own domain', () => {
    const address = { '@type': 'PostalAddress', streetAddress: '5 Otter Street', addressCountry: 'MT' }
    expect(found({ url: 'https://www.luckyotter.example', address })).toMatchObject([
      {
        strength: 2,
        value: { claim_type: 'owner', registered_address: '5 Otter Street, MT', license_number: null },
      },
    ])
  })
  test.each([
    ['of another domain', { url: 'https://velvetanvil.example' }],
    ['without a URL', {}],
    ['of a natural person', { url: '/', legalName: 'Max Mustermann' }],
    ['of a game', { url: '/', '@type': 'VideoGame' }],
  ])('JSON-LD %s makes no claim', (_what, object) => {
    expect(found(object)).toEqual([])
  })
})

test('the evidence of a long sentence has at most 300 characters and contains the name', () => {
  const text = `${'Play with care, '.repeat(40)}as this site is operated by Ottermoor Gaming Limited of Malta`
  const [finding] = findingsOn({ paragraphs: [text] })
  expect(finding?.snippet?.length).toBeLessThanOrEqual(300)
  expect(finding?.snippet).toContain('Ottermoor Gaming Limited')
})

test('the claims on a page of 300,000 characters are read within two seconds of processor time', () => {
  const sentence =
    'Owned and operated by Otter & Sons Ltd, number 123456, under MGA/B2C/9901/2019 and 8048/JAZ. '
  const started = process.threadCpuUsage().user
  const paragraphs = Array.from({ length: 150 }, () => sentence.repeat(21))
  expect(findingsOn({ paragraphs }, 'terms')).not.toEqual([])
  expect(process.threadCpuUsage().user - started).toBeLessThan(2_000_000)
})

test('a page with several advertised links claims only companies whose sentence names the site', () => {
  const paragraphs = [
    'Heron Bet accepts cards and is operated by Heron Gaming N.V.',
    'Lucky Otter is owned by Otter Media ApS.',
  ]
  const sponsored = { ...linkOf('https://go.heronbet.example/'), rel: 'sponsored nofollow' }
  const names = (links: (typeof sponsored)[]) =>
    findingsOn({ paragraphs, links }).map(({ value }) => (value as Claim).claimed_name)
  expect(names([sponsored, sponsored])).toEqual(['Otter Media ApS'])
  expect(names([sponsored])).toEqual(['Heron Gaming N.V.', 'Otter Media ApS'])
})
