/** Sections whose values are the rules' own: payment methods, suppliers, platforms. */
import type { FindingSection, Strength } from '../../finding.ts'
import type { RuleMatch } from '../page/match-rules.ts'
import { pageWords } from '../page/page-words.ts'
import { PhraseIndex } from '../page/phrase-index.ts'
import type { PageFinding } from './matched-page.ts'

type RuledSection = { section: FindingSection; key: string; strengthMin: Strength }

/** By rule file. A platform that is only named is not in use. */
const ruledSections: Record<string, RuledSection> = {
  'payment-methods': { section: 'payment_methods', key: 'normalized_name', strengthMin: 1 },
  suppliers: { section: 'supplier_brands', key: 'normalized_provider_name', strengthMin: 1 },
  platforms: { section: 'platform', key: 'platform', strengthMin: 2 },
}

/** A text that announces what is not there yet. */
const announcements = PhraseIndex.of([
  ...['coming soon', 'launching soon', 'bientôt disponible', 'demnächst', 'próximamente', 'em breve'],
  ...['prossimamente', 'binnenkort', 'kommer snart', 'wkrótce', 'скоро будет', 'netrukus', 'drīzumā'],
])
export function readRuledSections(matches: readonly RuleMatch[]): PageFinding[] {
  return matches.flatMap(({ rule, value, strength, snippet, kind }) => {
    const ruled = ruledSections[rule.slice(0, rule.indexOf('/'))]
    if (ruled === undefined || strength < ruled.strengthMin) return []
    if (kind === 'text' && announcements.has(pageWords(snippet ?? ''))) return []
    return [{ section: ruled.section, valueKey: String(value[ruled.key]), value, rule, strength, snippet }]
  })
}
