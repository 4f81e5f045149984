import {
  type FoldedName,
  foldDomain,
  foldForm,
  foldNumber,
  formWords,
  readingsOfName,
  truncateKey,
} from '@baize/names'
import type { ResultRow, SearchSubject } from '../contract.ts'
import { jurisdictionWords } from '../rows/license-row.ts'
import type { CompanyNames, LicenseNames, RowNames } from '../rows/search-row.ts'
import { emphasised, highlightEnd, highlightWords, markedCharacters } from './highlight.ts'
import type { Beginning, Marks } from './text-query.ts'

type Marked = Pick<ResultRow, 'matchedFields' | 'highlight'>

type RowTexts = { names: RowNames; sites: readonly string[] }

/** Highlights a row. Only the best match of a list is highlighted. */
export function markRow(subject: SearchSubject, { names, sites }: RowTexts, marks: Marks): Marked {
  const shown: Record<string, string | null> =
    subject === 'company'
      ? companyFields(names as CompanyNames, sites, marks)
      : licenseFields(names as LicenseNames, marks)
  const matchedFields: string[] = []
  const highlight: Record<string, string> = {}
  for (const field in shown) {
    const text = shown[field]
    if (typeof text !== 'string') continue
    matchedFields.push(field)
    highlight[field] = text
  }
  return { matchedFields, highlight }
}

function companyFields(
  [companyName, legalEntity, brands, aliases]: CompanyNames,
  domains: readonly string[],
  marks: Marks,
) {
  const company_name = markName(companyName, marks)
  return {
    company_name,
    legal_entity: legalEntity === companyName ? company_name : markName(legalEntity, marks),
    brands: best(brands, name => markName(name, marks)),
    aliases: best(aliases, name => markName(name, marks)),
    domains: best(domains, domain => markDomain(domain, marks)),
  }
}

function licenseFields(
  [licenseNumber, companyName, legalEntity, jurisdiction, licenseType]: LicenseNames,
  marks: Marks,
) {
  const isMatch = jurisdictionWords(jurisdiction).some(isMarked(marks))
  const company_name = markName(companyName, marks)
  return {
    license_number: markNumber(licenseNumber, marks),
    company_name,
    legal_entity: legalEntity === companyName ? company_name : markName(legalEntity, marks),
    jurisdiction: isMatch ? emphasised(jurisdiction) : null,
    license_type: highlightWords(licenseType ?? '', isAnyMarked(marks)),
  }
}

function best(values: readonly string[], mark: (value: string) => string | null): string | null {
  let found: string | null = null
  let share = 0
  for (const value of values) {
    const shown = mark(value)
    if (shown === null) continue
    const marked = markedCharacters(shown) / value.length
    if (found !== null && marked <= share) continue
    found = shown
    share = marked
  }
  return found
}

const isMarked =
  ({ words }: Marks) =>
  (word: string) =>
    words.has(word)

const isAnyMarked = (marks: Marks) => (words: readonly string[]) => words.some(isMarked(marks))

/** Marks a whole matching name, or each word that a matching beginning reaches into. */
function markName(name: string | null, marks: Marks): string | null {
  if (name === null) return null
  const readings = readingsOfName(name)
  const [folded] = readings
  const isWhole = readings.some(({ joined }) => marks.names.has(truncateKey(joined)))
  if (isWhole || marks.begun.has(truncateKey(folded.key))) return emphasised(name)
  const reached = readings.map(reading => ({
    // A legal form in front is not part of the joined name.
    from: lettersOf(folded) - lettersOf(reading),
    length: reachOf(reading, marks),
  }))
  const matches = isAnyMarked(marks)
  let at = 0
  const shown = highlightWords(name, words => {
    const isReached = reached.some(({ from, length }) => at >= from && at < from + length)
    for (const word of words) at += word.length
    return isReached || matches(words)
  })
  return shown ?? markForm(name, folded, marks)
}

/** Counts letters and digits: `A / S` is visited without its slash. */
const lettersOf = ({ joined }: FoldedName) => joined.replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '').length

/** Returns how many characters of the joined name the text covers; 0 if the name begins differently. */
function reachOf({ key, joined, form }: FoldedName, { beginnings }: Marks): number {
  const begins = ({ beginning, needsForm }: Beginning) =>
    key.startsWith(beginning.key) ||
    ((needsForm ? form === beginning.form : beginning.form === null) && joined.startsWith(beginning.joined))
  return beginnings.find(begins)?.beginning.joined.length ?? 0
}

function markForm(name: string, folded: FoldedName, { form }: Marks): string | null {
  const words = formWords(folded.form)
  if (form.length === 0 || !form.every(word => words.includes(word))) return null
  return highlightEnd(name, end => foldForm(end).join(' ') === folded.form)
}

function markDomain(domain: string, marks: Marks): string | null {
  const { joined, words } = foldDomain(domain)
  return marks.words.has(joined) || words.some(isMarked(marks)) || marks.domain === domain
    ? emphasised(domain)
    : null
}

function markNumber(number: string | null, marks: Marks): string | null {
  if (number === null) return null
  const folded = foldNumber(number)
  if (marks.numbers.some(typed => folded.startsWith(typed))) return emphasised(number)
  return highlightWords(number, isAnyMarked(marks))
}
