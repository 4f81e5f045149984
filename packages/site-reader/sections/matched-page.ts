import type { PageType } from '../claims/choose-pages.ts'
import type { SectionFinding } from '../finding.ts'
import type { CompiledRules } from '../page/compile-rules.ts'
import type { RuleMatch } from '../page/match-rules.ts'
import type { PageFields } from '../page/page-fields.ts'

export type MatchedPage = {
  /** The site's registrable domain. */
  domain: string
  /** The type for which a check read the page; null for the root. */
  pageType: PageType | null
  page: PageFields
  matches: readonly RuleMatch[]
  rules: CompiledRules
}

/** A page with `claims`, the findings of `legal_claims`, which name the site's companies. */
export type ClaimedPage = MatchedPage & { claims: readonly SectionFinding[] }
