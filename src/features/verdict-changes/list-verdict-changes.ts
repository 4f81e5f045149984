import { Type } from 'typebox'
import { openCursor, sealCursor } from '../../core/cursor.ts'
import { Failure } from '../../core/failure.ts'
import { jsonList } from '../../core/json-text.ts'
import { closedObject, nullable } from '../../core/schema.ts'
import { costOf } from '../../metering/pricing.ts'
import { verdictWord } from '../domains/index.ts'
import { defineOperation, type InputOf } from '../operation.ts'
import { feedDays, feedFailures, feedPageInput, nullableDay } from '../signals/index.ts'
import { market } from '../value-sets.ts'
import { readChanges } from './changes-store.ts'
import { changesBilling, chargeChanges, describeChange, verdictChange } from './describe-change.ts'
import example from './list-verdict-changes.example.json' with { type: 'json' }

const feed = 'vc1'
const pageSizeMax = 100
const pageSizeDefault = 20

const query = closedObject({
  verdict_before: Type.Optional(verdictWord()),
  verdict_after: Type.Optional(verdictWord()),
  geo: Type.Optional(market({ description: 'Only changes with this market before or after.' })),
  ...feedPageInput,
  page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: pageSizeMax, default: pageSizeDefault })),
})

export const listVerdictChanges = defineOperation({
  name: 'list_verdict_changes',
  method: 'GET',
  path: '/v1/signals/verdict-changes',
  tag: 'Signals',
  section: 'contract section 19',
  summary: 'List changes of verdicts',
  description: `Changes of verdicts in the order in which they were detected: another word, or another set of
markets. Another spelling or number is none. Both sides are whole, without what regimes add. Pass
\`next_cursor\` as \`after\`: every change is delivered once, and at the end of the feed the cursor can be
stored and polled. Costs ${costOf('signal.base')} per change; corrections, changes by new coverage and empty
pages are free.`,
  query,
  data: closedObject({
    query: closedObject({
      verdict_before: nullable(verdictWord()),
      verdict_after: nullable(verdictWord()),
      geo: nullable(market()),
      occurred_from: nullableDay,
      occurred_to: nullableDay,
    }),
    total: Type.Integer({ description: 'Changes that match, counted from the start of the feed.' }),
    page: Type.Integer(),
    page_size: Type.Integer(),
    next_cursor: nullable(Type.String(), {
      description: 'Pass it as `after`. It stays the same at the end. null: nothing matches yet.',
    }),
    has_more: Type.Boolean({ description: 'Whether there is a next page already.' }),
    changes: Type.Array(verdictChange),
    billing: changesBilling,
  }),
  written: ['changes'],
  prices: ['signal.base'],
  failures: [...feedFailures],
  demo: [
    { title: 'Changes of verdicts', query: { page_size: '5' } },
    {
      title: 'Sites that lost their license in Great Britain',
      query: { verdict_before: 'licensed', geo: 'ukgc' },
    },
  ],
  example,

  async quote({ world }, input: InputOf<typeof query>) {
    const { after, page_size: pageSize = pageSizeDefault, max_credits } = input
    const filters = {
      verdict_before: input.verdict_before ?? null,
      verdict_after: input.verdict_after ?? null,
      geo: input.geo ?? null,
    }
    const period = { occurred_from: input.occurred_from ?? null, occurred_to: input.occurred_to ?? null }
    const scope = { feed, filters: { ...filters, ...period }, hasOwnKey: true }
    const secret = await world.cursorSecret()
    const from = after === undefined ? null : Number(openCursor(scope, after, secret)[0])
    if (Number.isNaN(from)) throw new Failure('invalid_cursor', { details: { parameter: 'after' } })
    const found = await readChanges(
      world.replica,
      { ...filters, days: feedDays(input) },
      { after: from ?? 0, limit: pageSize + 1 },
    )
    const page = found.rows.slice(0, pageSize)
    const position = page.at(-1)?.number ?? from
    const { charges, billing } = chargeChanges(page, max_credits)
    const data = {
      query: { ...filters, ...period },
      total: found.total,
      page: 1,
      page_size: pageSize,
      next_cursor: position === null ? null : sealCursor(scope, [String(position)], secret),
      has_more: found.rows.length > pageSize,
      billing,
    }
    const written = { changes: jsonList(page.map(describeChange)) }
    return { ceiling: billing.credits_charged, deliver: async () => ({ data, charges, written }) }
  },
})
