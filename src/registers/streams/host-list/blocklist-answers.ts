/** What the sites of the regulators answer, in their layouts, with fictional names. */
import { pdfTable, workbook } from '../../described/fixture.ts'
import {
  answer,
  csvOf,
  dayAt,
  dayFirst,
  fictionalNames,
  type OfficialAnswer,
  pageOf,
  sheetOf,
  siteOf,
  tableOf,
} from '../official-answer.ts'

const names = fictionalNames(60)
const sites = names.map(siteOf)
const day = (index: number) => dayFirst(dayAt(11 * index), '/')

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export const blocklistAnswers: Readonly<Record<string, readonly OfficialAnswer[]>> = {
  'australia.blocklist': [
    answer('https://backend.acma.gov.au/gmbl/api/Domain', 'application/json', () =>
      JSON.stringify(sites.map((site, index) => ({ id: index + 1, domainName: site }))),
    ),
  ],
  'belgium.blocklist': [
    answer(
      'https://gamingcommission.be/en/gaming-commission/illegal-games-of-chance/' +
        'list-of-illegal-gambling-sites-blocked-by-the-gc',
      'text/html',
      () =>
        pageOf(
          'List of illegal gambling sites',
          `<h1>List of illegal gambling sites</h1>\n${tableOf(
            ['Site', 'Date'],
            sites.map((site, index) => [index % 9 === 4 ? `www.${site}/en` : site, day(index)]),
          ).replaceAll('<td>', '<td style="width: 50%">')}`,
        ),
    ),
  ],
  'estonia.blocklist': [
    answer(
      'https://ncfailid.emta.ee/s/6BEtzQAgFH4y349/download/Blokeeritud_domeeninimed.pdf',
      'application/pdf',
      () =>
        pdfTable(
          [
            ['', 'Blokeeritud domeeninimed'],
            ['Nr', 'Domeeninimi'],
            ...sites.map((site, index) => [`${index + 1}`, index % 7 === 3 ? `www.${site}` : site]),
          ],
          [60, 110],
        ),
    ),
  ],
  'france.blocklist': [
    answer('https://ressources.anj.fr/blocage_sites_illegaux/blocage_sites_illegaux.csv', 'text/csv', () => {
      const rows = names.flatMap((name, index) =>
        ['', 'www.'].map(front => [name.toUpperCase(), front + siteOf(name), day(index)]),
      )
      return `\ufeff${csvOf([['SITE', 'URL', 'DATE DE LA DECISION'], ...rows], ';')}`
    }),
  ],
  'greece.blocklist': [
    answer(
      'https://www.gamingcommission.gov.gr/images/epopteia-kai-elegxos/blacklist/blacklist_en.xlsx',
      xlsxType,
      () =>
        workbook({
          Blacklist: sheetOf([
            ['Gaming Commission -- CATALOG (Blacklist of unlicensed providers)'],
            ['A/A', 'A/M', 'WEBSITE', 'DOMAIN NAME', 'DATE'],
            ...sites.map((site, index) => [
              `${index + 1}`,
              `${4_000 + index}`,
              `www.${site}`,
              site,
              day(index),
            ]),
          ]),
        }),
    ),
  ],
  'romania.blocklist': [
    answer(
      'https://onjn.gov.ro/wp-content/uploads/Onjn.gov.ro/Acasa/BlackList/Lista-neagra.txt',
      'text/plain',
      () => sites.map(site => `${site}\r\n`).join(''),
    ),
  ],
}
