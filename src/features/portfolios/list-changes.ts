import { Type } from 'typebox'
import { openCursor, sealCursor } from '../../core/cursor.ts'
import { Failure } from '../../core/failure.ts'
import { jsonList } from '../../core/json-text.ts'
import { closedObject } from '../../core/schema.ts'
import type { World } from '../../database/open.ts'
import { costOf } from '../../metering/pricing.ts'
import { maxCredits } from '../inputs.ts'
import { defineOperation } from '../operation.ts'
import { pagingInput } from '../paging.ts'
import { changesBilling, chargeChanges, describeChange, verdictChange } from '../verdict-changes/index.ts'
import { readChanges } from './changes-store.ts'
import { demoPortfolio } from './demo-portfolio.ts'
import example from './list-portfolio-changes.example.json' with { type: 'json' }
import { findPortfolio } from './read-portfolios.ts'
import { params } from './schemas.ts'

const pageSizeMax = 100
const pageSizeDefault = 20
const feed = 'pc1'

const scopeOf = (portfolio: number) => ({ feed, filters: { portfolio }, hasOwnKey: true })

/** Returns the number of the last change that a cursor has passed. */
export const numberOf = async (world: World, portfolio: number, cursor: string): Promise<number> =>
  Number(openCursor(scopeOf(portfolio), cursor, await world.cursorSecret())[0])

export const listPortfolioChanges = defineOperation({
  name: 'list_portfolio_changes',
  method: 'GET',
  path: '/v1/portfolios/{name}/changes',
  tag: 'Portfolios',
  section: 'contract section 19',
  summary: 'List what changed among the members of a portfolio',
  description: `Changes of members' verdicts since they were added, oldest first: another word, or another set
of markets. Pass \`next_cursor\` as \`after\`, now or later: it never expires, and each change is delivered
once. Costs ${costOf('signal.base')} per change; corrections, changes by new coverage and empty pages are
free.`,
  params,
  query: closedObject({
    after: pagingInput.after,
    page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: pageSizeMax, default: pageSizeDefault })),
    max_credits: Type.Optional(maxCredits),
  }),
  recorded: ['page_size', 'max_credits'],
  data: closedObject({
    name: Type.String(),
    page_size: Type.Integer(),
    next_cursor: Type.String({ description: 'Pass it as `after`. At the end it can be stored and polled.' }),
    has_more: Type.Boolean({ description: 'Whether to ask for the next page now, also after an empty one.' }),
    changes: Type.Array(verdictChange),
    billing: changesBilling,
  }),
  written: ['changes'],
  prices: ['signal.base'],
  failures: [
    'not_found',
    'invalid_cursor',
    'cursor_filter_mismatch',
    'max_credits_exceeded',
    'quota_exceeded',
    'idempotency_key_reused',
  ],
  demo: [
    {
      title: 'Changes of the demo portfolio',
      query: { page_size: '5' },
      params: { name: demoPortfolio.name },
    },
  ],
  example,

  async quote(context, { name, after, page_size: pageSize = pageSizeDefault, max_credits }) {
    const { world } = context
    const { id, created_after } = await findPortfolio(context, name)
    const scope = scopeOf(id)
    const secret = await world.cursorSecret()
    const from = after === undefined ? created_after : Number(openCursor(scope, after, secret)[0])
    if (!Number.isSafeInteger(from)) throw new Failure('invalid_cursor', { details: { parameter: 'after' } })
    const read = await readChanges(world.database, { portfolioId: id, after: from, limit: pageSize + 1 })
    const page = read.rows.slice(0, pageSize)
    const isFull = read.rows.length > pageSize
    const position = isFull ? (page.at(-1)?.number ?? from) : read.last
    const { charges, billing } = chargeChanges(page, max_credits)
    const delivery = {
      charges,
      written: { changes: jsonList(page.map(describeChange)) },
      data: {
        name,
        page_size: pageSize,
        next_cursor: sealCursor(scope, [String(position)], secret),
        has_more: isFull || !read.isWhole,
        billing,
      },
    }
    return { ceiling: billing.credits_charged, deliver: async () => delivery }
  },
})
