/** Whole sites as checks see them: the presence, the launch and the charge that follow from their pages. */
import { expect, test } from 'vitest'
import { answered, dnsCapture, httpCapture } from '../fixture.ts'
import { readCaptures } from '../read-captures.ts'

type Site = { html: string; nameservers?: string; licensed?: boolean }

async function stateOf({ html, nameservers = 'ns1.host.example', licensed = false }: Site) {
  const dns = dnsCapture({ ...answered, ns: { outcome: 'answered', records: [nameservers] } })
  const context = { domain: 'luckyotter.example', earlierLive: false, licensed }
  const { findings, outcome } = await readCaptures([dns, httpCapture(html)], context)
  const of = (section: string) => findings.find(each => each.section === section)?.value.status
  return [of('web_presence'), of('launch'), outcome.outcome]
}

const cashier = '<p>Minimum deposit 10 €</p>'

test.each<[string, string]>([
  [
    'portal that denies being a casino',
    '<nav><a href=/s>Slots</a></nav><img alt="Starburst"><p>We are not a casino.',
  ],
  [
    'portal that links a casino',
    '<a href=/s>Slots</a><img alt=Reactoonz><h1>Play free slots</h1><a rel="nofollow sponsored" href="https://heron.example">Heron</a>',
  ],
  [
    'Spanish portal',
    '<a href=/t>Tragaperras</a><img alt="Book of Dead"><h1>Tragaperras gratis sin registro</h1><p>Modo demo',
  ],
  ['Polish portal', '<a href=/a>Automaty</a><img alt="Book of Ra"><h1>Darmowe automaty bez rejestracji</h1>'],
  [
    'studio',
    '<title>Otter Gaming – slots studio</title><a href=/g>Slots</a><h2>Coming soon: Otter Kings</h2>',
  ],
  [
    'aggregator',
    '<h1>Single integration</h1><p>Coming soon: sportsbook. Join the waitlist.<p>Live casino API',
  ],
  [
    'studio by its figures',
    '<h1>We craft slots</h1><p>Coming soon: Otter Riches. RTP 96 %, high volatility.',
  ],
  ['French studio', '<h1>Studio de jeux</h1><p>Bientôt disponible : Loutre d’Or, machine à sous'],
  ['German supplier', '<h1>Spieleentwicklung</h1><p>Demnächst verfügbar: Otterglück, unser Spielautomat'],
])('a site that offers no games itself is neither live nor launching: %s', async (_name, html) => {
  expect(await stateOf({ html })).toEqual(['live', 'unknown', 'completed'])
})

test.each<[title: string, label: string, text: string]>([
  ['Otter Bingo Night', 'Games', 'The hall is operated by Otter Ltd, a charity.'],
  ['Racing odds', 'Sport', 'Our journalists ride along. It is operated by Otter Media Ltd.'],
  ['Betting helpline', 'Live', 'The helpline is operated by Otter Ltd.'],
  ['Otter Casino', 'Games', 'Our hotel is operated by Otter Ltd.'],
])('a site of "%s" with an account and the label %s is not live', async (title, label, text) => {
  const html = `<title>${title}</title><a href=/g>${label}</a><a href=/r>Register</a><p>${text}`
  expect(await stateOf({ html })).toEqual(['live', 'unknown', 'completed'])
})

test.each<[string, string]>([
  [
    'demo games beside an account',
    `<a href=/s>Slots</a><a href=/r>Register</a><p>Try every game in demo mode, no registration.${cashier}`,
  ],
  [
    'a game that is coming soon',
    `<a href=/s>Slots</a><a href=/r>Sign up</a><h2>Coming soon: Otter Kings</h2>${cashier}`,
  ],
  [
    'general labels and its operator',
    '<title>Otter Casino</title><a href=/g>Games</a><a href=/r>Join</a><p>Otter Ltd operates this site.',
  ],
  [
    'French general labels and its operator',
    '<title>Loutre Casino</title><a href=/g>Jeux</a><a href=/r>Inscription</a><p>Exploité par Loutre N.V.',
  ],
])('a site that lets players play is live in spite of, or by: %s', async (_name, html) => {
  expect(await stateOf({ html })).toEqual(['live', 'live', 'completed'])
})

test.each<[string, string]>([
  [
    'English',
    '<h1>Otter Bingo</h1><p>Our rooms are for players in Sweden only. It looks like you are elsewhere.',
  ],
  ['license', '<h1>Otter</h1><p>We do not have a licence where you live, so we cannot serve you.'],
  ['VPN', '<p>Exclusively for New Zealand. Connected somewhere else? Turn off your VPN.'],
  [
    'German',
    '<h1>Hallo</h1><p>Otter ist nur für Österreich gedacht. Sie befinden sich in einem anderen Land.',
  ],
  ['French', '<p>Ce site est réservé aux joueurs de Belgique. Il semble que vous soyez à l’étranger.'],
  ['Spanish', '<p>Solo aceptamos jugadores de Perú. Parece que estás en otro país.'],
  ['Portuguese', '<p>Apenas para o Brasil. Parece que você está no exterior.'],
  ['outside', '<p>Unfortunately Otter is unavailable outside Ontario.'],
  ['Dutch', '<p>Je kunt vanaf je huidige locatie niet spelen.'],
  ['Italian', '<p>Riservato a chi si trova in Italia. Sembra che tu ti stia collegando dall’estero.'],
  ['Finnish', '<p>Palvelumme ei ole avoinna sijaintimaassasi.'],
  ['Lithuanian notice', '<p>Svetainė užblokuota Lošimų priežiūros tarnybos nurodymu.'],
  ['Turkish', '<p>Bulunduğunuz bölgeden hizmet verilmemektedir.'],
  ['Danish', '<p>Kun for spillere i Danmark. Det ser ud til at du er i et andet land.'],
  [
    'Polish notice',
    '<h1>Uwaga</h1><p>Strona wpisana do Rejestru domen służących do oferowania gier hazardowych.',
  ],
  ['Czech notice', '<p>Web je na Seznamu nepovolených internetových her Ministerstva financí.'],
  ['Norwegian notice', '<p>Nettstedet er DNS-blokkert etter pålegg fra Lotteritilsynet.'],
  [
    'interstitial with a refresh',
    `<meta http-equiv=refresh content="5; URL='/?bm-verify=AAQ'"><script>var i=1</script>`,
  ],
  [
    'check of the browser',
    '<title>luckyotter.example</title><p>Please enable JS and disable any ad blocker</p>',
  ],
  [
    'interstitial with a script',
    '<p>Loading</p><script>fetch("/_sec/verify?provider=interstitial",{method:"POST"})</script>',
  ],
])('a refusal with status 200 is blocked and is not charged: %s', async (_name, html) => {
  expect(await stateOf({ html, licensed: true })).toEqual(['blocked', 'unknown', 'failed'])
})

test('a short page that refuses in unknown words is not called live, and is not charged', async () => {
  const html = '<h1>Otter</h1><p>The likes of you are not allowed past this rock.'
  expect(await stateOf({ html, licensed: true })).toEqual(['unknown', 'unknown', 'failed'])
  expect(await stateOf({ html: `${html}<a href="/rules">House rules</a>` })).toEqual([
    'live',
    'unknown',
    'completed',
  ])
})

test.each<[string, string]>([
  ['a shop', '<h1>Otter Ferry</h1><p>Only the best boats. Our guests come from Denmark and Sweden.'],
  [
    'a site with the script of a guard',
    '<title>Otter</title><script src="/akam/13/4a"></script><p>Welcome to us.',
  ],
])('a page with words or scripts like those of a refusal is live: %s', async (_name, html) => {
  expect(await stateOf({ html })).toEqual(['live', 'unknown', 'completed'])
})

const lander = '<script>window.location.replace("/lander")</script>'
const bodis =
  '<html data-adblockkey="MFww_abc"><body><div id=target></div><script>window.park="eyJ1"</script>'
const [godaddy, parking, other] = ['ns51.domaincontrol.com', 'ns1.bodis.com', 'ns1.host.example']

test.each<[string, Site, string, string]>([
  ['GoDaddy’s', { html: lander, nameservers: godaddy }, 'parked', 'unknown'],
  [
    'GoDaddy’s, of a licensed operator',
    { html: lander, nameservers: godaddy, licensed: true },
    'parked',
    'pre_launch',
  ],
  ['Bodis’', { html: bodis, nameservers: parking }, 'parked', 'unknown'],
  [
    'its words',
    { html: '<h2>o.example</h2><p>Related searches: poker', nameservers: parking },
    'parked',
    'unknown',
  ],
  [
    'a lander on other nameservers',
    { html: lander, nameservers: other, licensed: true },
    'unknown',
    'unknown',
  ],
  [
    'another path',
    {
      html: '<title>Otter</title><script>location.replace("/en")</script>',
      nameservers: godaddy,
      licensed: true,
    },
    'live',
    'unknown',
  ],
])(
  'a page of a script alone is parked where the nameservers prove it: %s',
  async (_name, site, presence, launch) => {
    expect(await stateOf(site)).toEqual([presence, launch, 'completed'])
  },
)

test.each([
  '<h1>Otter Bets</h1><p>The bookmaker that opens this spring.<button>Count me in</button>',
  '<h1>Otter Casino</h1><p>Be first in line.<input type=email>',
  '<h1>Otter Bingo</h1><p>Something new for bingo fans arrives in March.',
  '<h1>Nutria</h1><p>Tu nueva casa de apuestas. Muy pronto.',
  '<h1>Βίδρα</h1><p>Νέο καζίνο. Ανοίγουμε τον Μάιο.',
  '<title>Otter Slots</title><p>Otter Slots will be operated by Otter Ltd.',
  '<h1>LoutreBet</h1><p>Paris sportifs : ouverture imminente. Prévenez-moi !',
  '<h1>NutriaBet</h1><p>Apuestas y casino. Apertura en breve, te avisaremos.',
  '<h1>LontraBet</h1><p>Cassino online. Abriremos em breve. Avise-me',
  '<h1>OtterBet</h1><p>Unsere Sportwetten gehen im Herbst an den Start. Trag dich ein!',
  '<h1>Utter Casino</h1><p>Vi slår upp portarna i vår. Meddela mig',
  '<h1>Wydra</h1><p>Nowy bukmacher. Ruszamy jesienią. Powiadom mnie',
  '<h1>Vydra</h1><p>Online casino. Spouštíme na jaře, dejte mi vědět',
  '<h1>Samur Bahis</h1><p>Kapılarımızı açıyoruz. Bana haber ver',
  '<h1>Выдра</h1><p>Казино. Открываемся осенью. Оставьте почту',
])('words of a coming launch are launching: %s', async html => {
  expect(await stateOf({ html })).toEqual(['live', 'launching', 'completed'])
})

test.each([
  '<h1>Otter Hall</h1><p>Doors open at 8 pm. Be on the list. Concerts in the casino.',
  '<h1>Otter Bakery</h1><p>We are on the list of the best bakeries, opening in the morning.',
])('words of a launch that announce something else are not launching: %s', async html => {
  expect(await stateOf({ html })).toEqual(['live', 'unknown', 'completed'])
})
