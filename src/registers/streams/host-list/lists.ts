/** Registers that publish only names, one entry per stream. */
import type { Cadence, Stream } from '../../stream.ts'
import { readNewJerseySites } from '../new-jersey/read-new-jersey-sites.ts'
import { type HostListFacts, hostListStream } from './host-list-stream.ts'

const irregular: Cadence = { words: 'irregular', hours: 7 * 24 }
const aboutWeekly: Cadence = { words: 'irregular, about weekly', hours: 7 * 24 }

/** By default `rowsMin` is about half of the smallest complete list seen. */
const lists: readonly HostListFacts[] = [
  {
    kind: 'blocklist',
    key: 'australia.blocklist',
    market: 'australia',
    officialUrl: 'https://www.acma.gov.au/blocked-gambling-websites',
    cadence: irregular,
    rowsMin: 750,
    sourceIdentity: 'ACMA: blocked gambling websites',
  },
  {
    kind: 'blocklist',
    key: 'belgium.blocklist',
    market: 'belgium',
    officialUrl: 'https://www.gamingcommission.be/',
    cadence: irregular,
    rowsMin: 200,
    sourceIdentity: 'Gaming Commission: list of illegal gambling sites',
  },
  {
    kind: 'blocklist',
    key: 'estonia.blocklist',
    market: 'estonia',
    officialUrl: 'https://www.emta.ee/',
    cadence: irregular,
    rowsMin: 900,
    sourceIdentity: 'Maksu- ja Tolliamet: blocked gambling websites',
  },
  {
    kind: 'blocklist',
    key: 'france.blocklist',
    market: 'france',
    officialUrl: 'https://anj.fr/',
    cadence: aboutWeekly,
    rowsMin: 1_200,
    sourceIdentity: 'ANJ: sites illégaux bloqués',
  },
  {
    kind: 'blocklist',
    key: 'greece.blocklist',
    market: 'greece',
    officialUrl: 'https://www.gamingcommission.gov.gr/',
    cadence: irregular,
    rowsMin: 6_000,
    sourceIdentity: 'HGC: blacklist of unlicensed online gambling sites',
  },
  {
    kind: 'blocklist',
    key: 'romania.blocklist',
    market: 'romania',
    officialUrl: 'https://onjn.gov.ro/lista-neagra/',
    cadence: irregular,
    rowsMin: 850,
    sourceIdentity: 'ONJN: Lista neagră',
  },
  {
    kind: 'sites',
    key: 'netherlands.sites',
    market: 'netherlands',
    officialUrl: 'https://kansspelwijzer.kansspelautoriteit.nl/',
    cadence: irregular,
    rowsMin: 17,
    sourceIdentity: 'KSA: Kansspelwijzer',
  },
  {
    kind: 'sites',
    key: 'ontario.sites',
    market: 'ontario',
    officialUrl: 'https://igamingontario.ca/en/player/regulated-igaming-market',
    cadence: irregular,
    rowsMin: 40,
    sourceIdentity: 'iGO: regulated igaming market, list of sites',
  },
  {
    kind: 'sites',
    key: 'romania.sites',
    market: 'romania',
    officialUrl: 'https://onjn.gov.ro/licentiati-clasa-i/',
    cadence: irregular,
    rowsMin: 45,
    sourceIdentity: 'ONJN: class I licensees, authorised sites',
  },
  {
    kind: 'sites',
    key: 'spain.sites',
    market: 'spain',
    officialUrl: 'https://www.ordenacionjuego.es/',
    cadence: irregular,
    rowsMin: 60,
    sourceIdentity: 'DGOJ: licensed operators, domains',
  },
  {
    kind: 'sites',
    key: 'sweden.sites',
    market: 'sweden',
    officialUrl: 'https://www.spelinspektionen.se/',
    cadence: irregular,
    rowsMin: 95,
    sourceIdentity: 'Spelinspektionen: licensees, web addresses',
  },
  {
    kind: 'sites',
    key: 'us_michigan.sites',
    market: 'us_michigan',
    officialUrl: 'https://www.michigan.gov/mgcb',
    cadence: irregular,
    rowsMin: 12,
    sourceIdentity: 'MGCB: authorized internet gaming and sports betting sites',
  },
  {
    kind: 'sites',
    key: 'us_new_jersey.sites',
    market: 'us_new_jersey',
    officialUrl: 'https://www.njoag.gov/about/divisions-and-offices/division-of-gaming-enforcement-home/',
    format: "HTML, a table of each permit holder's sites (also: text, UTF-8, a host or URL a line)",
    cadence: irregular,
    // A sample of the page has 4 sites; the list of sports betting has 14.
    rowsMin: 4,
    sourceIdentity: 'DGE: authorized internet gaming sites',
    read: readNewJerseySites,
  },
  {
    kind: 'sites',
    key: 'us_pennsylvania.sites',
    market: 'us_pennsylvania',
    officialUrl: 'https://gamingcontrolboard.pa.gov/',
    cadence: irregular,
    rowsMin: 20,
    sourceIdentity: 'PGCB: interactive gaming, sports wagering and fantasy contest sites',
  },
]

export const hostListStreams: readonly Stream[] = lists.map(hostListStream)
