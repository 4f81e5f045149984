import { describe, expect, test } from 'vitest'
import { pageSource } from '../page/fixture.ts'
import { loadRules } from '../page/load-rules.ts'
import { readPage } from '../page/read-page.ts'
import { pageSeen } from './read-presence.ts'

const seen = (html: string) =>
  pageSeen(readPage({ source: pageSource(html), domain: 'luckyotter.example', pageType: null }))

/** Leaves out the words of a refusal, which each region page has, too. */
const marks = (html: string) => [...seen(html).marks].filter(mark => mark !== 'refusal_tone')
const products = (html: string) => [...seen(html).productKinds].toSorted()

/** Phrases of each language in this order: parked, refusal, launch, lobby, registration. */
const phrases: Record<string, [string, string, string, string, string]> = {
  en: ['This domain is parked', 'Not available in your country', 'Opening soon', 'Slots', 'Sign up'],
  de: [
    'Domain ist geparkt',
    'In Ihrem Land nicht verfügbar',
    'Wir starten bald',
    'Sportwetten',
    'Registrieren',
  ],
  fr: [
    'Ce domaine est à vendre',
    'Pas disponible dans votre pays',
    'Bientôt disponible',
    'Paris sportifs',
    'S’inscrire',
  ],
  es: [
    'Este dominio está en venta',
    'No está disponible en tu país',
    'Abrimos pronto',
    'Tragaperras',
    'Regístrate',
  ],
  pt: ['Este domínio está à venda', 'Indisponível no seu país', 'Em breve', 'Cassino', 'Cadastre-se'],
  it: [
    'Il dominio è in vendita',
    'Non è disponibile nel tuo paese',
    'Lista d’attesa',
    'Scommesse',
    'Registrati',
  ],
  nl: ['Dit domein is te koop', 'Niet beschikbaar in jouw land', 'Wachtlijst', 'Gokkasten', 'Registreren'],
  sv: [
    'Domänen är till salu',
    'Inte tillgänglig i ditt land',
    'Öppnar snart',
    'Spelautomater',
    'Skapa konto',
  ],
  da: [
    'Domænet er parkeret',
    'Ikke tilgængelig i dit land',
    'Vi åbner snart',
    'Spilleautomater',
    'Opret konto',
  ],
  nb: ['Domenet er parkert', 'Ikke tilgjengelig i ditt land', 'Åpner snart', 'Bingo', 'Opprett konto'],
  fi: [
    'Verkkotunnus on varattu',
    'Ei ole saatavilla maassasi',
    'Avaamme pian',
    'Kolikkopelit',
    'Rekisteröidy',
  ],
  pl: [
    'Domena na sprzedaż',
    'Strona niedostępna w twoim kraju',
    'Wkrótce startujemy',
    'Zakłady',
    'Załóż konto',
  ],
  cs: ['Doména je na prodej', 'Není dostupná ve vaší zemi', 'Brzy spouštíme', 'Sázky', 'Registrace'],
  sk: [
    'Doména je na predaj',
    'Nie je dostupná vo vašej krajine',
    'Čoskoro spúšťame',
    'Stávky',
    'Registrácia',
  ],
  hu: [
    'Ez a domain eladó',
    'Nem elérhető az Ön országában',
    'Hamarosan indulunk',
    'Nyerőgépek',
    'Regisztráció',
  ],
  ro: [
    'Domeniul este de vânzare',
    'Nu este disponibil în țara ta',
    'Lansăm în curând',
    'Păcănele',
    'Înregistrare',
  ],
  bg: ['Домейнът се продава', 'Не е достъпен във вашата страна', 'Отваряме скоро', 'Казино', 'Регистрация'],
  el: ['Το domain πωλείται', 'Δεν είναι διαθέσιμη στη χώρα σας', 'Ανοίγουμε σύντομα', 'Στοίχημα', 'Εγγραφή'],
  tr: ['Alan adı satılıktır', 'Ülkenizde kullanılamıyor', 'Yakında açılıyoruz', 'Canlı Casino', 'Üye Ol'],
  uk: ['Домен продається', 'Недоступний у вашій країні', 'Скоро відкриття', 'Слоти', 'Реєстрація'],
  ru: ['Домен продается', 'Недоступен в вашей стране', 'Скоро открытие', 'Слоты', 'Зарегистрироваться'],
  et: ['Domeen on müügis', 'Pole sinu riigis saadaval', 'Avame varsti', 'Kasiino', 'Registreeru'],
  lv: ['Domēns tiek pārdots', 'Nav pieejama jūsu valstī', 'Drīzumā atvērsim', 'Kazino', 'Reģistrēties'],
  lt: ['Domenas parduodamas', 'Neprieinama jūsų šalyje', 'Netrukus atidarome', 'Lažybos', 'Registruotis'],
  hr: [
    'Domena je na prodaju',
    'Nije dostupna u vašoj zemlji',
    'Uskoro otvaramo',
    'Klađenje',
    'Registriraj se',
  ],
  sl: [
    'Domena je naprodaj',
    'Ni na voljo v vaši državi',
    'Kmalu odpiramo',
    'Športne stave',
    'Registrirajte se zdaj',
  ],
}

describe('marks in 25 languages', () => {
  test.each(Object.entries(phrases))(
    'phrases for marks and products are recognised in %s',
    (_language, [parked, refusal, launch, lobby, registration]) => {
      expect(marks(`<h1>luckyotter.example</h1><p>${parked}.`)).toEqual(['parked'])
      expect(marks(`<h1>Lucky Otter</h1><p>${refusal}.`)).toEqual(['region_page'])
      expect(marks(`<h1>Lucky Otter</h1><p>${launch}!`)).toEqual(['launch_words'])
      expect(products(`<nav><a href=/l>${lobby}</a><a href=/r>${registration}</a></nav>`)).toEqual([
        'lobby',
        'registration',
      ])
    },
  )
})

describe('refusals in other words', () => {
  test.each([
    'Unfortunately we are unable to offer our services in your country due to licensing restrictions.',
    'It appears you are in a restricted location. Your IP address is 203.0.113.7.',
    'Players from your jurisdiction are not accepted at Lucky Otter.',
    'Access denied. Your region is not supported.',
    'Leider können wir unsere Spiele in Ihrem Land nicht anbieten.',
    'Désolé, nous n’acceptons pas les joueurs depuis votre pays.',
    'Lo sentimos, no aceptamos jugadores de tu región.',
    'Infelizmente, não oferecemos nossos serviços no seu país.',
    'Valitettavasti emme hyväksy pelaajia maastasi.',
    'Vi tilbyr ikke spill i ditt land.',
    'К сожалению, мы не принимаем игроков из вашей страны.',
    '申し訳ございませんが、お住まいの国からはご利用いただけません。',
  ])('a refusal is recognised: %s', text => {
    expect(marks(`<h1>Lucky Otter</h1><p>${text}`)).toEqual(['region_page'])
  })

  test.each([
    '<p>It is your responsibility to know whether gambling is prohibited in your country.',
    '<nav><a href=/c>Casino</a></nav><p>Some games are not available in your country.',
    '<form><input type=email></form><p>We will write when we open in your country. Restrictions apply.',
    '<p>Our games are available in your country, too.',
  ])('other text is not recognised as a refusal: %s', html => {
    expect(marks(`<h1>Lucky Otter</h1>${html}`)).not.toContain('region_page')
  })
})

test('an error page of a content network is not a challenge', () => {
  const page = (status: number) =>
    readPage({
      source: pageSource('<h1>Web server is down</h1><p>Cloudflare Ray ID: 8f1', { status }),
      domain: 'luckyotter.example',
      pageType: null,
    })
  expect([...pageSeen(page(521)).marks]).toEqual([])
  expect(
    marks('<title>luckyotter.example | 1001</title><h1>DNS resolution error</h1><p>Cloudflare Ray ID'),
  ).toEqual([])
})

describe('parked pages in other words', () => {
  test.each([
    '<title>luckyotter.com is for sale | HugeDomains</title><p>Questions? Talk to a domain expert.',
    '<h1>luckyotter.com is for sale!</h1><p>Get this domain</p>',
    '<p>The domain luckyotter.com may be for sale. Click here to inquire about this domain.',
    '<p>This domain has recently been registered with Namecheap.',
    '<h1>Welcome to nginx!</h1><title>Welcome to nginx!</title>',
    '<h1>It works!</h1>',
    '<p>Looks like this domain isn’t connected to a website yet',
    '<h1>Hier entsteht in Kürze eine neue Internetpräsenz</h1>',
  ])('a parked page is recognised: %s', html => {
    expect(marks(html)).toEqual(['parked'])
  })
})

test('a long page that only mentions a phrase of parking or refusal does not have its mark', () => {
  const long = '<p>Lucky Otter has games for everybody who likes otters.'.repeat(100)
  const mentions =
    '<p>This domain is for sale. Not available in your country. Checking your browser. Coming soon.'
  expect(marks(mentions + long)).toEqual([])
})

test('a page that compares or sells casinos shows no products', () => {
  const nav =
    '<a href=/s>Slots</a><a href=/r>Sign up</a><img alt="Gates of Olympus"><p>Betslip. Minimum deposit'
  expect(products(nav)).toEqual(['cashier', 'game_tiles', 'lobby', 'odds', 'registration'])
  expect(products(`<h1>Best online casinos</h1>${nav}`)).toEqual([])
  expect(products(`<p>Turnkey solution for operators</p>${nav}`)).toEqual([])
  expect(products(`<title>Otter Gambling Commission</title>${nav}`)).toEqual([])
  expect(products(`<title>Otter betting forum</title>${nav}`)).toEqual([])
  expect(products(`<meta property=og:type content=article>${nav}`)).toEqual([])
})

test('hidden elements show no products', () => {
  expect(products('<nav hidden><a href=/s>Slots</a><a href=/r>Sign up</a></nav>')).toEqual([])
})

test('each rule of presence has a known mark, and a product has a known kind', () => {
  const known = [
    'parked',
    'challenge',
    'region_page',
    'refusal_tone',
    'launch_words',
    'brand_legal',
    'product',
    'games_link',
    'about_gambling',
  ]
  const kinds = ['lobby', 'cashier', 'registration', 'game_tiles', 'odds']
  const rules = loadRules().files.find(({ name }) => name === 'presence-marks')?.rules ?? []
  const wrong = rules.filter(
    ({ value }) =>
      !known.includes(String(value.mark)) ||
      (value.mark === 'product' ? !kinds.includes(String(value.kind)) : value.kind !== undefined),
  )
  expect(rules.length).toBeGreaterThan(50)
  expect(wrong).toEqual([])
})

test('pokies are a lobby, and a hotel that has pokies is none', () => {
  expect(products('<nav><a href="/pokies">Pokies</a><a href="/new">Online pokies</a></nav>')).toEqual([
    'lobby',
  ])
  expect(products('<h1>The Kauri Hotel</h1><p>Rooms, a bistro, 18 pokies and a bar.</p>')).toEqual([])
})
