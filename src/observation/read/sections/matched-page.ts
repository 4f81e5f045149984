import type { Finding } from '../../finding.ts'
import type { PageType } from '../claims/choose-pages.ts'
import type { CompiledRules } from '../page/compile-rules.ts'
import type { RuleMatch } from '../page/match-rules.ts'
import type { PageFields } from '../page/page-fields.ts'

/** A finding before it is known from which capture the page comes. */
export type PageFinding = Omit<Finding, 'capture'>

export type MatchedPage = {
  /** The site's registrable domain. */
  domain: string
  /** Why a check read it; null: the root. */
  pageType: PageType | null
  page: PageFields
  matches: readonly RuleMatch[]
  rules: CompiledRules
}
