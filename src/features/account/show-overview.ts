import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closed, instant } from '../../core/schema.ts'
import { accountOf, defineSessionOperation } from '../session-operation.ts'
import { accountFigures } from './account-store.ts'
import { accountData, showAccount } from './show-account.ts'
import { recentUsage } from './show-usage.ts'

const requestsMax = 8

export const showOverview = defineSessionOperation({
  name: 'show_overview',
  method: 'GET',
  path: '/dashboard',
  access: ['owner', 'member', 'billing'],
  summary: 'The balance of the account and its last requests',
  query: Type.Object({}, closed),
  data: Type.Object({
    account: showAccount.data,
    requests: Type.Array(
      Type.Object({
        requested_at: instant(),
        endpoint: Type.String(),
        status: Type.Integer(),
        credits: Type.Integer(),
      }),
    ),
  }),
  failures: [],
  async answer(context) {
    const { world, now } = context
    const { accountId, accountRef } = accountOf(context)
    const account = await world.readByKey(accountFigures, String(accountId))
    if (account === undefined) throw new Failure('route_not_found')
    const usage = await recentUsage(world, accountRef, now)
    return {
      account: accountData(account),
      requests: usage.slice(0, requestsMax).map(({ requested_at, endpoint, status, credits }) => ({
        requested_at: requested_at.toISOString(),
        endpoint,
        status,
        credits,
      })),
    }
  },
})

export type Overview = {
  account: ReturnType<typeof accountData>
  requests: { requested_at: string; endpoint: string; status: number; credits: number }[]
}
