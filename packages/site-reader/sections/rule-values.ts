/** Reads sections whose values are those of one rule file. */
import type { SectionFinding, Strength } from '../finding.ts'
import { pageWords } from '../page/page-words.ts'
import { PhraseIndex } from '../page/phrase-index.ts'
import type { MatchedPage } from './matched-page.ts'

/** Phrases that announce something in the future. */
const announcements = PhraseIndex.of([
  ...['coming soon', 'launching soon', 'bientôt disponible', 'demnächst', 'próximamente', 'em breve'],
  ...['prossimamente', 'binnenkort', 'kommer snart', 'wkrótce', 'скоро будет', 'netrukus', 'drīzumā'],
])

/** Creates the reader of a file's section. `key` is the member of a rule's value that identifies it. */
export function valuesOfRules(
  file: string,
  { key, strengthMin = 1 }: { key: string; strengthMin?: Strength },
) {
  return ({ matches }: MatchedPage): SectionFinding[] =>
    matches.flatMap(({ rule, value, strength, snippet, kind }) => {
      if (!rule.startsWith(`${file}/`) || strength < strengthMin) return []
      if (kind === 'text' && announcements.has(pageWords(snippet ?? ''))) return []
      const isOfGames = kind === 'data' ? { isOfGames: true as const } : {}
      return [{ valueKey: String(value[key]), value, rule, strength, snippet, ...isOfGames }]
    })
}
