import { Type } from 'typebox'
import { openCursor, sealCursor } from '../../core/cursor.ts'
import { Failure } from '../../core/failure.ts'
import { jsonList } from '../../core/json-text.ts'
import { closedObject, instant, namedObject, nullable, oneOf } from '../../core/schema.ts'
import { charge, costOf } from '../../metering/pricing.ts'
import { billingLines } from '../billing.ts'
import { blockedBy, licensedBy, verdictWord } from '../domains/index.ts'
import { maxCredits } from '../inputs.ts'
import { defineOperation } from '../operation.ts'
import { pagingInput } from '../paging.ts'
import { type ChangeRow, readChanges } from './changes-store.ts'
import { demoPortfolio } from './demo-portfolio.ts'
import example from './list-portfolio-changes.example.json' with { type: 'json' }
import { findPortfolio } from './read-portfolios.ts'
import { params } from './schemas.ts'

const pageSizeMax = 100
const pageSizeDefault = 20
const feed = 'pc1'

const side = namedObject('VerdictSide', {
  verdict: verdictWord(),
  licensed_by: licensedBy,
  blocked_by: blockedBy,
})

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
    changes: Type.Array(
      namedObject('PortfolioChange', {
        change_ref: Type.String(),
        domain: Type.String(),
        before: side,
        after: side,
        occurred_at: instant(),
        detected_at: instant(),
        cause: oneOf(['coverage', 'register', 'import', 'staff'], {
          description:
            '`coverage`: a source was read for the first time. Such a change is no news, and free.',
        }),
        is_correction: Type.Boolean({ description: 'The service had read a file wrongly. Free.' }),
        correction_of: nullable(Type.String(), { description: 'The change that this one takes back.' }),
        signal_refs: Type.Array(Type.String(), { description: 'The Signals that caused it.' }),
      }),
    ),
    billing: closedObject({
      credits_charged: Type.Integer(),
      breakdown: billingLines(['signal.base']),
      max_credits: nullable(Type.Integer()),
    }),
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
    const scope = { feed, filters: { portfolio: id }, hasOwnKey: true }
    const secret = await world.cursorSecret()
    const from = after === undefined ? created_after : Number(openCursor(scope, after, secret)[0])
    if (!Number.isSafeInteger(from)) throw new Failure('invalid_cursor', { details: { parameter: 'after' } })
    const read = await readChanges(world.database, { portfolioId: id, after: from, limit: pageSize + 1 })
    const page = read.rows.slice(0, pageSize)
    const isFull = read.rows.length > pageSize
    const position = isFull ? (page.at(-1)?.number ?? from) : read.last
    const paid = page.filter(row => !row.is_free).length
    const price = charge('signal.base', paid)
    const charges = paid === 0 ? [] : [price]
    const delivery = {
      charges,
      written: {
        changes: jsonList(page.map(describeChange)),
      },
      data: {
        name,
        page_size: pageSize,
        next_cursor: sealCursor(scope, [String(position)], secret),
        has_more: isFull || !read.isWhole,
        billing: {
          credits_charged: price.credits_charged,
          breakdown: charges,
          max_credits: max_credits ?? null,
        },
      },
    }
    return { ceiling: price.credits_charged, deliver: async () => delivery }
  },
})

function describeChange({ number: _, is_free: __, before, after, ...row }: ChangeRow): string {
  const { change_ref, domain, ...rest } = row
  const head = `{"change_ref":"${change_ref}","domain":"${domain}","before":${before},"after":${after},`
  return head + JSON.stringify(rest).slice(1)
}
