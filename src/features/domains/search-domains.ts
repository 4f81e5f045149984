import { hasPlausibleYear, yearMax, yearMin } from '@baize/names'
import { Type } from 'typebox'
import { sealCursor } from '../../core/cursor.ts'
import { Failure, wrongValue } from '../../core/failure.ts'
import type { Static } from '../../core/operation.ts'
import { closedObject, nullable, oneOf } from '../../core/schema.ts'
import { charge, costOf } from '../../metering/pricing.ts'
import { marketInput, maxCredits } from '../inputs.ts'
import { defineOperation } from '../operation.ts'
import { type PagePosition, pageLinks, pagePosition, pagingInput, pagingOutput } from '../paging.ts'
import { concealsEmpty, quotePage } from '../quote-page.ts'
import { marketsInForce } from '../regimes/index.ts'
import { paymentCategory } from '../value-sets.ts'
import { findReviewedPlatform } from './observations-store.ts'
import { blockedBy, licensedBy, verdictWord } from './schemas.ts'
import example from './search-domains.example.json' with { type: 'json' }
import { type DomainFilters, type DomainPosition, readDomainPage } from './search-store.ts'

const searchableVerdicts = ['blocklisted', 'licensed', 'mixed'] as const
const perPageMax = 1_000
const perPageDefault = 100
const feed = 'dom1'

const moment = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description: `${description} ISO 8601 with an offset.` }))

const query = closedObject({
  verdict: oneOf(searchableVerdicts, { description: 'Verdict of the listed domains.' }),
  geo: Type.Optional(
    marketInput(
      'Regulator of blocklisted or mixed domains (`poland`), or jurisdiction of licensed ones (`ukgc`).',
    ),
  ),
  since: moment(
    'Start of a window, inclusive: domains whose listing of today began in it. Another spelling of a ' +
      'listed domain is not new; one that returns after a gap is.',
  ),
  until: moment('End of the same window, exclusive.'),
  dropped_before: moment(
    'Domains that `geo` (without it: every regulator) lists no more and last listed before this time. ' +
      'With `since` and `until`: of these, domains whose last listing began in the window.',
  ),
  payment_category: Type.Optional(paymentCategory('Sites currently observed to accept this payment rail.')),
  platform: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 200,
      description: 'Sites whose latest reading is on this reviewed platform. Other names are a 400.',
    }),
  ),
  page: pagingInput.page,
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: perPageMax, default: perPageDefault })),
  after: pagingInput.after,
  max_credits: Type.Optional(maxCredits),
})

type Input = Static<typeof query>

function domainPosition(position: PagePosition): DomainPosition {
  if ('offset' in position) return position
  const [firstSeenAt, domain] = position.after
  if (firstSeenAt === undefined || domain === undefined)
    throw new Failure('invalid_cursor', { details: { parameter: 'after' } })
  return { after: { firstSeenAt, domain } }
}

function instantOf(input: Input, parameter: 'since' | 'until' | 'dropped_before'): Date | undefined {
  const text = input[parameter]
  if (text === undefined) return undefined
  const moment = new Date(text)
  if (!hasPlausibleYear(moment)) {
    throw wrongValue(parameter, `an ISO 8601 time from ${yearMin} to ${yearMax}, no leap second`)
  }
  return moment
}

/** Rejects a reversed window: its empty page would read as "nothing was listed". */
function windowOf(input: Input): Pick<DomainFilters, 'since' | 'until'> {
  const since = instantOf(input, 'since')
  const until = instantOf(input, 'until')
  if (since !== undefined && until !== undefined && until < since)
    throw wrongValue('until', 'a time that is not before "since"')
  return { since, until }
}

export const searchDomains = defineOperation({
  name: 'search_domains',
  method: 'GET',
  path: '/v1/domains/search',
  tag: 'Domains',
  section: '§4.13',
  summary: 'List domains by verdict',
  description: `Lists the domains of a verdict by regulator or jurisdiction, newly listed (\`since\`,
\`until\`) or removed (\`dropped_before\`), by payment rail or platform. Ordered by first seen, then domain.
Spellings of one domain are one listing, and a row that a register leaves out is removed.
With \`dropped_before\`, \`blocklisted\` and \`mixed\` mean *was*; rows show today's verdict.
Costs ${costOf('domain.search_row')} a row; an empty page is free. With \`platform\`, \`max_credits\` and
the balance must cover a whole page.`,
  query,
  data: closedObject({
    domains: Type.Array(
      closedObject({
        domain: Type.String(),
        verdict: verdictWord(),
        licensed_by: licensedBy,
        blocked_by: blockedBy,
        platform_present: Type.Boolean({
          description: 'false: no reviewed platform is known. It does not mean that the site has none.',
        }),
      }),
    ),
    page: Type.Integer(),
    per_page: Type.Integer(),
    total: Type.Integer({
      description:
        'Number of domains that match the filters. With `platform`: 0 on a page after the last one.',
    }),
    ...pagingOutput,
    billing: closedObject({
      returned_count: Type.Integer(),
      credits_per_result: Type.Integer(),
      credits_charged: Type.Integer(),
      page_size: Type.Integer(),
      billing_reason: Type.String(),
      max_credits: nullable(Type.Integer()),
    }),
  }),
  written: ['domains'],
  prices: ['domain.search_row'],
  failures: [
    'page_out_of_range',
    'unknown_platform',
    'invalid_cursor',
    'cursor_filter_mismatch',
    'max_credits_exceeded',
    'quota_exceeded',
    'idempotency_key_reused',
    'search_unavailable',
  ],
  demo: [
    { title: 'Blocklisted domains', query: { verdict: 'blocklisted', per_page: '5' } },
    { title: 'Blocklisted in Poland', query: { verdict: 'blocklisted', geo: 'poland', per_page: '5' } },
    { title: 'Licensed in Great Britain', query: { verdict: 'licensed', geo: 'ukgc', per_page: '5' } },
    { title: 'Licensed and blocklisted', query: { verdict: 'mixed' } },
    {
      title: 'Newly listed',
      query: { verdict: 'blocklisted', since: '2026-01-01T00:00:00Z', per_page: '5' },
    },
    {
      title: 'Removed from a blocklist',
      query: { verdict: 'blocklisted', dropped_before: '2026-06-01T00:00:00Z', per_page: '5' },
    },
  ],
  example,

  async quote({ world, now }, input: Input) {
    const perPage = input.per_page ?? perPageDefault
    const { page: _page, per_page: _perPage, after: _after, max_credits: _maxCredits, ...bound } = input
    const secret = await world.cursorSecret()
    const pageQuery = {
      page: input.page ?? 1,
      size: { parameter: 'per_page', rows: perPage },
      after: input.after,
      scope: { feed, filters: bound },
    } as const
    const position = domainPosition(pagePosition(pageQuery, secret))
    const platform =
      input.platform === undefined ? undefined : await findReviewedPlatform(world, input.platform.trim())
    if (input.platform !== undefined && platform === undefined) {
      throw new Failure('unknown_platform', {
        details: { parameter: 'platform', takes: 'a platform that was reviewed' },
      })
    }
    const filters: DomainFilters = {
      verdict: input.verdict,
      geo: input.geo,
      ...windowOf(input),
      droppedBefore: instantOf(input, 'dropped_before'),
      paymentCategory: input.payment_category,
      platformId: platform?.id,
    }
    // Only the platform is paid data. The other filters are public, or free in previews.
    const sale = { price: 'domain.search_row', hasPaidFilter: platform !== undefined } as const
    return quotePage(pageQuery, sale, async () => {
      const [found, regimes] = await Promise.all([
        readDomainPage(world, filters, position, perPage),
        marketsInForce(world, now),
      ])
      const price = charge(sale.price, found.returned)
      const cursor =
        found.next === null
          ? null
          : sealCursor(pageQuery.scope, [found.next.firstSeenAt, found.next.domain], secret)
      return {
        charges: found.returned === 0 ? [] : [price],
        written: { domains: ['[', ...found.rows.map(rows => regimes.addTo(rows)), ']'] },
        data: {
          page: pageQuery.page,
          per_page: perPage,
          total: found.returned === 0 && concealsEmpty(pageQuery, sale) ? 0 : found.total,
          ...pageLinks(cursor),
          billing: {
            returned_count: found.returned,
            credits_per_result: price.credits_per_unit,
            credits_charged: price.credits_charged,
            page_size: perPage,
            billing_reason: found.returned === 0 ? 'no_results' : 'search_results_delivered',
            max_credits: input.max_credits ?? null,
          },
        },
      }
    })
  },
})
