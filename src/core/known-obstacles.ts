/**
 * What public notes say of addresses that could not be read, by stream, and of markets that no stream reads,
 * by market. A probe of an operator with internet decides; until then these are the best known facts.
 */
export type Obstacle = { found: string; on: string; source: string }

const registerWatch = { on: '2026-10-04', source: 'public notes of mishmish004/RegisterWatch' }

export const obstaclesOfStreams: Readonly<Record<string, Obstacle>> = {
  'brazil.brands': {
    found: 'The page redirects to one without the links; the files are dated PDFs at changing addresses.',
    ...registerWatch,
  },
  'colombia.operators': { found: 'The page answered 404.', ...registerWatch },
  'cyprus.bookmakers': {
    found: 'Class A stands in some 300 dated workbooks without a current one, class B in a PDF per license.',
    ...registerWatch,
  },
  'denmark.operators': {
    found:
      'Scripts draw the page; it has no list or export. Public code reads the table at ' +
      'www.spillemyndigheden.dk/tilladelsesindehavere/print with a browser.',
    ...registerWatch,
  },
  'gibraltar.licensees': { found: 'No public list was found on gibraltar.gov.gi.', ...registerWatch },
  'latvia.operators': {
    found: 'The office moved to the State Revenue Service; the list was not found there.',
    ...registerWatch,
  },
  'mga.licensees': {
    found:
      'Obfuscated scripts draw the register; it has no export, and the open-data portal shows a challenge.',
    ...registerWatch,
  },
  'netherlands.sites': { found: 'A search whose results are not in the page; no export.', ...registerWatch },
  'peru.operators': { found: 'No public list of authorised platforms was found.', ...registerWatch },
  'romania.blocklist': { found: 'onjn.gov.ro answers with a browser challenge (503).', ...registerWatch },
  'romania.sites': { found: 'onjn.gov.ro answers with a browser challenge (503).', ...registerWatch },
  'us_michigan.sites': { found: 'The page answered 404 or refused access.', ...registerWatch },
}

export const obstaclesOfMarkets: Readonly<Record<string, Obstacle>> = {
  alderney: { found: "The list exists only inside the page's scripts.", ...registerWatch },
  austria: { found: 'A monopoly; no register of licensees to read.', ...registerWatch },
  bulgaria: { found: 'nra.bg did not answer in time.', ...registerWatch },
  jersey: { found: 'The site of the commission did not answer.', ...registerWatch },
}
