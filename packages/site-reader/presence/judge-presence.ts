/** Judges a site's presence and launch (§2.10) by what a check has seen of its root. */
import type { CaptureFailure } from '../capture.ts'
import type { CheckOutcome } from '../finding.ts'

export type SiteSeen = {
  name: 'exists' | 'does_not_exist' | 'unresolved'
  hasParkingNameservers: boolean
  /** The root; null if it was not requested, because the name has no address. */
  root: RootSeen | null
}

export type RootSeen = { failure: CaptureFailure['reason'] } | RootAnswer

export type RootAnswer = {
  failure: null
  status: number
  /** Is true with the header `cf-mitigated: challenge`. */
  isChallenge: boolean
  /** Is true if the site redirects to another registrable domain. */
  hasLeft: boolean
  /** The page; null without a body, `unreadable` if it exceeded the limits of reading. */
  page: PageSeen | 'unreadable' | null
}

export type PageSeen = {
  marks: ReadonlySet<Mark>
  /** Kinds of product that visible elements show, such as `lobby` and `registration`. */
  productKinds: ReadonlySet<string>
  /** Is true if the page shows nothing. */
  isEmpty: boolean
  /** Is true if only a script fills the page. */
  isShell: boolean
  /** Is true if the page links other pages of its site. */
  hasOwnLinks: boolean
}

/** A `value.mark` of presence-marks.yaml except `product`. */
export type Mark =
  | 'parked'
  | 'challenge'
  | 'region_page'
  | 'refusal_tone'
  | 'launch_words'
  | 'brand_legal'
  | 'games_link'
  | 'about_gambling'

/** What is known about the site apart from this check. */
export type SiteContext = {
  /** Is true if the site has exactly one operator context. */
  licensed: boolean
  /** Is true if an earlier check saw the site live. */
  earlierLive: boolean
  /** The launch that a browser showed last; null if none did. */
  renderedLaunch?: { status: Presence['launch']['status']; seenAt: Date } | null
}

export type Presence = {
  status: 'live' | 'parked' | 'blocked' | 'offline' | 'unknown'
  launch: {
    status: 'pre_launch' | 'launching' | 'live' | 'unknown'
    confidence: 'high' | 'medium' | 'low'
    reasons: string[]
  }
  outcome: CheckOutcome
}

const completed: CheckOutcome = { outcome: 'completed', reason: null }
type FailedReason = Exclude<CheckOutcome['reason'], null>
const failed = (reason: FailedReason): CheckOutcome => ({ outcome: 'failed', reason })

/** A site with fewer kinds of product may be a page about gambling. */
const productKindsMin = 2
/** Kinds of product that shops and banks have, too. */
export const generalKinds = new Set(['registration', 'cashier'])

export function judgePresence(seen: SiteSeen, context: SiteContext): Presence {
  if (seen.root?.failure === null) return judgeAnswer(seen.root, seen.hasParkingNameservers, context)
  if (seen.name === 'does_not_exist') return unknownLaunch('offline', 'name_does_not_exist', completed)
  if (seen.root === null)
    return unknownLaunch(
      'unknown',
      'no_address',
      failed(seen.name === 'unresolved' ? 'name_unresolved' : 'unreachable'),
    )
  return unknownLaunch('unknown', seen.root.failure, failed(failedReasons[seen.root.failure]))
}

const failedReasons: Record<CaptureFailure['reason'], FailedReason> = {
  timeout: 'timeout',
  tls: 'tls',
  name_unresolved: 'name_unresolved',
  name_not_found: 'unreachable',
  refused_connection: 'unreachable',
  refused_address: 'unreachable',
  too_many_redirects: 'redirect_loop',
  no_server: 'unreachable',
  broken: 'unreachable',
  too_large: 'unreadable',
  robots_disallow: 'blocked',
  rate_limited: 'blocked',
}

const refusals = new Set([401, 403, 451])

function judgeAnswer(root: RootAnswer, hasParkingNameservers: boolean, context: SiteContext): Presence {
  const { status } = root
  const page = typeof root.page === 'string' ? null : root.page
  const has = (mark: Mark) => page?.marks.has(mark) === true
  if (root.isChallenge || has('challenge')) return unknownLaunch('blocked', 'challenge', failed('blocked'))
  if (has('region_page')) return unknownLaunch('blocked', 'region_page', failed('blocked'))
  if (refusals.has(status)) return unknownLaunch('blocked', `http_${status}`, failed('blocked'))
  if (status === 429) return unknownLaunch('unknown', 'http_429', failed('blocked'))
  if (status >= 500) return unknownLaunch('unknown', `http_${status}`, failed('server_error'))
  if (hasParkingNameservers && has('parked')) return judgeParked(context)
  if (root.hasLeft) return unknownLaunch('unknown', 'redirects_to_another_domain', completed)
  if (status !== 200) return unknownLaunch('unknown', `http_${status}`, completed)
  if (root.page === 'unreadable') return unknownLaunch('unknown', 'unreadable', failed('unreadable'))
  if (page === null || page.isEmpty) return unknownLaunch('unknown', 'empty_page', completed)
  if (hasParkingNameservers && page.isShell && page.productKinds.size === 0)
    return unknownLaunch('unknown', 'parking_nameservers', completed)
  return judgePage(page)
}

function judgeParked({ licensed, earlierLive }: SiteContext): Presence {
  const reasons = ['parking_nameservers', 'parked_page']
  if (!licensed || earlierLive)
    return {
      status: 'parked',
      launch: {
        status: 'unknown',
        confidence: 'low',
        reasons: [...reasons, earlierLive ? 'earlier_live' : 'not_licensed'],
      },
      outcome: completed,
    }
  return {
    status: 'parked',
    launch: { status: 'pre_launch', confidence: 'medium', reasons: [...reasons, 'licensed'] },
    outcome: completed,
  }
}

function judgePage({ marks, productKinds, isShell, hasOwnLinks }: PageSeen): Presence {
  const products = [...productKinds].toSorted().map(kind => `product_${kind}`)
  const hasGames = [...productKinds].some(kind => !generalKinds.has(kind))
  if (hasGames && productKinds.size >= productKindsMin) {
    const confidence = productKinds.size > productKindsMin ? 'high' : 'medium'
    return { status: 'live', launch: { status: 'live', confidence, reasons: products }, outcome: completed }
  }
  // Marks of parking prove nothing without parking nameservers: the page may be for sale, or a server's
  // default page.
  if (marks.has('parked')) return unknownLaunch('unknown', 'parked_page', completed)
  if (marks.has('launch_words') && products.length === 0)
    return {
      status: 'live',
      launch: { status: 'launching', confidence: 'medium', reasons: ['launch_words'] },
      outcome: completed,
    }
  // A short page that leads nowhere may refuse the visitor in words that no list has.
  const saysNoMore = products.length === 0 && !marks.has('brand_legal') && !hasOwnLinks
  if (marks.has('refusal_tone') && saysNoMore)
    return unknownLaunch('unknown', 'refusal_words', failed('blocked'))
  const reasons = [
    ...products,
    ...(isShell ? ['shell'] : []),
    ...(marks.has('brand_legal') ? ['brand_legal'] : []),
  ]
  return { status: 'live', launch: { status: 'unknown', confidence: 'low', reasons }, outcome: completed }
}

function unknownLaunch(status: Presence['status'], reason: string, outcome: CheckOutcome): Presence {
  return { status, launch: { status: 'unknown', confidence: 'low', reasons: [reason] }, outcome }
}
