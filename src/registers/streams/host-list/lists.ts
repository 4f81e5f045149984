import type { Cadence, Official, OfficialFile, Stream } from '../../stream.ts'
import { readMichiganSites } from '../michigan/read-michigan-sites.ts'
import { readNewJerseySites } from '../new-jersey/read-new-jersey-sites.ts'
import { type HostListFacts, hostListStream } from './host-list-stream.ts'
import * as forms from './official-forms.ts'

const irregular: Cadence = { words: 'irregular', hours: 7 * 24 }
const aboutWeekly: Cadence = { words: 'irregular, about weekly', hours: 7 * 24 }

const at = (...urls: string[]): OfficialFile[] => urls.map(url => ({ url, resolve: { by: 'direct' } }))

type ListFacts = Pick<Official, 'files' | 'language'> & {
  columns?: readonly string[]
  /** The day of a file of the regulator that was read. Without it the layout is described. */
  recordedAt?: string
  /** Where the address and the layout are known from. */
  source: string
}

function listFacts({ files, language, columns = [], recordedAt, source }: ListFacts): Official {
  return {
    files,
    language,
    layout: recordedAt === undefined ? 'described' : 'recorded',
    layoutRecordedAt: recordedAt ?? null,
    columns,
    terms: null,
    sources: {
      address: source,
      layout: source,
      cadence: 'dates of the copies in public mirrors',
      rows: 'public mirrors of the list',
      terms: null,
    },
  }
}

/** Public code that reads the register and was run on it. */
const registerWatch = 'public code that read the register on 2026-10-04 (mishmish004/RegisterWatch)'
const mirrorCode = 'public code of the mirror whose copies are read here'

const belgianList =
  'https://gamingcommission.be/en/gaming-commission/illegal-games-of-chance/' +
  'list-of-illegal-gambling-sites-blocked-by-the-gc'
const michiganProviders =
  'https://www.michigan.gov/mgcb/internet-gaming-and-fantasy-contests/' +
  'authorized-online-gaming-and-sports-betting-platform-providers-in-michigan'
const newJerseySites =
  'https://www.njoag.gov/about/divisions-and-offices/division-of-gaming-enforcement-home/' +
  'internet-gaming-sites/'

const blocklists: readonly HostListFacts[] = [
  {
    kind: 'blocklist',
    key: 'australia.blocklist',
    market: 'australia',
    officialUrl: 'https://www.acma.gov.au/blocked-gambling-websites',
    official: listFacts({
      files: at('https://backend.acma.gov.au/gmbl/api/Domain'),
      language: 'en',
      source: `${mirrorCode}; the names of the members are not known`,
    }),
    form: forms.australia,
    format: 'JSON, a list of domains (also: text, UTF-8, a host or URL a line)',
    cadence: irregular,
    rowsLeast: 1_553,
    sourceIdentity: 'ACMA: blocked gambling websites',
  },
  {
    kind: 'blocklist',
    key: 'belgium.blocklist',
    market: 'belgium',
    officialUrl: belgianList,
    official: listFacts({
      files: at(belgianList),
      language: 'en',
      source: 'public code that reads the cells of the table (ntop/nDPI); the address as cited in 2026',
    }),
    form: forms.belgium,
    format: 'HTML, a table with an address a row (also: text, UTF-8, a host or URL a line)',
    cadence: irregular,
    rowsLeast: 426,
    sourceIdentity: 'Gaming Commission: list of illegal gambling sites',
  },
  {
    kind: 'blocklist',
    key: 'estonia.blocklist',
    market: 'estonia',
    officialUrl:
      'https://www.emta.ee/ariklient/registreerimine-ettevotlus/hasartmangukorraldajale/' +
      'blokeeritud-hasartmangu',
    official: listFacts({
      files: at('https://ncfailid.emta.ee/s/6BEtzQAgFH4y349/download/Blokeeritud_domeeninimed.pdf'),
      language: 'et',
      source: 'public code that reads the file (elliotwutingfeng/Estonia-Blocked-Gambling-Websites, 2026)',
    }),
    form: forms.estonia,
    format: 'PDF, lines of a number and a domain (also: text, UTF-8, a host or URL a line)',
    cadence: irregular,
    // 5 of 1,893 were removed at most. The last line of a mirror has no line break.
    rowsLeast: 1_849,
    removedShareMax: 0.02,
    endsWithLineBreak: false,
    sourceIdentity: 'Maksu- ja Tolliamet: blocked gambling websites',
  },
  {
    kind: 'blocklist',
    key: 'france.blocklist',
    market: 'france',
    officialUrl: 'https://anj.fr/',
    official: listFacts({
      files: at('https://ressources.anj.fr/blocage_sites_illegaux/blocage_sites_illegaux.csv'),
      language: 'fr',
      columns: ['SITE', 'URL', 'DATE DE LA DECISION'],
      recordedAt: '2026-08-01',
      source: 'monthly copies of the file in a public repository (Te-k/censure_anj)',
    }),
    form: forms.france,
    format: 'CSV, UTF-8, semicolon: name, address, day of the decision (also: text, a host or URL a line)',
    publishes: { dates: true },
    cadence: aboutWeekly,
    rowsLeast: 4_418,
    rowsMost: 4_846,
    sourceIdentity: 'ANJ: sites illégaux bloqués',
  },
  {
    kind: 'blocklist',
    key: 'greece.blocklist',
    market: 'greece',
    officialUrl: 'https://www.gamingcommission.gov.gr/',
    official: listFacts({
      files: at(
        'https://www.gamingcommission.gov.gr/images/epopteia-kai-elegxos/blacklist/blacklist_en.xlsx',
      ),
      language: 'en',
      columns: ['A/A', 'A/M', 'WEBSITE', 'DOMAIN NAME', 'DATE'],
      source: `${mirrorCode}, which names the first four columns`,
    }),
    form: forms.greece,
    format: 'XLSX, a title above the header (also: text, UTF-8, a host or URL a line)',
    cadence: irregular,
    rowsLeast: 12_940,
    sourceIdentity: 'HGC: blacklist of unlicensed online gambling sites',
  },
  {
    kind: 'blocklist',
    key: 'romania.blocklist',
    market: 'romania',
    officialUrl: 'https://onjn.gov.ro/lista-neagra/',
    official: listFacts({
      files: at('https://onjn.gov.ro/wp-content/uploads/Onjn.gov.ro/Acasa/BlackList/Lista-neagra.txt'),
      language: 'ro',
      recordedAt: '2026-03-30',
      source: `a copy of the file, and ${mirrorCode}`,
    }),
    cadence: irregular,
    rowsLeast: 1_756,
    sourceIdentity: 'ONJN: Lista neagră',
  },
]

const withHolders = {
  publishes: { holders: true },
  qualification:
    'Sites that the regulator lists as authorised, with their licensees; a mirror lists the sites alone. ' +
    'The list names no license number; a site is removed by leaving it out.',
}

const siteLists: readonly HostListFacts[] = [
  {
    kind: 'sites',
    key: 'netherlands.sites',
    market: 'netherlands',
    officialUrl: 'https://openovergokken.nl/kansspelwijzer/',
    official: listFacts({
      files: at('https://openovergokken.nl/kansspelwijzer/'),
      language: 'nl',
      source: `${mirrorCode}; a script of the page may add further cards`,
    }),
    form: forms.netherlands,
    format: 'HTML, a card for each licensee (also: text, UTF-8, a host or URL a line)',
    ...withHolders,
    cadence: irregular,
    rowsLeast: 36,
    sourceIdentity: 'KSA: Kansspelwijzer',
  },
  {
    kind: 'sites',
    key: 'ontario.sites',
    market: 'ontario',
    officialUrl: 'https://igamingontario.ca/en/player/regulated-igaming-market',
    official: listFacts({
      files: at('https://igamingontario.ca/en/player/regulated-igaming-market'),
      language: 'en',
      source: registerWatch,
    }),
    form: forms.ontario,
    format: 'HTML, a card for each site (also: text, UTF-8, a host or URL a line)',
    cadence: irregular,
    rowsLeast: 83,
    sourceIdentity: 'iGO: regulated igaming market, list of sites',
  },
  {
    kind: 'sites',
    key: 'romania.sites',
    market: 'romania',
    officialUrl: 'https://onjn.gov.ro/licentiati-clasa-i/',
    official: listFacts({
      files: at('https://onjn.gov.ro/licentiati-clasa-i/'),
      language: 'ro',
      columns: ['Nr. crt.', 'Denumire', 'Sediu social, date de identificare', 'Licență'],
      source: `${mirrorCode}, which names this column alone; the site lets browsers in, and programs rarely`,
    }),
    form: forms.romaniaSites,
    format: 'HTML, a table with the domains in a cell of text (also: text, UTF-8, a host or URL a line)',
    cadence: irregular,
    rowsLeast: 94,
    sourceIdentity: 'ONJN: class I licensees, authorised sites',
  },
  {
    kind: 'sites',
    key: 'spain.sites',
    market: 'spain',
    officialUrl: 'https://www.ordenacionjuego.es/operadores-juego/operadores-licencia/operadores',
    official: listFacts({
      files: [
        {
          url: 'https://www.ordenacionjuego.es/operadores-juego/operadores-licencia/operadores',
          resolve: { by: 'pages', parameter: 'page' },
        },
      ],
      language: 'es',
      source: registerWatch,
    }),
    form: forms.spain,
    format: 'HTML, pages of a table of operators with links (also: text, UTF-8, a host or URL a line)',
    ...withHolders,
    cadence: irregular,
    rowsLeast: 127,
    sourceIdentity: 'DGOJ: licensed operators, domains',
  },
  {
    kind: 'sites',
    key: 'sweden.sites',
    market: 'sweden',
    officialUrl: 'https://www.spelinspektionen.se/licens-o-tillstand/licensregister/',
    official: listFacts({
      files: at('https://www.spelinspektionen.se/api/export/LicenseRegistryExcel'),
      language: 'sv',
      columns: [
        ['Adress 1', 'Adress 2', 'Aktör', 'Butiks-ID', 'Inlösar-ID', 'Land', 'Licens fr.o.m', 'Licens t.o.m'],
        ['Licenstyp', 'Notering', 'Noteringstyp', 'Noteringswebbadress', 'Platsadress 1', 'Platsadress 2'],
        ['Platsland', 'Platsnamn', 'Platspostnr', 'Platsstad', 'Postnr', 'Stad', 'Status', 'Webbadress'],
      ].flat(),
      source: registerWatch,
    }),
    form: forms.sweden,
    format: 'XLSX, a row for each license and site (also: text, UTF-8, a host or URL a line)',
    ...withHolders,
    publishes: { holders: true, statuses: true },
    cadence: irregular,
    // The register has more than 2,000 rows, most of them of halls, machines and clubs.
    rowsLeast: 191,
    rowsMost: 2_000,
    sourceIdentity: 'Spelinspektionen: licensees, web addresses',
  },
  {
    kind: 'sites',
    key: 'us_michigan.sites',
    market: 'us_michigan',
    officialUrl: michiganProviders,
    official: listFacts({
      files: at(michiganProviders),
      language: 'en',
      source: mirrorCode,
    }),
    format: 'HTML, a table of providers with links to their sites (also: text, UTF-8, a host or URL a line)',
    cadence: irregular,
    rowsLeast: 30,
    sourceIdentity: 'MGCB: authorized internet gaming and sports betting sites',
    read: readMichiganSites,
  },
  {
    kind: 'sites',
    key: 'us_new_jersey.sites',
    market: 'us_new_jersey',
    officialUrl: newJerseySites,
    official: listFacts({
      files: at(newJerseySites),
      language: 'en',
      source: `a part of the page, of an unknown day, and ${registerWatch}`,
    }),
    format: "HTML, a table of each permit holder's sites (also: text, UTF-8, a host or URL a line)",
    cadence: irregular,
    // A sample of the page has 4 sites, 2 of them twice; the list of sports betting has 14.
    rowsLeast: 6,
    rowsMost: 14,
    sourceIdentity: 'DGE: authorized internet gaming sites',
    read: readNewJerseySites,
  },
  {
    kind: 'sites',
    key: 'us_pennsylvania.sites',
    market: 'us_pennsylvania',
    officialUrl: 'https://gamingcontrolboard.pa.gov/interactive-gaming-operators',
    official: listFacts({
      files: at(
        'https://gamingcontrolboard.pa.gov/interactive-gaming-operators',
        'https://gamingcontrolboard.pa.gov/online-sports-wagering-licensed-operators',
        'https://gamingcontrolboard.pa.gov/online-poker-operators',
        'https://gamingcontrolboard.pa.gov/online-fantasy-contest-operators',
      ),
      language: 'en',
      source: mirrorCode,
    }),
    form: forms.pennsylvania,
    format: 'HTML, four pages with a card for each operator (also: text, UTF-8, a host or URL a line)',
    cadence: irregular,
    rowsLeast: 51,
    sourceIdentity: 'PGCB: interactive gaming, sports wagering and fantasy contest sites',
  },
]

export const hostListStreams: readonly Stream[] = [...blocklists, ...siteLists].map(hostListStream)
