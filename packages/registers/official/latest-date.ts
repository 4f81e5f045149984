/** Finds dates in the texts of links and in addresses: "updated on 12 juillet 2026", `list-20260712.csv`. */

const yearMin = 2000
/** Accepts files that are dated a little ahead. A larger number is not a year. */
const yearMax = 2100
const charactersMax = 2_000

const numeric = [
  { pattern: /(?<!\d)(20\d\d)[-._/](\d{1,2})[-._/](\d{1,2})(?!\d)/g, order: 'ymd' },
  { pattern: /(?<!\d)(\d{1,2})[-._/](\d{1,2})[-._/](20\d\d)(?!\d)/g, order: 'dmy' },
  { pattern: /(?<!\d)(20\d\d)(\d\d)(\d\d)(?!\d)/g, order: 'ymd' },
  { pattern: /(?<!\d)(\d\d)(\d\d)(20\d\d)(?!\d)/g, order: 'dmy' },
] as const

/** Returns the latest date in the text as milliseconds, or null. In `en-US` the month comes first. */
export function latestDate(text: string, language: string): number | null {
  const folded = text.slice(0, charactersMax).normalize('NFKC').toLowerCase()
  const found: number[] = []
  for (const { pattern, order } of numeric)
    for (const [, one = '', two = '', three = ''] of folded.matchAll(pattern)) {
      const [year, month, day] =
        order === 'ymd' ? [one, two, three] : language === 'en-US' ? [three, one, two] : [three, two, one]
      addDate(found, Number(year), Number(month), Number(day))
    }
  for (const [month, names] of monthNames(language).entries())
    for (const name of names) {
      for (const [, day = '', year = ''] of folded.matchAll(
        new RegExp(
          `(?<!\\d)(\\d{1,2})\\.?(?:st|nd|rd|th)?\\s+(?:de\\s+)?${name}\\.?,?\\s+(?:de\\s+)?(20\\d\\d)`,
          'gu',
        ),
      ))
        addDate(found, Number(year), month + 1, Number(day))
      for (const [, day, year = ''] of folded.matchAll(
        new RegExp(`${name}\\.?\\s+(?:(\\d{1,2})(?:st|nd|rd|th)?,?\\s+)?(?:de\\s+)?(20\\d\\d)`, 'gu'),
      ))
        addDate(found, Number(year), month + 1, Number(day ?? 1))
    }
  return found.length === 0 ? null : Math.max(...found)
}

function addDate(found: number[], year: number, month: number, day: number): void {
  if (year < yearMin || year > yearMax) return
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (isReal) found.push(date.getTime())
}

const cached = new Map<string, string[][]>()

/** Returns names of months alone, within a date, and shortened, because many languages inflect them. */
function monthNames(language: string): string[][] {
  const known = cached.get(language)
  if (known !== undefined) return known
  const languages = [...new Set([language === 'und' ? 'en' : language, 'en'])]
  const names = Array.from({ length: 12 }, (_, month) => {
    const date = new Date(Date.UTC(2026, month, 15))
    const forms = languages.flatMap(each => [
      new Intl.DateTimeFormat(each, { month: 'long', timeZone: 'UTC' }).format(date),
      monthPart(each, 'long', date),
      monthPart(each, 'short', date),
    ])
    const plain = forms.map(form => form.normalize('NFKC').toLowerCase().replace(/\.$/, ''))
    return [...new Set(plain)].filter(form => /^\p{L}+$/u.test(form))
  })
  cached.set(language, names)
  return names
}

function monthPart(language: string, month: 'long' | 'short', date: Date): string {
  const parts = new Intl.DateTimeFormat(language, { day: 'numeric', month, year: 'numeric', timeZone: 'UTC' })
  return parts.formatToParts(date).find(part => part.type === 'month')?.value ?? ''
}
