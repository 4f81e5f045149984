import { regimeStates, regimeVerticals } from '@baize/registers/entries'
import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject, oneOf } from '../../core/schema.ts'
import {
  approveRegime,
  endRegime,
  enterRegime,
  type RegimeReport,
  readStaffRegimes,
  withdrawRegime,
} from '../regimes/index.ts'
import { type AnswerOf, defineSessionOperation, type SessionContext } from '../session-operation.ts'
import { market } from '../value-sets.ts'
import { asProblem } from './as-problem.ts'

const listStaffRegimes = defineSessionOperation({
  name: 'list_staff_regimes',
  method: 'GET',
  path: '/dashboard/staff/regimes',
  access: 'staff',
  summary: 'Regimes of every status, proposed ones first',
  failures: [],
  async answer({ world: { database }, session: { email } }) {
    const rows = await readStaffRegimes(database)
    return {
      regimes: rows.map(({ id: _id, ends_id: _endsId, entered_at, known_from, known_to, ...row }) => ({
        ...row,
        entered_at: entered_at.toISOString(),
        known_from: known_from?.toISOString() ?? null,
        known_to: known_to?.toISOString() ?? null,
        is_own: row.entered_by === email,
      })),
    }
  },
})

export type RegimeList = AnswerOf<typeof listStaffRegimes>

const day = Type.String({ format: 'date' })
const reason = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' })

const enter = defineSessionOperation({
  name: 'enter_regime',
  method: 'POST',
  path: '/dashboard/staff/regimes',
  access: 'staff',
  stepUp: true,
  summary: 'Propose a regime, which another person of staff approves',
  form: closedObject({
    market: market(),
    vertical: oneOf(regimeVerticals),
    state: oneOf(regimeStates),
    from: day,
    to: Type.Optional(day),
    source_url: Type.String({ maxLength: 2_000, pattern: '^https?://' }),
    note: Type.Optional(Type.String({ maxLength: 300 })),
    reason,
  }),
  failures: ['invalid_parameter'],
  answer: ({ world, session, now }, { reason: why, to = null, note = null, ...entry }) =>
    asProblem('to', () => enterRegime(world, { ...entry, to, note }, { why, by: session, now })),
})

const declared = {
  method: 'POST' as const,
  access: 'staff' as const,
  stepUp: true as const,
  params: closedObject({ regime_ref: Type.String({ maxLength: 64 }) }),
  failures: ['route_not_found' as const, 'invalid_parameter' as const],
}

const approve = defineSessionOperation({
  ...declared,
  name: 'approve_regime',
  path: '/dashboard/staff/regimes/{regime_ref}/approve',
  summary: 'Publish a regime that another person proposed',
  answer: (context, { regime_ref: ref }) => decideRegime(context, ref, approveRegime),
})

const withdraw = defineSessionOperation({
  ...declared,
  name: 'withdraw_regime',
  path: '/dashboard/staff/regimes/{regime_ref}/withdraw',
  summary: 'Withdraw a proposed regime',
  answer: (context, { regime_ref: ref }) => decideRegime(context, ref, withdrawRegime),
})

const end = defineSessionOperation({
  ...declared,
  name: 'end_regime',
  path: '/dashboard/staff/regimes/{regime_ref}/end',
  summary: 'Propose the last day of a regime, which another person of staff approves',
  form: closedObject({ on: day, reason }),
  answer: (context, { regime_ref: ref, on, reason: why }) =>
    decideRegime(context, ref, (world, ref, act) => endRegime(world, ref, { ...act, on, why })),
})

async function decideRegime(
  { world, session, now }: SessionContext,
  ref: string,
  work: typeof approveRegime,
) {
  const [known] = await readStaffRegimes(world.database, { ref })
  if (known === undefined) throw new Failure('route_not_found')
  return asProblem<RegimeReport>('regime_ref', () => work(world, ref, { by: session, now }))
}

export const regimeReviewOperations = [listStaffRegimes, enter, approve, withdraw, end]
