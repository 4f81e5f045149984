import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject } from '../../core/schema.ts'
import { type AnswerOf, accountOf, defineSessionOperation } from '../session-operation.ts'
import { describeUsage, usagePositionOf } from './shown-usage.ts'
import { findUsage, readBill } from './usage-store.ts'

export const showUsageRecord = defineSessionOperation({
  name: 'show_usage_record',
  method: 'GET',
  path: '/dashboard/usage/{id}',
  access: ['owner', 'member', 'billing'],
  summary: 'A usage record with the lines of its bill',
  params: closedObject({ id: Type.String({ maxLength: 200 }) }),
  failures: ['route_not_found'],
  async answer(context, { id }) {
    const { accountId } = accountOf(context)
    const { database } = context.world
    const found = await findUsage(database, accountId, usagePositionOf(id))
    if (found === undefined) throw new Failure('route_not_found')
    const bill = await readBill(database, accountId, found)
    return {
      record: describeUsage(found),
      bill: bill.map(line => ({ ...line, recorded_at: line.recorded_at.toISOString() })),
    }
  },
})

export type UsageWithBill = AnswerOf<typeof showUsageRecord>
