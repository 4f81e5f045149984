import { batchLinesMax, compileSearch, matchLines } from '@baize/tables'
import type { LinkPreference } from '../stream.ts'
import { latestDate } from './latest-date.ts'
import { Unresolved } from './unresolved.ts'

/** An address as published, with the text of its link. */
export type Candidate = { href: string; text: string }

/** Returns the candidates that match the patterns, in order. */
export function matching(
  candidates: readonly Candidate[],
  { href, text }: { href?: string | undefined; text?: string | undefined },
): Candidate[] {
  const byHref = searchAll(
    href,
    candidates.map(each => each.href),
  )
  const byText = searchAll(
    text,
    candidates.map(each => each.text),
  )
  return candidates.filter((_, index) => byHref[index] && byText[index])
}

/** Returns the newest candidate, the first of equally new ones, or undefined if the list is empty. */
export function newestChoice(
  candidates: readonly Candidate[],
  newest: LinkPreference['newest'],
  language: string,
): Candidate | undefined {
  if (newest === 'last') return candidates.at(-1)
  if (newest !== 'latest_date') return candidates[0]
  const dated = candidates.map(candidate => ({
    candidate,
    date:
      latestDate(candidate.text, language) ??
      latestDate(candidate.href, language) ??
      Number.NEGATIVE_INFINITY,
  }))
  let best = dated[0]
  for (const each of dated) if (best !== undefined && each.date > best.date) best = each
  return best?.candidate
}

const searchedCharactersMax = 2_048

/** Searches with a time limit, because operators write the patterns. */
function searchAll(source: string | undefined, texts: readonly string[]): boolean[] {
  if (source === undefined) return texts.map(() => true)
  const pattern = compileSearch(source)
  if (!pattern.ok) throw new Unresolved(`the pattern ${source} cannot be used: ${pattern.reason}`)
  const found: boolean[] = []
  for (let start = 0; start < texts.length; start += batchLinesMax) {
    const batch = texts.slice(start, start + batchLinesMax).map(text => text.slice(0, searchedCharactersMax))
    const matches = matchLines(pattern.value, batch)
    if (!matches.ok) throw new Unresolved(`the pattern ${source} cannot be used: ${matches.reason}`)
    found.push(...matches.value.map(match => match !== null))
  }
  return found
}
