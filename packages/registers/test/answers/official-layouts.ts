/** Writes any number of sites in the official layouts of lists. The holder of each is fictional. */

import { fileOfBytes, type SourceFile } from '@baize/tables'
import { pdfTable, workbook } from '@baize/tables/test/make-files'
import { csvOf, escaped, linkOf, pageOf, rowOf, sheetOf, tableOf } from './answer.ts'

/** Returns the files of one snapshot. */
type Layout = (sites: readonly string[]) => (Uint8Array | string)[]

const holderOf = (index: number) => `Holder ${Math.floor(index / 3) + 1} B.V.`
/** Dates the listings of the first list before those of any known mirror's file. */
const listedAt = (index: number) =>
  new Date(Date.UTC(2018, 0, 1, 8, index % 60) + (index % 1_500) * 86_400_000)

/** Returns a label and its value, each in a box of its own. */
const boxOf = (label: string, value: string) =>
  `<div class="elementor-widget-text-editor"><p>${label}</p></div>` +
  `<div class="elementor-widget-text-editor">${value}</div>`

const pagesOf = (sites: readonly string[], perPage: number) =>
  Array.from({ length: Math.ceil(sites.length / perPage) }, (_, page) =>
    sites.slice(page * perPage, (page + 1) * perPage),
  )

export const officialLayouts: Readonly<Record<string, Layout>> = {
  'australia.blocklist': sites => [
    JSON.stringify(sites.map((site, index) => ({ id: index + 1, domainName: site }))),
  ],
  'belgium.blocklist': sites => [
    pageOf(
      'List of illegal gambling sites',
      tableOf(
        ['Site', 'Date'],
        sites.map(site => [escaped(site), '01/02/2020']),
      ),
    ),
  ],
  'estonia.blocklist': sites => [
    pdfTable(
      [
        ['', 'Blokeeritud domeeninimed'],
        ['Nr', 'Domeeninimi'],
        ...sites.map((site, index) => [`${index + 1}`, site]),
      ],
      [60, 110],
    ),
  ],
  'france.blocklist': sites => [
    `\ufeff${csvOf(
      [
        ['SITE', 'URL', 'DATE DE LA DECISION'],
        ...sites.map((site, index) => [
          `NAME ${index}`,
          site,
          listedAt(index).toISOString().slice(0, 10).split('-').reverse().join('/'),
        ]),
      ],
      ';',
    )}`,
  ],
  'greece.blocklist': sites => [
    workbook({
      Blacklist: sheetOf([
        ['Gaming Commission -- CATALOG (Blacklist of unlicensed providers)'],
        ['A/A', 'A/M', 'WEBSITE', 'DOMAIN NAME', 'DATE'],
        ...sites.map((site, index) => [
          `${index + 1}`,
          `${4_000 + index}`,
          `www.${site}`,
          site,
          '01/02/2020',
        ]),
      ]),
    }),
  ],
  'italy.blocklist': sites => [sites.map(site => `${site}\n`).join('')],
  'netherlands.sites': sites => [
    pageOf(
      'Kansspelwijzer',
      sites
        .map(
          (site, index) =>
            `<div class="type-kansspelwijzer"><h1 class="elementor-heading-title">${holderOf(index)}</h1>` +
            `${boxOf('Nummer (vergunning)', `${3_600 + index}`)}${boxOf('Websites', escaped(site))}</div>`,
        )
        .join('\n'),
    ),
  ],
  'ontario.sites': sites => [
    pageOf(
      'Regulated market',
      sites
        .map(
          (site, index) =>
            `<div class="view-content"><h3>${holderOf(index)}</h3><ul>` +
            '<li class="operator-item"><div class="views-field-field-logo-1">' +
            `<a href="https://${escaped(site)}/">Logo</a></div></li></ul></div>`,
        )
        .join('\n'),
    ),
  ],
  'poland.blocklist': sites => [
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      `<Rejestr xmlns="http://www.hazard.mf.gov.pl/2017/03/21/">\n${sites
        .map(
          (site, index) =>
            `<PozycjaRejestru Lp="${index + 1}">\n<AdresDomeny>${escaped(site)}</AdresDomeny>\n` +
            `<DataWpisu>${listedAt(index).toISOString().slice(0, 19)}</DataWpisu>\n</PozycjaRejestru>\n`,
        )
        .join('')}</Rejestr>\n`,
  ],
  'romania.sites': sites => [
    pageOf(
      'Licențiați clasa I',
      tableOf(
        ['Nr. crt.', 'Denumire', 'Sediu social, date de identificare', 'Licență'],
        sites.map((site, index) => [
          `${index + 1}`,
          holderOf(index),
          `Sediu: str. 1<br>Domeniu: ${site}`,
          'L1',
        ]),
      ),
    ),
  ],
  'spain.sites': sites =>
    pagesOf(sites, 10).map(page =>
      pageOf(
        'Operadores',
        `<table><tbody>${page
          .map(
            (site, index) =>
              `<tr><td class="views-field views-field-title">${holderOf(index)}</td>` +
              `<td class="views-field views-field-field-links">${linkOf(`https://${site}`, site)}</td></tr>`,
          )
          .join('\n')}</tbody></table>`,
      ),
    ),
  'sweden.sites': sites => [
    JSON.stringify(
      sites.map((site, index) => ({
        licenseId: index + 1,
        licenseHolder: { licenseHolderName: holderOf(index) },
        licenseType: { licenseTypeName: 'Kommersiellt online' },
        licenseStatus: { licenseStatusName: 'Aktiv' },
        licenseUrls: [{ licenseUrl: site }],
      })),
    ),
  ],
  'us_michigan.sites': sites => [
    workbook({
      Providers: sheetOf([
        ['Casino', 'Tribe', 'Associated Platform Provider', 'Gaming Type(s) Offered', 'Website Address'],
        ...sites.map((site, index) => [holderOf(index), '', 'Brand', 'Internet Casino Games', site]),
      ]),
    }),
  ],
  'us_new_jersey.sites': sites => [
    pageOf(
      'Internet gaming sites',
      `<table>${sites.map((site, index) => rowOf([`${index + 1}.`, ' ', escaped(site)])).join('\n')}</table>`,
    ),
  ],
  'us_pennsylvania.sites': sites =>
    pagesOf(sites, Math.ceil(sites.length / 4)).map(page =>
      pageOf(
        'Operators',
        page
          .map(
            site =>
              `<div class="pgcb-card"><a class="pgcb-card-link" href="https://${escaped(site)}">Visit</a></div>`,
          )
          .join('\n'),
      ),
    ),
}

export const officialFiles = (key: string, sites: readonly string[]): SourceFile[] =>
  (officialLayouts[key]?.(sites) ?? []).map((content, index) => fileOfBytes(`official-${index + 1}`, content))
