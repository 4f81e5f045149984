import { type Static, Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closed, instant, nullable, oneOf } from '../../core/schema.ts'
import { recordEvent } from '../audit/index.ts'
import { defineSessionOperation, type SessionContext } from '../session-operation.ts'
import { downloadDifference } from './download-difference.ts'
import { insertDecision, readDecidableSnapshots } from './staff-store.ts'

const difference = Type.Object({
  kind: Type.String(),
  change: oneOf(['added', 'removed', 'changed']),
  name: Type.String(),
  fields: Type.Array(
    Type.Object({
      name: Type.String(),
      before: nullable(Type.String()),
      after: nullable(Type.String()),
    }),
  ),
})

const snapshot = Type.Object({
  snapshot_ref: Type.String(),
  stream: Type.String(),
  market: Type.String(),
  is_quarantined: Type.Boolean(),
  taken_at: instant(),
  received_at: instant(),
  rows: Type.Integer(),
  rejected: Type.Integer(),
  added: Type.Integer(),
  removed: Type.Integer(),
  changed: Type.Integer(),
  signals: Type.Integer(),
  hold_reasons: Type.Array(Type.String()),
  difference: nullable(Type.Array(difference), {
    description: 'Examples of what it would change. null: not recorded.',
  }),
  has_all_differences: Type.Boolean({ description: 'Whether they can be downloaded as CSV.' }),
  /** The last decision; `is_open`: a worker carries it out. */
  decision: nullable(oneOf(['approve', 'discard'])),
  decided_by: nullable(Type.String()),
  is_open: Type.Boolean(),
  failure: nullable(Type.String()),
})

const snapshotList = Type.Object({ snapshots: Type.Array(snapshot) })
export type SnapshotList = Static<typeof snapshotList>

const listQuarantinedSnapshots = defineSessionOperation({
  name: 'list_quarantined_snapshots',
  method: 'GET',
  path: '/dashboard/staff/snapshots',
  access: 'staff',
  summary: 'Quarantined snapshots, and the latest applied one of each stream',
  query: Type.Object({}, closed),
  data: snapshotList,
  failures: [],
  async answer({ world }) {
    const rows = await readDecidableSnapshots(world.database)
    return {
      snapshots: rows.map(({ status, taken_at, received_at, decision, ...row }) => ({
        ...row,
        decision: decision as 'approve' | 'discard' | null,
        is_quarantined: status === 'held',
        taken_at: taken_at.toISOString(),
        received_at: received_at.toISOString(),
      })),
    }
  },
})

const declared = {
  method: 'POST' as const,
  access: 'staff' as const,
  stepUp: true as const,
  query: Type.Object({}, closed),
  params: Type.Object({ snapshot_ref: Type.String({ maxLength: 64 }) }, closed),
  form: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }) }, closed),
  data: Type.Object({ snapshot_ref: Type.String() }),
  failures: ['route_not_found' as const],
}

const approve = defineSessionOperation({
  ...declared,
  name: 'approve_snapshot',
  path: '/dashboard/staff/snapshots/{snapshot_ref}/approve',
  summary: 'Apply a quarantined snapshot; a worker does it',
  answer: (context, { snapshot_ref: ref, reason }) => decide(context, { ref, reason, decision: 'approve' }),
})

const discard = defineSessionOperation({
  ...declared,
  name: 'discard_snapshot',
  path: '/dashboard/staff/snapshots/{snapshot_ref}/discard',
  summary: 'Take back the latest applied snapshot of a stream, or end a quarantine; a worker does it',
  answer: (context, { snapshot_ref: ref, reason }) => decide(context, { ref, reason, decision: 'discard' }),
})

type Decided = { ref: string; reason: string; decision: 'approve' | 'discard' }

/** A second press while the first is carried out changes nothing. */
async function decide({ world, session, now }: SessionContext, { ref, reason, decision }: Decided) {
  const wanted = (await readDecidableSnapshots(world.database)).find(each => each.snapshot_ref === ref)
  const isPossible = wanted !== undefined && (wanted.status === 'held' || decision === 'discard')
  if (!isPossible) throw new Failure('route_not_found')
  await world.database.transaction().execute(async tx => {
    const { email } = session
    if (!(await insertDecision(tx, { snapshotRef: ref, decision, reason, email, now }))) return
    const action = decision === 'approve' ? 'snapshot.approved' : 'snapshot.discarded'
    await recordEvent(tx, session, { action, subject: ref, accountId: null, details: { reason }, now })
  })
  return { snapshot_ref: ref }
}

export const snapshotDecisionOperations = [listQuarantinedSnapshots, downloadDifference, approve, discard]
