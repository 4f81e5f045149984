/** Answers of the regulators' sites in their layouts, with fictional names. */
import { workbook } from '@baize/tables/test/make-files'
import {
  answer,
  csvOf,
  dayAt,
  dayFirst,
  escaped,
  fictionalNames,
  indexPage,
  linkOf,
  type OfficialAnswer,
  pageOf,
  sheetOf,
  siteOf,
  tableOf,
} from './answer.ts'
import { ukrainianAnswers } from './ukrainian-answers.ts'

const names = fictionalNames(40)
const csvType = 'text/csv'
const html = 'text/html; charset=utf-8'
const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Quotes each value and no header, as the Commission does. */
function quotedCsv(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = rows.map(cells => cells.map(cell => (cell === '' ? '' : `"${cell}"`)).join(','))
  return `\ufeff${[header.join(','), ...lines].map(line => `${line}\r\n`).join('')}`
}

const account = (index: number) => `${70_000 + index}`
const britishTables: Readonly<Record<string, () => string>> = {
  businesses: () =>
    quotedCsv(
      ['Account Number', 'Licence Account Name'],
      names.map((name, index) => [account(index), `${name} Limited`]),
    ),
  licences: () =>
    quotedCsv(
      ['Account Number', 'Licence Number', 'Status', 'Type', 'Activity', 'Start Date', 'End Date'],
      names.flatMap((_, index) =>
        ['Casino', 'Pool Betting'].map(activity => [
          account(index),
          `0${account(index)}-R-${900_000 + index}-001`,
          index % 10 === 9 ? 'Surrendered' : 'Active',
          'Remote',
          activity,
          dayAt(index).toISOString(),
          index % 10 === 9 ? dayAt(600).toISOString() : '',
        ]),
      ),
    ),
  'trading-names': () =>
    quotedCsv(
      ['Account Number', 'Trading Name', 'Status'],
      names.map((name, index) => [account(index), name, index % 6 === 5 ? 'Inactive' : 'Active']),
    ),
  'domain-names': () =>
    quotedCsv(
      ['Account Number', 'Domain Name', 'Status'],
      names.map((name, index) => [
        account(index),
        `https://www.${siteOf(name)}/`,
        index % 7 === 6 ? 'White Label' : 'Active',
      ]),
    ),
}

const czechPage =
  'https://mf.gov.cz/cs/kontrola-a-regulace/hazardni-hry/blokace-nepovolenych-internetovych-her/' +
  'verejna-cast-seznamu-nepovolenych-internetovych-he'
const czechArticle = `${czechPage}/2026/zverejnovane-udaje-ze-seznamu-nepovoleny-60001`
const czechFile = 'https://mf.gov.cz/assets/attachments/Zverejnovane-udaje-ze-Seznamu_v99.csv'
const czechHeader = [
  'Objekt blokace',
  'Adresa internetové stránky',
  'Název aplikace',
  'Identifikátor aplikace; umístění aplikace',
  'Jedinečný identifikátor platebního účtu',
  'Důvody zápisu na Seznam',
  'Datum zápisu a zveřejnění na Seznamu ',
  'Datum výmazu a zveřejnění na Seznamu',
]
const czechRows = () =>
  names.map((name, index) => [
    'Internetová stránka',
    siteOf(name),
    '',
    '',
    '',
    '§ 84a odst. 2 písm. a) ZHH',
    dayFirst(dayAt(index), '.'),
    index % 9 === 8 ? dayFirst(dayAt(500 + index), '.') : '',
  ])

/** The letters of the fixture whose bytes differ between windows-1250 and latin-1. */
const windows1250: Readonly<Record<string, number>> = { ě: 0xec, ř: 0xf8, ž: 0x9e, č: 0xe8, ů: 0xf9, š: 0x9a }
const asWindows1250 = (text: string) =>
  Uint8Array.from(text, letter => windows1250[letter] ?? letter.charCodeAt(0))

const brazilianPage =
  'https://www.gov.br/fazenda/pt-br/composicao/orgaos/secretaria-de-premios-e-apostas/' +
  'transparencia-ativa-processos-de-autorizacao-de-apostas-de-quota-fixa/empresas-autorizadas'
const brazilianFile = brazilianPage.replace('empresas-autorizadas', 'planilha-de-autorizacoes.xlsx')
const brazilianHeader = [
  '',
  'PORTARIA DE AUTORIZAÇÃO',
  'DENOMINAÇÃO SOCIAL DA EMPRESA',
  'CNPJ',
  'MARCAS',
  'DOMÍNIOS',
  'NÚMERO E ANO DO REQUERIMENTO',
]
/** The upper of two header rows. Each of its cells is merged above several columns. */
const brazilianGroups = ['', 'EMPRESA AUTORIZADA', '', '', 'MARCA AUTORIZADA', '', '']
const brazilianCompanies = 32
const brandsPerCompany = 3
const brazilianTitles = [['Lista de empresas autorizadas'], brazilianGroups, brazilianHeader]
/** Only the first row of a company names it, because its cells are merged with those below. */
const brazilianRows = () =>
  fictionalNames(brazilianCompanies * brandsPerCompany).map((name, index) => {
    const company = 1 + Math.floor(index / brandsPerCompany)
    const brand = [name.toUpperCase(), `${siteOf(name)}`]
    if (index % brandsPerCompany > 0) return ['', '', '', '', ...brand, '']
    const number = String(company).padStart(4, '0')
    const cnpj = `${String(10 + company)}.000.00${company % 10}/0001-0${company % 10}`
    return [
      `${company}`,
      `SPA/MF nº ${900 + company}`,
      `${name.toUpperCase()} LTDA`,
      cnpj,
      ...brand,
      `${number}/2024`,
    ]
  })
const brazilianMerged = () => [
  'A1:G1',
  'B2:D2',
  'E2:F2',
  ...Array.from({ length: brazilianCompanies }, (_, company) => {
    const first = brazilianTitles.length + 1 + company * brandsPerCompany
    return [...'ABCDG'].map(column => `${column}${first}:${column}${first + brandsPerCompany - 1}`)
  }).flat(),
]

const britishBase = 'https://www.gamblingcommission.gov.uk/downloads/business-licence-register-'

const fetchedFiles: Readonly<Record<string, readonly OfficialAnswer[]>> = {
  'brazil.brands': [
    indexPage(brazilianPage, () =>
      pageOf(
        'Empresas autorizadas',
        linkOf(brazilianFile.replace('.xlsx', '-1.xlsx'), '&nbsp;') +
          linkOf(brazilianFile, 'Baixar Arquivo Excel'),
      ),
    ),
    answer(brazilianFile, workbookType, () =>
      workbook({ Autorizadas: sheetOf([...brazilianTitles, ...brazilianRows()]) }, [], {
        Autorizadas: brazilianMerged(),
      }),
    ),
  ],
  'czechia.blocklist': [
    indexPage(czechPage, () => pageOf('Veřejná část', `<a href="${czechArticle}">Zveřejňované údaje</a>`)),
    indexPage(czechArticle, () => pageOf('Zveřejňované údaje', `<a href="${czechFile}">CSV</a>`)),
    answer(czechFile, csvType, () => asWindows1250(csvOf([czechHeader, ...czechRows()], ';'))),
  ],
  'ukgc.licences': Object.entries(britishTables).map(([table, csv]) =>
    answer(`${britishBase}${table}.csv`, csvType, csv),
  ),
}

const danishHeader = ['Operator', 'Address', 'Domains', 'Licences', 'Licensed in Greenland']
const danishPage = (page: number) =>
  pageOf(
    'Licensed gambling operators',
    tableOf(
      danishHeader,
      names
        .slice(page * 20, page * 20 + 20)
        .map((name, index) => [
          `${name} A/S`,
          `Havnegade ${index + 1}<br>8000 Aarhus C`,
          `${siteOf(name)}<br>casino-${siteOf(name)}`,
          'Online casino, Betting',
          index % 4 === 0 ? 'Yes' : 'No',
        ]),
    ),
  )

const maltesePanel = (name: string, index: number) => {
  const kind = ['B2C', 'B2B', 'CRP'][index % 3]
  const rows = [
    ['Registration Number', `C ${90_000 + index}`],
    ['Authorisation Number', `MGA/${kind}/${9_000 + index}/2025`],
    ['Authorisation type', 'Type 1, Type 2'],
    ['Status', index % 13 === 12 ? 'Suspended' : 'Licensed'],
    ['Company Seal', linkOf(`https://authorisation.mga.org.mt/?company=${index}`, 'View')],
  ]
  const table = rows.map(([label, value]) => `<tr><th>${label}</th><td>${value}</td></tr>`).join('')
  return (
    `<mat-expansion-panel><span class="company_name">${escaped(`${name} Malta Limited`)}</span>` +
    `<table>${table}</table></mat-expansion-panel>`
  )
}

/** Pages and files of registers without a fetchable address, which a person saves. */
const savedFiles: Readonly<Record<string, readonly OfficialAnswer[]>> = {
  'denmark.operators': [0, 1].map(page =>
    answer(`https://spillemyndigheden.dk/en-us/licensed-gambling-operators#${page}`, html, () =>
      danishPage(page),
    ),
  ),
  'mga.licensees': [
    answer('https://mgalicenseeregister.mga.org.mt/', html, () =>
      pageOf('Licensee register', `<mat-accordion>\n${names.map(maltesePanel).join('\n')}\n</mat-accordion>`),
    ),
  ],
}

/** The answers of official sites whose registers have a reader in `readers/`, by stream. */
export const codedAnswers: Readonly<Record<string, readonly OfficialAnswer[]>> = {
  ...fetchedFiles,
  ...savedFiles,
  ...ukrainianAnswers,
}
