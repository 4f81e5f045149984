/** Answers of PlayCity's site: pages of licenses in online spreadsheets, and a file of sites. */
import { workbook } from '@baize/tables/test/make-files'
import {
  answer,
  csvOf,
  dayAt,
  dayFirst,
  fictionalNames,
  indexPage,
  isoDay,
  linkOf,
  type OfficialAnswer,
  pageOf,
  sheetOf,
  siteOf,
} from './answer.ts'

const names = fictionalNames(40)
const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const ukrainianPage = 'https://playcity.gov.ua/publichna-informatsiia/vidkryti-dani-playcity'
const spreadsheets = 'https://docs.google.com/spreadsheets/d'
const ukrainianKinds = [
  'Організатори казино в мережі Інтернет',
  'Покер в мережі Інтернет',
  'Букмекерської діяльності',
]
const ukrainianColumns = [
  '№',
  'legalName',
  'organizerBrand',
  'website/mobileApp',
  'dateLicense',
  'licenseValidityPeriod',
  'dateLicenseDecisionEnd',
  'groundsLicenseTermination',
  'resultAppealDecision',
  'organizerBrand',
]
const ukrainianUpper = [
  '№',
  'Найменування',
  'Бренд',
  'Вебсайт',
  'Дата',
  'Строк дії',
  'Дата рішення',
  'Підстави',
  'Результат',
  'Бренд',
]
/** Each tenth license was ended by a decision, and each twentieth of these decisions was suspended. */
const ukrainianLicences = (kind: number) =>
  fictionalNames(45)
    .slice(kind * 15, kind * 15 + 15)
    .map((name, index) => [
      `${index + 1}`,
      `ТОВ "${name.toUpperCase()}"`,
      name,
      `https://${siteOf(name)}, app: Otter ${index}`,
      dayFirst(dayAt(index), '.'),
      '5 років',
      index % 5 === 4 ? dayFirst(dayAt(700), '.') : 'null',
      index === 9 ? 'строк дії ліцензії закінчився' : '',
      index === 14 ? 'дію рішення зупинено судом' : '',
      '',
    ])

const ukrainianHeader = ['Домен', 'Статус', 'Рішення ПлейСіті', 'Рішення НКЕК', 'Останнє оновлення']
const ukrainianRows = () =>
  names.map((name, index) => {
    const updated = isoDay(dayAt(900 + index))
    const license = `Рішення від ${dayFirst(dayAt(index), '.')} № ${index + 1}`
    if (index % 6 === 5) return [siteOf(name), 'Легальний', license, '', updated]
    const decision = `від ${dayFirst(dayAt(index), '.')} №${index + 1}-Р`
    return [
      siteOf(name),
      'Заблокований',
      decision,
      `від ${dayFirst(dayAt(index + 5), '.')} №${index}`,
      updated,
    ]
  })

export const ukrainianAnswers: Readonly<Record<string, readonly OfficialAnswer[]>> = {
  'ukraine.licences': [
    indexPage(ukrainianPage, () =>
      pageOf(
        'Відкриті дані',
        [...ukrainianKinds, 'Гральні зали']
          .map((text, index) => linkOf(`${spreadsheets}/kind-${index}/edit?usp=sharing`, text))
          .join('\n'),
      ),
    ),
    ...ukrainianKinds.map((_, kind) =>
      answer(`${spreadsheets}/kind-${kind}/export?format=xlsx`, workbookType, () =>
        workbook({
          Реєстр: sheetOf([
            ukrainianColumns,
            ukrainianUpper,
            ukrainianColumns.map((__, place) => `${place + 1}`),
            ...ukrainianLicences(kind),
          ]),
        }),
      ),
    ),
  ],
  'ukraine.sites': [
    answer(
      'https://playcity.gov.ua/full_database.csv',
      'text/csv',
      () => `\ufeff${csvOf([ukrainianHeader, ...ukrainianRows()], ',', '\n')}`,
    ),
  ],
}
