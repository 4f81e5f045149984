import { type Static, Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closed, instant, nullable } from '../../core/schema.ts'
import { accountOf, defineSessionOperation, type SessionContext } from '../session-operation.ts'
import { accountFigures } from './account-store.ts'
import { readOwnKeys } from './own-keys-store.ts'
import { recentDays } from './recent-days.ts'
import { accountData, showAccount } from './show-account.ts'
import { recentUsage } from './show-usage.ts'
import { readUsageDays } from './usage-days-store.ts'

const requestsMax = 8
const spendDays = 30

const overview = Type.Object({
  account: showAccount.data,
  spend_days: Type.Integer(),
  credits_spent: Type.Integer({ description: 'In the last `spend_days` days.' }),
  days_left: nullable(Type.Integer(), {
    description:
      'Of the balance, at the rate of the last `spend_days` days. null: nothing spent, or no quota.',
  }),
  key: nullable(Type.Object({ name: nullable(Type.String()), last_four: Type.String() }), {
    description: 'The newest key. null: there is none, or the role may not see keys.',
  }),
  requests: Type.Array(
    Type.Object({
      requested_at: instant(),
      endpoint: Type.String(),
      status: Type.Integer(),
      credits: Type.Integer(),
    }),
  ),
})

export type Overview = Static<typeof overview>

export const showOverview = defineSessionOperation({
  name: 'show_overview',
  method: 'GET',
  path: '/dashboard',
  access: ['owner', 'member', 'billing'],
  summary: 'The balance of the account and its last requests',
  query: Type.Object({}, closed),
  data: overview,
  failures: [],
  async answer(context) {
    const { world, now } = context
    const { accountId, accountRef } = accountOf(context)
    const [account, usage, days, key] = await Promise.all([
      world.readByKey(accountFigures, String(accountId)),
      recentUsage(world, accountRef, now),
      readUsageDays(world.database, { accountId, ...recentDays(now, spendDays) }),
      newestKey(context),
    ])
    if (account === undefined) throw new Failure('route_not_found')
    const data = accountData(account)
    const spent = days.reduce((sum, day) => sum + day.credits, 0)
    return {
      account: data,
      spend_days: spendDays,
      credits_spent: spent,
      days_left:
        spent === 0 || account.granted === null
          ? null
          : Math.floor((data.available_credits * spendDays) / spent),
      key,
      requests: usage.slice(0, requestsMax).map(({ requested_at, endpoint, status, credits }) => ({
        requested_at: requested_at.toISOString(),
        endpoint,
        status,
        credits,
      })),
    }
  },
})

async function newestKey(context: SessionContext): Promise<Overview['key']> {
  if (context.session.account?.role !== 'owner') return null
  const [key] = await readOwnKeys(context.world.database, accountOf(context).accountId)
  return key === undefined ? null : { name: key.name, last_four: key.last_four }
}
