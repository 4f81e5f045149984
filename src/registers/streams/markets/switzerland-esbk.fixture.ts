import { pdfTable } from '../../described/fixture.ts'
import { answer, dayAt, dayFirst, fictionalNames, pageOf, siteOf } from '../official-answer.ts'

const file = (day: string) =>
  `https://www.esbk.admin.ch/dam/esbk/de/spielsuchtangebot/sperrliste-${day}-dfi.pdf`

export const answers = [
  answer('https://www.esbk.admin.ch/en/unauthorised-online-games', 'text/html', () =>
    pageOf(
      'Unauthorised online games',
      ['2026-02-24', '2026-08-25', '2026-05-26']
        .map(day => `<a href="${file(day)}">Blocklist</a>`)
        .join('\n'),
    ),
  ),
  answer(file('2026-08-25'), 'application/pdf', () =>
    pdfTable(
      [
        ['Sperrliste / Liste de blocage / Lista di blocco'],
        ['Domain', 'Datum / date / data'],
        ...fictionalNames(60).map((name, index) => [siteOf(name), dayFirst(dayAt(7 * index), '.')]),
        ['www.esbk.admin.ch', '1/1'],
      ],
      [70, 330],
    ),
  ),
]
