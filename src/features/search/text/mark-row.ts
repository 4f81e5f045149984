import {
  type FoldedName,
  foldDomain,
  foldForm,
  foldName,
  foldNumber,
  formWords,
  truncateKey,
} from '../../../core/search-text.ts'
import type { ResultRow, SearchSubject } from '../contract.ts'
import { jurisdictionWords } from '../rows/license-row.ts'
import type { CompanyNames, LicenseNames, RowNames } from '../rows/search-row.ts'
import { emphasised, highlightEnd, highlightWords, markedCharacters } from './highlight.ts'
import type { Marks } from './text-query.ts'

type Marked = Pick<ResultRow, 'matchedFields' | 'highlight'>

/** What a row is found by. */
type Found = { names: RowNames; sites: readonly string[] }

/** Which fields of a row bear the text, and where. Of a list the value that bears it best is shown. */
export function markRow(subject: SearchSubject, { names, sites }: Found, marks: Marks): Marked {
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
  const isThere = jurisdictionWords(jurisdiction).some(bearsWord(marks))
  const company_name = markName(companyName, marks)
  return {
    license_number: markNumber(licenseNumber, marks),
    company_name,
    legal_entity: legalEntity === companyName ? company_name : markName(legalEntity, marks),
    jurisdiction: isThere ? emphasised(jurisdiction) : null,
    license_type: highlightWords(licenseType ?? '', bearsSome(marks)),
  }
}

/** The value with the most of it marked; of equals the first. */
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

const bearsWord =
  ({ words }: Marks) =>
  (word: string) =>
    words.has(word)

const bearsSome = (marks: Marks) => (words: readonly string[]) => words.some(bearsWord(marks))

/** A name that is so called is marked whole; where it begins so, each word that the beginning reaches into. */
function markName(name: string | null, marks: Marks): string | null {
  if (name === null) return null
  const folded = foldName(name)
  if (marks.names.has(truncateKey(folded.joined)) || marks.begun.has(truncateKey(folded.key)))
    return emphasised(name)
  const reach = reachOf(folded, marks)
  const bears = bearsSome(marks)
  let at = 0
  const shown = highlightWords(name, words => {
    const isReached = at < reach
    for (const word of words) at += word.length
    return isReached || bears(words)
  })
  return shown ?? markForm(name, folded, marks)
}

/** How much of a name, joined, is the text that it begins with; 0: it begins otherwise. A text with a legal form is no word joined. */
function reachOf({ key, joined }: FoldedName, { beginning }: Marks): number {
  if (beginning === null) return 0
  const begins =
    key.startsWith(beginning.key) || (beginning.form === null && joined.startsWith(beginning.joined))
  return begins ? beginning.joined.length : 0
}

function markForm(name: string, folded: FoldedName, { form }: Marks): string | null {
  const borne = formWords(folded.form)
  if (form.length === 0 || !form.every(word => borne.includes(word))) return null
  return highlightEnd(name, end => foldForm(end).join(' ') === folded.form)
}

function markDomain(domain: string, marks: Marks): string | null {
  const { joined, words } = foldDomain(domain)
  return marks.words.has(joined) || words.some(bearsWord(marks)) || marks.domain === domain
    ? emphasised(domain)
    : null
}

function markNumber(number: string | null, marks: Marks): string | null {
  if (number === null) return null
  const folded = foldNumber(number)
  if (marks.numbers.some(asked => folded.startsWith(asked))) return emphasised(number)
  return highlightWords(number, bearsSome(marks))
}
