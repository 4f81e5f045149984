import { describe, expect, test } from 'vitest'
import { judgePresence, type PageSeen, type RootAnswer, type SiteSeen } from './judge-presence.ts'

type SeenInWords = Partial<Omit<PageSeen, 'marks'>> & { marks?: string[]; products?: string[] }
const page = (seen: SeenInWords = {}): PageSeen => ({
  isEmpty: false,
  isShell: false,
  hasOwnLinks: true,
  ...seen,
  marks: new Set(seen.marks) as PageSeen['marks'],
  productKinds: new Set(seen.products),
})

const answered = (answer: Partial<RootAnswer> = {}): RootAnswer => ({
  failure: null,
  status: 200,
  isChallenge: false,
  hasLeft: false,
  page: page(),
  ...answer,
})

const site = (seen: Partial<SiteSeen> = {}): SiteSeen => ({
  name: 'exists',
  hasParkingNameservers: false,
  root: answered(),
  ...seen,
})
const at = (answer: Partial<RootAnswer>, seen: Partial<SiteSeen> = {}) =>
  site({ ...seen, root: answered(answer) })
const parking = { hasParkingNameservers: true }

const judged = (seen: SiteSeen, context: { licensed?: boolean; earlierLive?: boolean } = {}) => {
  const { status, launch, outcome } = judgePresence(seen, { licensed: true, earlierLive: false, ...context })
  return [status, launch.status, outcome.reason ?? outcome.outcome]
}

describe('the judgement of a site', () => {
  test.each<[string, SiteSeen, string[]]>([
    ['NXDOMAIN', site({ name: 'does_not_exist', root: null }), ['offline', 'unknown', 'completed']],
    [
      'NXDOMAIN, and a page',
      site({ name: 'does_not_exist', root: answered({ page: page({ products: ['lobby', 'odds'] }) }) }),
      ['live', 'live', 'completed'],
    ],
    ['SERVFAIL', site({ name: 'unresolved', root: null }), ['unknown', 'unknown', 'name_unresolved']],
    ['no address', site({ root: null }), ['unknown', 'unknown', 'unreachable']],
    ['timeout', site({ root: { failure: 'timeout' } }), ['unknown', 'unknown', 'timeout']],
    ['TLS failure', site({ root: { failure: 'tls' } }), ['unknown', 'unknown', 'tls']],
    [
      'refused connection',
      site({ root: { failure: 'refused_connection' } }),
      ['unknown', 'unknown', 'unreachable'],
    ],
    [
      'loop of redirects',
      site({ root: { failure: 'too_many_redirects' } }),
      ['unknown', 'unknown', 'redirect_loop'],
    ],
    ['robots.txt', site({ root: { failure: 'robots_disallow' } }), ['unknown', 'unknown', 'blocked']],
    ['500', at({ status: 500 }), ['unknown', 'unknown', 'server_error']],
    ['503', at({ status: 503 }), ['unknown', 'unknown', 'server_error']],
    ['429', at({ status: 429 }), ['unknown', 'unknown', 'blocked']],
    ['401', at({ status: 401 }), ['blocked', 'unknown', 'blocked']],
    ['403', at({ status: 403 }), ['blocked', 'unknown', 'blocked']],
    ['451', at({ status: 451 }), ['blocked', 'unknown', 'blocked']],
    ['cf-mitigated', at({ status: 503, isChallenge: true }), ['blocked', 'unknown', 'blocked']],
    ['challenge with 200', at({ page: page({ marks: ['challenge'] }) }), ['blocked', 'unknown', 'blocked']],
    [
      'region page with 200',
      at({ page: page({ marks: ['region_page'] }) }),
      ['blocked', 'unknown', 'blocked'],
    ],
    [
      'region page elsewhere',
      at({ hasLeft: true, page: page({ marks: ['region_page'] }) }),
      ['blocked', 'unknown', 'blocked'],
    ],
    ['parked', at({ page: page({ marks: ['parked'] }) }, parking), ['parked', 'pre_launch', 'completed']],
    [
      'parked after a redirect',
      at({ hasLeft: true, page: page({ marks: ['parked'] }) }, parking),
      ['parked', 'pre_launch', 'completed'],
    ],
    [
      'a page for sale elsewhere',
      at({ page: page({ marks: ['parked'] }) }),
      ['unknown', 'unknown', 'completed'],
    ],
    ['parking nameservers alone', at({}, parking), ['live', 'unknown', 'completed']],
    [
      'a shell on parking nameservers',
      at({ page: page({ isShell: true }) }, parking),
      ['unknown', 'unknown', 'completed'],
    ],
    [
      'two kinds of product',
      at({ page: page({ products: ['lobby', 'cashier'] }) }),
      ['live', 'live', 'completed'],
    ],
    [
      'products and launch words',
      at({ page: page({ products: ['lobby', 'odds'], marks: ['launch_words'] }) }),
      ['live', 'live', 'completed'],
    ],
    ['one kind of product', at({ page: page({ products: ['lobby'] }) }), ['live', 'unknown', 'completed']],
    [
      'an account and deposits alone',
      at({ page: page({ products: ['registration', 'cashier'] }) }),
      ['live', 'unknown', 'completed'],
    ],
    ['launch words', at({ page: page({ marks: ['launch_words'] }) }), ['live', 'launching', 'completed']],
    [
      'launch words and one product',
      at({ page: page({ marks: ['launch_words'], products: ['registration'] }) }),
      ['live', 'unknown', 'completed'],
    ],
    [
      'brand and legal marks',
      at({ page: page({ marks: ['brand_legal'] }) }),
      ['live', 'unknown', 'completed'],
    ],
    [
      'words of a refusal on a page that leads nowhere',
      at({ page: page({ marks: ['refusal_tone'], hasOwnLinks: false }) }),
      ['unknown', 'unknown', 'blocked'],
    ],
    [
      'words of a refusal on a page with links',
      at({ page: page({ marks: ['refusal_tone'] }) }),
      ['live', 'unknown', 'completed'],
    ],
    [
      'words of a refusal beside the license',
      at({ page: page({ marks: ['refusal_tone', 'brand_legal'], hasOwnLinks: false }) }),
      ['live', 'unknown', 'completed'],
    ],
    ['a shell', at({ page: page({ isShell: true }) }), ['live', 'unknown', 'completed']],
    ['404', at({ status: 404 }), ['unknown', 'unknown', 'completed']],
    ['410', at({ status: 410 }), ['unknown', 'unknown', 'completed']],
    ['empty 200', at({ page: page({ isEmpty: true }) }), ['unknown', 'unknown', 'completed']],
    ['200 without a body', at({ page: null }), ['unknown', 'unknown', 'completed']],
    [
      'redirect to another domain',
      at({ hasLeft: true, page: page({ products: ['lobby', 'cashier'] }) }),
      ['unknown', 'unknown', 'completed'],
    ],
    ['a page that cannot be read', at({ page: 'unreadable' }), ['unknown', 'unknown', 'unreadable']],
  ])('presence, launch and outcome are judged for %s', (_name, seen, expected) => {
    expect(judged(seen)).toEqual(expected)
  })
})

const parked = at({ page: page({ marks: ['parked'] }) }, parking)

test('a parked site is pre_launch only with a license and if it was never seen live', () => {
  expect(judged(parked, { licensed: false })).toEqual(['parked', 'unknown', 'completed'])
  expect(judged(parked, { earlierLive: true })).toEqual(['parked', 'unknown', 'completed'])
})

test('a site that refuses the check is never pre_launch', () => {
  for (const status of [401, 403, 429, 451, 500])
    expect(judged(at({ status, page: page({ marks: ['parked'] }) }, parking))[1]).toBe('unknown')
  for (const mark of ['challenge', 'region_page'])
    expect(judged(at({ page: page({ marks: ['parked', mark] }) }, parking))[1]).toBe('unknown')
})

test('a launch status has its reasons and its confidence', () => {
  const { launch } = judgePresence(at({ page: page({ products: ['lobby', 'odds', 'cashier'] }) }), {
    licensed: true,
    earlierLive: false,
  })
  expect(launch).toEqual({
    status: 'live',
    confidence: 'high',
    reasons: ['product_cashier', 'product_lobby', 'product_odds'],
  })
})

// Enrichments show these two reasons to customers.
test.each([
  ['name_does_not_exist', site({ name: 'does_not_exist', root: null })],
  ['redirects_to_another_domain', at({ hasLeft: true })],
])('a launch status that is unknown has the reason %s', (reason, seen) => {
  expect(judgePresence(seen, { licensed: true, earlierLive: false }).launch.reasons).toEqual([reason])
})
