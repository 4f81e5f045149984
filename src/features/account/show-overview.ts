import { type Static, Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closed, instant, nullable } from '../../core/schema.ts'
import { accountOf, defineSessionOperation, type SessionContext } from '../session-operation.ts'
import { accountFigures } from './account-store.ts'
import { isExpired } from './own-keys.ts'
import { readOwnKeys } from './own-keys-store.ts'
import { recentDays } from './recent-days.ts'
import { accountData, showAccount } from './show-account.ts'
import { readUsageDays, type UsageDay } from './usage-days-store.ts'
import { readUsagePage } from './usage-page-store.ts'
import { usageIdOf } from './usage-position.ts'

const requestsMax = 8
const spendDays = 30
const noFilters = { from: null, to: null }
/** Fewer days give no rate: a first export would look like a habit. */
const rateDaysMin = 7
const dayMs = 24 * 3_600_000

const overview = Type.Object({
  account: showAccount.data,
  spend_days: Type.Integer(),
  credits_spent: Type.Integer({ description: 'In the last `spend_days` days.' }),
  days_left: nullable(Type.Integer(), {
    description:
      'At the average since the first charge of those days. null: no charge, none before the last ' +
      `${rateDaysMin} days, or no quota.`,
  }),
  key: nullable(Type.Object({ name: nullable(Type.String()), last_four: Type.String() }), {
    description: 'The newest key in use. null: there is none, or the role may not see keys.',
  }),
  requests: Type.Array(
    Type.Object({
      id: Type.String(),
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
    const { accountId } = accountOf(context)
    const [account, usage, days, key] = await Promise.all([
      world.readByKey(accountFigures, String(accountId)),
      readUsagePage(world.database, { accountId, filters: noFilters, before: null, limit: requestsMax }),
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
      days_left: account.granted === null ? null : daysLeft(data.available_credits, days, now),
      key,
      requests: usage.map(record => ({
        id: usageIdOf(record),
        requested_at: record.requested_at.toISOString(),
        endpoint: record.endpoint,
        status: record.status,
        credits: record.credits,
      })),
    }
  },
})

/** A new account has spent for some of the days only. The sums are in the order of their days. */
function daysLeft(available: number, days: readonly UsageDay[], now: Date): number | null {
  const first = days.find(({ credits }) => credits > 0)
  if (first === undefined) return null
  const spent = days.reduce((sum, { credits }) => sum + credits, 0)
  const daysOfSpend = Math.max(1, Math.ceil((now.getTime() - Date.parse(first.day)) / dayMs))
  if (available > 0 && daysOfSpend < rateDaysMin) return null
  return Math.floor((available * daysOfSpend) / spent)
}

async function newestKey(context: SessionContext): Promise<Overview['key']> {
  if (context.session.account?.role !== 'owner') return null
  const keys = await readOwnKeys(context.world.database, accountOf(context).accountId)
  const key = keys.find(each => each.replaced_at === null && !isExpired(each, context.now))
  return key === undefined ? null : { name: key.name, last_four: key.last_four }
}
