/** Reads one page: its fields, the rules that match them, and what it says of the site. Runs in a thread. */
import { choosePages, findLegalPages, type LegalPage, type PageType } from '../claims/choose-pages.ts'
import type { PageFinding } from '../sections/matched-page.ts'
import { pageFindings } from '../sections/page-findings.ts'
import { loadRules } from './load-rules.ts'
import { matchRules, type RuleMatch } from './match-rules.ts'
import type { PageFields, PageSource } from './page-fields.ts'
import { parsePage } from './parse-page.ts'

/** `domain` is the site's registrable domain; `pageType`: why a check read the page, null for the root. */
export type PageTask = { source: PageSource; domain: string; pageType: PageType | null }

/** What the process needs to know of a page: the rest stays in the thread. */
type PageSummary = Pick<PageFields, 'url' | 'title' | 'refreshTo' | 'textCharacters' | 'scripts'> & {
  hasImages: boolean
  hasForms: boolean
  hasFrames: boolean
}

export type PageReading = {
  page: PageSummary
  /** Of presence-marks.yaml. */
  matches: RuleMatch[]
  findings: PageFinding[]
  /** That the root links. */
  legalPages: LegalPage[]
  /** URLs of those that a check reads. */
  pagesToRead: string[]
}

/** Rules of this file yield the marks of a page. */
const marksFile = 'presence-marks/'

export function readPage({ source, domain, pageType }: PageTask): PageReading {
  const { rules } = loadRules()
  const page = parsePage(source)
  const matches = matchRules(page, rules)
  const legalPages = pageType === null ? findLegalPages(page, domain) : []
  return {
    page: summaryOf(page),
    matches: matches.filter(({ rule }) => rule.startsWith(marksFile)),
    findings: pageFindings({ domain, pageType, page, matches, rules }),
    legalPages,
    pagesToRead: choosePages(legalPages).map(each => each.url),
  }
}

function summaryOf(page: PageFields): PageSummary {
  const { url, title, refreshTo, textCharacters, scripts, images, forms, hosts } = page
  return {
    ...{ url, title, refreshTo, textCharacters, scripts },
    hasImages: images.length > 0,
    hasForms: forms.length > 0,
    hasFrames: hosts.some(({ via }) => via === 'frame'),
  }
}
