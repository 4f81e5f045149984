import { Type } from 'typebox'
import { closedObject, nullable } from '../../core/schema.ts'
import { defineOperation } from '../operation.ts'
import { accountFigures } from './account-store.ts'
import example from './show-account.example.json' with { type: 'json' }

/** Returns the figures of an account (§2.14). Available credits are 0 without a quota. */
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
  summary: 'Get the plan and the credit balance',
  description:
    'Returns the plan and the prepaid balance of the account of the API key. Credits never expire; ' +
    'there is no monthly reset.',
  query: closedObject({}),
  data: Type.Object({
    plan: Type.String({ description: '`free`, `starter`, `growth` or `internal`.' }),
    credits_granted: nullable(Type.Integer(), {
      description: 'Credits granted so far; null for internal accounts, which have no quota.',
    }),
    credits_used: Type.Integer({ description: 'Credits charged so far.' }),
    credits_reserved: Type.Integer({ description: 'Credits reserved for running exports.' }),
    available_credits: Type.Integer({ description: 'granted − used − reserved, never below 0.' }),
  }),
  prices: [],
  failures: [],
  demo: [{ title: 'The account of the demo key', query: {} }],
  example,
  async quote({ world, caller }) {
    const account = await world.primary.readByKey(accountFigures, String(caller.accountId))
    if (account === undefined) throw new Error('the account of the key does not exist')
    return { ceiling: 0, deliver: async () => ({ data: accountData(account), charges: [] }) }
  },
})
