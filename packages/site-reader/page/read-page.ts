/** Reads one page: its fields, the matching rules, and the findings about its site. It runs in a thread. */
import { choosePages, findLegalPages, type LegalPage, type PageType } from '../claims/choose-pages.ts'
import { type PageFinding, pageFindings } from '../sections/page-findings.ts'
import { loadRules } from './load-rules.ts'
import { matchRules, type RuleMatch } from './match-rules.ts'
import type { PageFields, PageSource } from './page-fields.ts'
import { parsePage } from './parse-page.ts'

/**
 * A page to read. `domain` is the site's registrable domain. `pageType` is why a check reads the page; null
 * for the root. `isDrawn`: a browser drew the page, too, so the data of its scripts does not count: a bundle
 * lists what other markets have.
 */
export type PageTask = {
  source: PageSource
  domain: string
  pageType: PageType | null
  isDrawn?: boolean
}

/** The parts of a page that leave the thread. */
type PageSummary = Pick<PageFields, 'url' | 'title' | 'refreshTo' | 'textCharacters' | 'scripts'> & {
  hasImages: boolean
  hasForms: boolean
  hasFrames: boolean
  /** Is true if a link leads to a page of the same host. */
  hasOwnLinks: boolean
  /** Is true if the data of scripts lists names. */
  hasData: boolean
}

export type PageReading = {
  page: PageSummary
  /** The rules of presence-marks.yaml that match. */
  matches: RuleMatch[]
  findings: PageFinding[]
  /** The legal pages that the home page links to. */
  legalPages: LegalPage[]
  /** URLs of the legal pages that a check reads. */
  pagesToRead: string[]
  /** Is true if only a script fills the page. */
  isShell: boolean
}

const shellCharactersMax = 200

/** The rules of this file yield the marks of a page. */
const marksFile = 'presence-marks/'

export function readPage({ source, domain, pageType, isDrawn = false }: PageTask): PageReading {
  const { rules } = loadRules()
  const parsed = parsePage(source)
  const page = isDrawn ? { ...parsed, data: [] } : parsed
  const matches = matchRules(page, rules)
  const legalPages = pageType === null ? findLegalPages(page, domain) : []
  return {
    page: summaryOf(page),
    matches: matches.filter(({ rule }) => rule.startsWith(marksFile)),
    findings: pageFindings({ domain, pageType, page, matches, rules }),
    legalPages,
    pagesToRead: choosePages(legalPages).map(each => each.url),
    isShell: page.textCharacters < shellCharactersMax && page.scripts > 0,
  }
}

function summaryOf(page: PageFields): PageSummary {
  const { url, title, refreshTo, textCharacters, scripts, images, forms, hosts, links } = page
  const ownHost = URL.parse(url)?.hostname
  return {
    ...{ url, title, refreshTo, textCharacters, scripts },
    hasImages: images.length > 0,
    hasForms: forms.length > 0,
    hasData: page.data.length > 0,
    hasFrames: hosts.some(({ via }) => via === 'frame'),
    hasOwnLinks: links.some(({ host }) => host === ownHost),
  }
}
