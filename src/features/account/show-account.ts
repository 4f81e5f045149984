import { Type } from 'typebox'
import { closed, nullable } from '../../core/schema.ts'
import { defineOperation } from '../operation.ts'
import { accountFigures } from './account-store.ts'
import example from './show-account.example.json' with { type: 'json' }

/** The figures as §2.14 names them; available credits are never below 0 and mean nothing without a quota. */
export function accountData(account: {
  plan: string
  granted: number | null
  used: number
  reserved: number
}) {
  return {
    plan: account.plan,
    credits_granted: account.granted,
    credits_used: account.used,
    credits_reserved: account.reserved,
    available_credits: Math.max(0, (account.granted ?? 0) - account.used - account.reserved),
  }
}

export const showAccount = defineOperation({
  name: 'show_account',
  method: 'GET',
  path: '/v1/account',
  tag: 'Account',
  section: '§4.16',
  summary: 'Show the plan and the credit balance',
  description:
    'The plan and the prepaid balance of the account that the key belongs to. Credits never expire; there is no monthly reset.',
  query: Type.Object({}, closed),
  data: Type.Object({
    plan: Type.String({ description: '`free`, `starter`, `growth` or `internal`.' }),
    credits_granted: nullable(Type.Integer(), {
      description: 'Credits granted so far; null: no quota is enforced (internal accounts only).',
    }),
    credits_used: Type.Integer({ description: 'Credits charged so far.' }),
    credits_reserved: Type.Integer({ description: 'Credits held for work under way.' }),
    available_credits: Type.Integer({ description: 'granted − used − reserved, never below 0.' }),
  }),
  prices: [],
  failures: [],
  demo: [{ title: 'The account of the demo key', query: {} }],
  example,
  async quote({ world, caller }) {
    const account = await world.readByKey(accountFigures, String(caller.accountId))
    if (account === undefined) throw new Error('a key of no account')
    return { ceiling: 0, deliver: async () => ({ data: accountData(account), charges: [] }) }
  },
})
