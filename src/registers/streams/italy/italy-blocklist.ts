import type { Stream } from '../../stream.ts'
import { hostListStream } from '../host-list/host-list-stream.ts'

/** Published as a host per line; providers redistribute it as a hosts file with their stop page's address. */
export const italyBlocklist: Stream = hostListStream({
  kind: 'blocklist',
  key: 'italy.blocklist',
  market: 'italy',
  officialUrl: 'https://www.adm.gov.it/portale/siti-web-inibiti-giochi',
  official: {
    files: [
      {
        url: 'https://www.adm.gov.it/portale/siti-web-inibiti-giochi',
        resolve: { by: 'newest_link', href: 'elenco_siti_inibiti_giochi\\.txt' },
      },
    ],
    language: 'it',
    layout: 'described',
    layoutRecordedAt: null,
    columns: [],
    terms: null,
    sources: {
      address: 'public code that read the page on 2026-10-04 (mishmish004/RegisterWatch)',
      layout: 'public mirrors of the text file',
      cadence: 'dates of the copies in public mirrors',
      rows: 'public mirrors of the list',
      terms: null,
    },
  },
  cadence: { words: 'irregular, about weekly', hours: 7 * 24 },
  // In three years 3 of 9,685 hosts were removed. One mirror's last line has no line break.
  rowsLeast: 9_685,
  rowsMost: 12_448,
  removedShareMax: 0.02,
  endsWithLineBreak: false,
  sourceIdentity: 'ADM: elenco dei siti soggetti ad inibizione, giochi',
})
