import { type Static, Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closed, instant, nullable } from '../../core/schema.ts'
import { accountOf, defineSessionOperation } from '../session-operation.ts'
import { describeUsage, shownUsage } from './shown-usage.ts'
import { findUsage, readBill } from './usage-page-store.ts'
import { positionOf } from './usage-position.ts'

const usageWithBill = Type.Object({
  record: shownUsage,
  bill: Type.Array(
    Type.Object({
      recorded_at: instant(),
      kind: Type.String(),
      price_key: nullable(Type.String()),
      units: nullable(Type.Integer()),
      credits: Type.Integer(),
      note: nullable(Type.String()),
    }),
  ),
})

export type UsageWithBill = Static<typeof usageWithBill>

export const showUsageRecord = defineSessionOperation({
  name: 'show_usage_record',
  method: 'GET',
  path: '/dashboard/usage/{id}',
  access: ['owner', 'member', 'billing'],
  summary: 'A usage record with the lines of its bill',
  query: Type.Object({}, closed),
  params: Type.Object({ id: Type.String({ maxLength: 200 }) }, closed),
  data: usageWithBill,
  failures: ['route_not_found'],
  async answer(context, { id }) {
    const { accountId } = accountOf(context)
    const { database } = context.world
    const found = await findUsage(database, accountId, positionOf(id))
    if (found === undefined) throw new Failure('route_not_found')
    const bill = await readBill(database, accountId, found)
    return {
      record: describeUsage(found),
      bill: bill.map(line => ({ ...line, recorded_at: line.recorded_at.toISOString() })),
    }
  },
})
