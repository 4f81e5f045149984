import {
  bounded,
  type FoldedName,
  foldDomain,
  foldForm,
  foldName,
  foldNumber,
  formWords,
} from '../../../core/search-text.ts'
import type { FoundRow, SearchSubject } from '../contract.ts'
import { jurisdictionWords } from '../rows/license-row.ts'
import type { TextRow } from '../rows-store.ts'
import { emphasised, highlightEnd, highlightWords } from './highlight.ts'
import type { Marks } from './text-query.ts'

type Marked = Pick<FoundRow, 'matchedFields' | 'highlight'>

/** Which fields of a row bear the text, and where. Of a list the value that bears it best is shown. */
export function markRow(subject: SearchSubject, row: TextRow, marks: Marks): Marked {
  const highlight: Record<string, string> = {}
  const shown = subject === 'company' ? companyFields(row, marks) : licenseFields(row, marks)
  for (const [field, text] of Object.entries(shown)) if (text !== null) highlight[field] = text
  return { matchedFields: Object.keys(highlight), highlight }
}

function companyFields({ hit, legal_entity, brands, aliases, domains }: TextRow, marks: Marks) {
  return {
    company_name: markName(hit.company_name as string | null, marks),
    legal_entity: markName(legal_entity, marks),
    brands: best(brands, name => markName(name, marks)),
    aliases: best(aliases, name => markName(name, marks)),
    domains: best(domains, domain => markDomain(domain, marks)),
  }
}

function licenseFields({ hit, legal_entity }: TextRow, marks: Marks) {
  const shown = hit as Record<string, string | null>
  const { license_number = null, company_name = null, jurisdiction, license_type } = shown
  const isThere = jurisdictionWords(jurisdiction ?? '').some(bearsWord(marks))
  return {
    license_number: markNumber(license_number, marks),
    company_name: markName(company_name, marks),
    legal_entity: markName(legal_entity, marks),
    jurisdiction: isThere ? emphasised(jurisdiction ?? '') : null,
    license_type: highlightWords(license_type ?? '', bearsSome(marks)),
  }
}

/** The value with the most of it marked; of equals the first. */
function best(values: readonly string[], mark: (value: string) => string | null): string | null {
  let found: string | null = null
  let share = 0
  for (const value of values) {
    const shown = mark(value)
    if (shown === null) continue
    const marked = [...shown.matchAll(/<em>(.*?)<\/em>/g)].reduce(
      (sum, [, text]) => sum + (text as string).length,
      0,
    )
    if (found !== null && marked / value.length <= share) continue
    found = shown
    share = marked / value.length
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
  if (marks.names.has(bounded(folded.joined))) return emphasised(name)
  const reach = reachOf(folded, marks)
  const bears = bearsSome(marks)
  let at = 0
  const shown = highlightWords(name, words => {
    const isReached = at < reach
    at += words.join('').length
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
