/** Sites in the official layouts of lists of sites, in any number, for tests: the holder of each is made up. */
import { pdfTable, workbook } from '../described/fixture.ts'
import { fileOfBytes } from '../source/file-of-bytes.ts'
import type { SourceFile } from '../stream.ts'
import { csvOf, escaped, linkOf, pageOf, rowOf, sheetOf, tableOf } from './official-answer.ts'

/** The files of one snapshot. */
type Layout = (sites: readonly string[]) => (Uint8Array | string)[]

const holderOf = (index: number) => `Holder ${Math.floor(index / 3) + 1} B.V.`
/** Of the first list: before any mirror's file that is known. */
const listedAt = (index: number) =>
  new Date(Date.UTC(2018, 0, 1, 8, index % 60) + (index % 1_500) * 86_400_000)

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
            '<div class="category-online-gokspel">' +
            `<h3 class="elementor-heading-title">${holderOf(index)}</h3>` +
            `<h2 class="elementor-heading-title">${escaped(site)}</h2></div>`,
        )
        .join('\n'),
    ),
  ],
  'ontario.sites': sites => [
    pageOf(
      'Regulated market',
      sites
        .map(
          site =>
            '<li class="operator-item"><div class="views-field-field-logo">' +
            `<a href="https://${escaped(site)}/">Logo</a></div></li>`,
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
    workbook({
      Licensregister: sheetOf([
        swedishHeader,
        ...sites.map((site, index) => {
          const cells: Record<string, string> = {
            Aktör: holderOf(index),
            Licenstyp: 'Kommersiellt online',
            Status: 'Aktiv',
            Webbadress: site,
          }
          return swedishHeader.map(name => cells[name] ?? '')
        }),
      ]),
    }),
  ],
  'us_michigan.sites': sites => [
    pageOf(
      'Authorized providers',
      tableOf(
        ['Operator', 'Sites'],
        sites.map((site, index) => [holderOf(index), linkOf(`https://${escaped(site)}`, 'Play')]),
      ),
    ),
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

const swedishHeader = [
  ['Adress 1', 'Adress 2', 'Aktör', 'Butiks-ID', 'Inlösar-ID', 'Land', 'Licens fr.o.m', 'Licens t.o.m'],
  ['Licenstyp', 'Notering', 'Noteringstyp', 'Noteringswebbadress', 'Platsadress 1', 'Platsadress 2'],
  ['Platsland', 'Platsnamn', 'Platspostnr', 'Platsstad', 'Postnr', 'Stad', 'Status', 'Webbadress'],
].flat()

export const officialFiles = (key: string, sites: readonly string[]): SourceFile[] =>
  (officialLayouts[key]?.(sites) ?? []).map((content, index) => fileOfBytes(`official-${index + 1}`, content))
