/** What the sites of the regulators answer, in their layouts, with fictional names. */
import { workbook } from '../../described/fixture.ts'
import {
  answer,
  dayAt,
  escaped,
  fictionalNames,
  isoDay,
  linkOf,
  type OfficialAnswer,
  pageOf,
  rowOf,
  sheetOf,
  siteOf,
  tableOf,
} from '../official-answer.ts'

const names = fictionalNames(40)
const html = 'text/html; charset=utf-8'

const card = (name: string) => `<div class="jet-listing category-online-gokspel">
<h3 class="elementor-heading-title">${name} B.V.</h3>
<h2 class="elementor-heading-title">${name}</h2>
<h2 class="elementor-heading-title">www.${siteOf(name)}, casino.${siteOf(name)}/spelen</h2>
<a href="https://openovergokken.nl/kansspelwijzer/${siteOf(name)}/">Meer informatie</a></div>`

const operatorItem = (name: string) => `<li class="operator-item">
<div class="views-field views-field-field-logo"><a href="https://on.${siteOf(name)}/?brand=1" title="${name}"><img src="/logo.png" alt=""></a></div>
<div class="views-field views-field-title"><a href="https://on.${siteOf(name)}/?brand=1">Play ${name}</a></div>
<div class="views-field views-field-field-offerings">
    <ul><li>Casino</li><li>Sports Betting</li></ul></div></li>`

const romanianSeat = (name: string, index: number) =>
  `Sediu: str. Lalelelor nr.${index + 1}, sect.3, J40/${100 + index}/2016, ` +
  `e-mail: office@${siteOf(name)}<br>` +
  `Domeniu: www.${siteOf(name)}${index % 5 === 0 ? `<br>bingo.${siteOf(name)}` : ''}`

const spanishBase = 'https://www.ordenacionjuego.es/operadores-juego/operadores-licencia/operadores'
function spanishPage(page: number): string {
  const rows = names.slice(page * 10, page * 10 + 10).map((name, index) => {
    const site = `https://www.${siteOf(name)}`
    const links =
      index === 9
        ? 'No posee un sitio web que ofrezca juego'
        : `<div class="item-list"><ul><li>${linkOf(site, site)}</li></ul></div>`
    const operator = linkOf(`/operador/${page}-${index}`, `${name.toUpperCase()}, S.A.`)
    return (
      `<tr><td class="views-field views-field-title">${operator}</td>` +
      `<td class="views-field views-field-field-links">${links}</td></tr>`
    )
  })
  const pager = [0, 1, 2, 3].map(number => `<li>${linkOf(`?page=${number}`, `${number + 1}`)}</li>`).join('')
  return pageOf(
    'Operadores',
    `<table><thead>${rowOf(['Operador', 'Dominios'], 'th')}</thead><tbody>\n${rows.join('\n')}\n` +
      `</tbody></table>\n<ul class="pager">${pager}</ul>`,
  )
}

const swedishHeader = [
  ['Adress 1', 'Adress 2', 'Aktör', 'Butiks-ID', 'Inlösar-ID', 'Land', 'Licens fr.o.m', 'Licens t.o.m'],
  ['Licenstyp', 'Notering', 'Noteringstyp', 'Noteringswebbadress', 'Platsadress 1', 'Platsadress 2'],
  ['Platsland', 'Platsnamn', 'Platspostnr', 'Platsstad', 'Postnr', 'Stad', 'Status', 'Webbadress'],
].flat()

const swedishRow = (cells: Readonly<Record<string, string>>) => swedishHeader.map(name => cells[name] ?? '')

function swedishRows(): string[][] {
  return names.flatMap((name, index) => {
    const term = { 'Licens fr.o.m': isoDay(dayAt(index)), 'Licens t.o.m': isoDay(dayAt(1_800 + index)) }
    const holder = { Aktör: `${name} Limited`, Land: 'Malta', Stad: 'Sliema', ...term }
    const site = { Webbadress: `www.${siteOf(name)}`, Status: index % 8 === 7 ? 'Inaktiv' : 'Aktiv' }
    return [
      swedishRow({ ...holder, ...site, Licenstyp: 'Kommersiellt online' }),
      swedishRow({
        Aktör: `Föreningen ${name}`,
        Land: 'Sverige',
        Licenstyp: 'Landbaserat varuspel',
        Status: 'Aktiv',
      }),
    ]
  })
}

const wrapped = (url: string) =>
  `https://gcc02.safelinks.protection.outlook.com/?url=${encodeURIComponent(url)}&amp;data=05%7C02`

function michiganRow(name: string, index: number): string[] {
  const url = `https://casino.mi.${siteOf(name)}/en/games`
  const link =
    index % 3 === 0
      ? `<a href="${wrapped(url)}">casino.mi.${siteOf(name)}/en/games</a>`
      : index % 3 === 1
        ? `<a href="${wrapped(url)}">${name} Casino</a>`
        : `<a href="${url}">Play</a> <a href="mailto:help@${siteOf(name)}">Help</a>`
  return [`${name} Casino Hotel`, name, link]
}

const checkMark = '<img src="/images/checkmark_green.jpg" />'

const newJerseyRows = Array.from({ length: 10 }, (_, hall) => {
  const sites = names.slice(hall * 4, hall * 4 + 4)
  return [
    `<tr><td colspan="3" bgcolor="#63CFFF"><strong>HALL ${hall + 1} &amp; SPA</strong></td></tr>`,
    ...sites.map((name, index) => rowOf([`${index + 1}.`, checkMark, `nj.${siteOf(name)}`])),
    rowOf([' ', ' ', ' ']),
  ].join('\n')
}).join('\n')

const pennsylvanianPages = [
  'interactive-gaming-operators',
  'online-sports-wagering-licensed-operators',
  'online-poker-operators',
  'online-fantasy-contest-operators',
]

export const siteAnswers: Readonly<Record<string, readonly OfficialAnswer[]>> = {
  'netherlands.sites': [
    answer('https://openovergokken.nl/kansspelwijzer/', html, () =>
      pageOf('Kansspelwijzer', `<div class="jet-grid">${names.map(card).join('\n')}</div>`),
    ),
  ],
  'ontario.sites': [
    answer('https://igamingontario.ca/en/player/regulated-igaming-market', html, () =>
      pageOf('Regulated market', `<ul class="operators">\n${names.map(operatorItem).join('\n')}\n</ul>`),
    ),
  ],
  'romania.sites': [
    answer('https://onjn.gov.ro/licentiati-clasa-i/', html, () =>
      pageOf(
        'Licențiați clasa I',
        tableOf(
          ['Nr. crt.', 'Denumire', 'Sediu social, date de identificare', 'Licență'],
          names.map((name, index) => [
            `${index + 1}`,
            `${name} S.R.L.`,
            romanianSeat(name, index),
            `L${1_600 + index}`,
          ]),
        ),
      ),
    ),
  ],
  'spain.sites': [0, 1, 2, 3].map(page =>
    answer(page === 0 ? spanishBase : `${spanishBase}?page=${page}`, html, () => spanishPage(page)),
  ),
  'sweden.sites': [
    answer(
      'https://www.spelinspektionen.se/api/export/LicenseRegistryExcel',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      () => workbook({ Licensregister: sheetOf([swedishHeader, ...swedishRows()]) }),
    ),
  ],
  'us_michigan.sites': [
    answer(
      'https://www.michigan.gov/mgcb/internet-gaming-and-fantasy-contests/' +
        'authorized-online-gaming-and-sports-betting-platform-providers-in-michigan',
      html,
      () => pageOf('Authorized providers', tableOf(['Operator', 'Brand', 'Sites'], names.map(michiganRow))),
    ),
  ],
  'us_new_jersey.sites': [
    answer(
      'https://www.njoag.gov/about/divisions-and-offices/division-of-gaming-enforcement-home/' +
        'internet-gaming-sites/',
      html,
      () => pageOf('Internet gaming sites', `<table>\n${newJerseyRows}\n</table>`),
    ),
  ],
  'us_pennsylvania.sites': pennsylvanianPages.map((path, page) =>
    answer(`https://gamingcontrolboard.pa.gov/${path}`, html, () => {
      const cards = names
        .slice(page * 10, page * 10 + 10)
        .map(
          name =>
            `<div class="pgcb-card"><h3>${escaped(name)}</h3><p>Certificate holder</p>` +
            `<a class="pgcb-card-link" href="https://pa.${siteOf(name)}/lobby?state=pa">Visit</a></div>`,
        )
      return pageOf('Operators', `<section class="cards">\n${cards.join('\n')}\n</section>`)
    }),
  ),
}
