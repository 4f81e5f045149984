import { Failure } from '../../core/failure.ts'
import { dayMs } from '../../core/time.ts'
import { readSavedPages } from '../saved-pages/index.ts'
import {
  type AnswerOf,
  accountOf,
  defineSessionOperation,
  type SessionContext,
} from '../session-operation.ts'
import { accountFigures } from './account-store.ts'
import { recentDays } from './day-range.ts'
import { readNeeds } from './needs-store.ts'
import { isExpired } from './own-keys.ts'
import { type OwnKey, readOwnKeys } from './own-keys-store.ts'
import { accountData } from './show-account.ts'
import { readUsageDays, type UsageDay } from './usage-days-store.ts'
import { readUsagePage } from './usage-store.ts'

const spendDays = 30
const noFilters = { from: null, to: null }
/** The fewest days that give a rate of spending: a first export alone would look like a habit. */
const rateDaysMin = 7

export const showOverview = defineSessionOperation({
  name: 'show_overview',
  method: 'GET',
  path: '/dashboard',
  access: ['owner', 'member', 'billing'],
  summary: 'The balance of the account, and what needs its people',
  failures: [],
  async answer(context) {
    const { world, now } = context
    const { accountId } = accountOf(context)
    const [account, usage, days, key, needs, saved] = await Promise.all([
      world.primary.readByKey(accountFigures, String(accountId)),
      readUsagePage(world.database, { accountId, filters: noFilters, before: null, limit: 1 }),
      readUsageDays(world.database, { accountId, ...recentDays(now, spendDays) }),
      newestKey(context),
      readNeeds(world.database, accountId, now),
      readSavedPages(world.database, accountId),
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
      needs,
      saved: context.session.account?.role === 'billing' ? [] : saved,
      has_requests: usage.length > 0,
    }
  },
})

export type Overview = AnswerOf<typeof showOverview>

/** Estimates how many days the balance lasts; null without a rate of spending. `days` are in order of day. */
function daysLeft(available: number, days: readonly UsageDay[], now: Date): number | null {
  const first = days.find(({ credits }) => credits > 0)
  if (first === undefined) return null
  const spent = days.reduce((sum, { credits }) => sum + credits, 0)
  const daysOfSpend = Math.max(1, Math.ceil((now.getTime() - Date.parse(first.day)) / dayMs))
  if (available > 0 && daysOfSpend < rateDaysMin) return null
  return Math.floor((available * daysOfSpend) / spent)
}

/** Returns the newest key in use. The result is null without one, or if the role may not see keys. */
async function newestKey(context: SessionContext): Promise<Pick<OwnKey, 'name' | 'last_four'> | null> {
  if (context.session.account?.role !== 'owner') return null
  const keys = await readOwnKeys(context.world.database, accountOf(context).accountId)
  const key = keys.find(each => each.replaced_at === null && !isExpired(each, context.now))
  return key === undefined ? null : { name: key.name, last_four: key.last_four }
}
