import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject } from '../../core/schema.ts'
import { defineSessionOperation } from '../session-operation.ts'
import { setSessionAccount } from './session-store.ts'

export const switchAccount = defineSessionOperation({
  name: 'switch_account',
  method: 'POST',
  path: '/dashboard/account',
  access: 'signed-in',
  summary: 'Show another account of the user',
  form: closedObject({ account_ref: Type.String() }),
  failures: ['route_not_found'],
  async answer({ world, session }, { account_ref: accountRef }) {
    const membership = session.memberships.find(each => each.accountRef === accountRef)
    if (membership === undefined) throw new Failure('route_not_found')
    await setSessionAccount(world.database, session.sha256, membership.accountId)
    return { account_ref: accountRef }
  },
})
