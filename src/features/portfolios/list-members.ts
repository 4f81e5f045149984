import { Type } from 'typebox'
import { openCursor, sealCursor } from '../../core/cursor.ts'
import { Failure } from '../../core/failure.ts'
import { jsonList } from '../../core/json-text.ts'
import { closedObject, namedObject, nullable } from '../../core/schema.ts'
import { charge, costOf } from '../../metering/pricing.ts'
import { blockedBy, licensedBy, verdictWord } from '../domains/index.ts'
import { maxCredits } from '../inputs.ts'
import { defineOperation } from '../operation.ts'
import { pageLinks, pagingInput, pagingOutput } from '../paging.ts'
import { marketsInForce } from '../regimes/index.ts'
import { demoPortfolio } from './demo-portfolio.ts'
import example from './list-portfolio-members.example.json' with { type: 'json' }
import { readMembers } from './members-store.ts'
import { findPortfolio } from './read-portfolios.ts'
import { params } from './schemas.ts'

const pageSizeMax = 1_000
const pageSizeDefault = 100
const feed = 'pm1'

export const listPortfolioMembers = defineOperation({
  name: 'list_portfolio_members',
  method: 'GET',
  path: '/v1/portfolios/{name}/members',
  tag: 'Portfolios',
  section: 'contract section 19',
  summary: 'List the members of a portfolio with their verdicts',
  description: `The members in the order in which they were added, with today's verdicts. Costs
${costOf('domain.search_row')} a row; an empty page is free.`,
  params,
  query: closedObject({
    after: pagingInput.after,
    page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: pageSizeMax, default: pageSizeDefault })),
    max_credits: Type.Optional(maxCredits),
  }),
  recorded: ['page_size', 'max_credits'],
  data: closedObject({
    name: Type.String(),
    domains: Type.Array(
      namedObject('PortfolioMember', {
        domain: Type.String(),
        verdict: verdictWord(),
        licensed_by: licensedBy,
        blocked_by: blockedBy,
      }),
    ),
    total: Type.Integer({ description: 'The number of members.' }),
    page_size: Type.Integer(),
    ...pagingOutput,
    billing: closedObject({
      returned_count: Type.Integer(),
      credits_per_result: Type.Integer(),
      credits_charged: Type.Integer(),
      billing_reason: Type.String(),
      max_credits: nullable(Type.Integer()),
    }),
  }),
  written: ['domains'],
  prices: ['domain.search_row'],
  failures: [
    'not_found',
    'invalid_cursor',
    'cursor_filter_mismatch',
    'max_credits_exceeded',
    'quota_exceeded',
    'idempotency_key_reused',
  ],
  demo: [{ title: 'Members of the demo portfolio', query: {}, params: { name: demoPortfolio.name } }],
  example,

  async quote(context, { name, after, page_size: pageSize = pageSizeDefault, max_credits }) {
    const { world, now } = context
    const { id, size } = await findPortfolio(context, name)
    const scope = { feed, filters: { portfolio: id } }
    const secret = await world.cursorSecret()
    // A position is a number, because a domain in it would stand in the logs of proxies.
    const from = after === undefined ? 0 : Number(openCursor(scope, after, secret)[0])
    if (!Number.isSafeInteger(from)) throw new Failure('invalid_cursor', { details: { parameter: 'after' } })
    const [rows, regimes] = await Promise.all([
      readMembers(world.database, { portfolioId: id, after: from, limit: pageSize + 1 }),
      marketsInForce(world, now),
    ])
    const page = rows.slice(0, pageSize)
    const next = rows.length > pageSize ? page.at(-1) : undefined
    const price = charge('domain.search_row', page.length)
    const delivery = {
      charges: page.length === 0 ? [] : [price],
      written: { domains: jsonList(page.map(({ row }) => regimes.addTo(row))) },
      data: {
        name,
        total: size,
        page_size: pageSize,
        ...pageLinks(next === undefined ? null : sealCursor(scope, [String(next.id)], secret)),
        billing: {
          returned_count: page.length,
          credits_per_result: price.credits_per_unit,
          credits_charged: price.credits_charged,
          billing_reason: page.length === 0 ? 'no_results' : 'search_results_delivered',
          max_credits: max_credits ?? null,
        },
      },
    }
    return { ceiling: price.credits_charged, deliver: async () => delivery }
  },
})
