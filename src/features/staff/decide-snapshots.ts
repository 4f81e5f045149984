import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject } from '../../core/schema.ts'
import { openStoredFile } from '../../journal/index.ts'
import { recordAuditEvent } from '../audit/index.ts'
import { csvAttachment, csvText } from '../csv-text.ts'
import { type AnswerOf, defineSessionOperation, type SessionContext } from '../session-operation.ts'
import {
  findDifference,
  insertStaffDecision,
  readDecidableSnapshots,
  type StaffDifference,
} from './staff-store.ts'

const listQuarantinedSnapshots = defineSessionOperation({
  name: 'list_quarantined_snapshots',
  method: 'GET',
  path: '/dashboard/staff/snapshots',
  access: 'staff',
  summary: 'Quarantined snapshots, and the latest applied one of each stream',
  failures: [],
  async answer({ world }) {
    const rows = await readDecidableSnapshots(world.database)
    return {
      snapshots: rows.map(row => ({
        ...row,
        taken_at: row.taken_at.toISOString(),
        received_at: row.received_at.toISOString(),
        difference: row.difference?.map(shownDifference) ?? null,
      })),
    }
  },
})

const shownDifference = ({ kind, change, name, fields }: StaffDifference): StaffDifference => ({
  ...{ kind, change, name },
  fields: fields.map(({ name, before, after }) => ({ name, before, after })),
})

export type SnapshotList = AnswerOf<typeof listQuarantinedSnapshots>

const columns = ['change', 'kind', 'record', 'field', 'before', 'after']

function linesOf({ change, kind, name, fields }: StaffDifference): string {
  const rows = fields.length === 0 ? [{ name: null, before: null, after: null }] : fields
  const cells = rows.map(field => [change, kind, name, field.name, field.before, field.after])
  return csvText(cells, { forSpreadsheet: true })
}

const downloadDifference = defineSessionOperation({
  name: 'download_difference',
  method: 'GET',
  path: '/dashboard/staff/snapshots/{snapshot_ref}/difference.csv',
  access: 'staff',
  summary: 'All that a quarantined snapshot would change, a line per changed field',
  params: closedObject({ snapshot_ref: Type.String({ maxLength: 64 }) }),
  failures: ['route_not_found'],
  async answer({ world: { database } }, { snapshot_ref: ref }) {
    const sha256 = await findDifference(database, ref)
    if (sha256 === null) throw new Failure('route_not_found')
    return csvAttachment(`${ref}-difference.csv`, async write => {
      await write(csvText([columns]))
      const input = Readable.from(openStoredFile(database, sha256))
      for await (const line of createInterface({ input }))
        await write(linesOf(JSON.parse(line) as StaffDifference))
    })
  },
})

const declared = {
  method: 'POST' as const,
  access: 'staff' as const,
  stepUp: true as const,
  params: closedObject({ snapshot_ref: Type.String({ maxLength: 64 }) }),
  form: closedObject({ reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }) }),
  failures: ['route_not_found' as const],
}

const approve = defineSessionOperation({
  ...declared,
  name: 'approve_snapshot',
  path: '/dashboard/staff/snapshots/{snapshot_ref}/approve',
  summary: 'Apply a quarantined snapshot; a worker does it',
  answer: (context, { snapshot_ref: ref, reason }) =>
    decideSnapshot(context, { ref, reason, decision: 'approve' }),
})

const discard = defineSessionOperation({
  ...declared,
  name: 'discard_snapshot',
  path: '/dashboard/staff/snapshots/{snapshot_ref}/discard',
  summary: 'Take back the latest applied snapshot of a stream, or end a quarantine; a worker does it',
  answer: (context, { snapshot_ref: ref, reason }) =>
    decideSnapshot(context, { ref, reason, decision: 'discard' }),
})

type Decided = { ref: string; reason: string; decision: 'approve' | 'discard' }

/** Stores a decision. A second one changes nothing while the first is being carried out. */
async function decideSnapshot({ world, session, now }: SessionContext, { ref, reason, decision }: Decided) {
  const wanted = (await readDecidableSnapshots(world.database)).find(each => each.snapshot_ref === ref)
  const isPossible = wanted !== undefined && (wanted.is_quarantined || decision === 'discard')
  if (!isPossible) throw new Failure('route_not_found')
  await world.database.transaction().execute(async tx => {
    const { email } = session
    if (!(await insertStaffDecision(tx, { snapshotRef: ref, decision, reason, email, now }))) return
    const action = decision === 'approve' ? 'snapshot.approved' : 'snapshot.discarded'
    await recordAuditEvent(tx, session, { action, subject: ref, accountId: null, details: { reason }, now })
  })
  return { snapshot_ref: ref }
}

export const snapshotDecisionOperations = [listQuarantinedSnapshots, downloadDifference, approve, discard]
