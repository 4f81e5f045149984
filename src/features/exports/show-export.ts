import { Failure } from '../../core/failure.ts'
import { closedObject } from '../../core/schema.ts'
import { type Context, defineOperation } from '../operation.ts'
import { demoExport, demoExportId } from './demo-export.ts'
import { type ExportRow, findExport } from './export-store.ts'
import { exportId, exportRecord, fileLifetimeHours } from './schemas.ts'
import example from './show-export.example.json' with { type: 'json' }

export const showExport = defineOperation({
  name: 'show_export',
  method: 'GET',
  path: '/v1/exports/{id}',
  tag: 'Exports',
  section: '§4.18',
  summary: 'Retrieve an export',
  description: `Returns a completed export. Until then the response is 404 \`export_pending\` with
\`Retry-After\`. The file expires ${fileLifetimeHours} hours after its completion: 404 \`export_expired\`. A
failed export (404 \`export_failed\`) was not charged. Free.`,
  query: closedObject({}),
  params: exportId,
  data: exportRecord,
  prices: [],
  failures: ['not_found', 'export_pending', 'export_expired', 'export_failed'],
  demo: [{ title: 'The demo export', query: {}, params: { id: String(demoExportId) } }],
  example,

  async quote(context, { id }) {
    if (context.world.name === 'demo') {
      const { record } = await demoExport(context)
      return { ceiling: 0, deliver: async () => ({ data: record, charges: [] }) }
    }
    const completed = await findCompleted(context, id)
    const data = {
      id,
      status: 'completed' as const,
      format: completed.format,
      download_url: `/v1/exports/${id}/download`,
      total_rows: completed.total_rows,
      expected_rows: completed.expected_rows,
      truncated_by: completed.truncated_by,
      credits_used: completed.credits_used,
      bytes: completed.bytes,
      sha256: completed.sha256,
      completed_at: completed.completed_at.toISOString(),
      expires_at: completed.expires_at.toISOString(),
    }
    return { ceiling: 0, deliver: async () => ({ data, charges: [] }) }
  },
})

type Figures = 'total_rows' | 'expected_rows' | 'credits_used' | 'bytes' | 'sha256' | 'file_name'
type Dates = 'completed_at' | 'expires_at'

type CompletedExport = ExportRow & {
  [Member in Figures | Dates]: NonNullable<ExportRow[Member]>
}

/** Finds a completed export. In any other state it fails with a 404 (§3) whose code names the state. */
export async function findCompleted({ world, caller, now }: Context, id: number): Promise<CompletedExport> {
  const row = await findExport(world.database, caller.accountId, id)
  if (row === undefined) throw new Failure('not_found', { message: `There is no export ${id}.` })
  const details = { export_id: id }
  switch (row.state) {
    case 'queued':
    case 'running':
      throw new Failure('export_pending', {
        details: { ...details, status: row.state },
        retryAfterSeconds: pollAfterSeconds(row, now),
      })
    case 'failed':
      throw new Failure('export_failed', { details })
    case 'expired':
      throw new Failure('export_expired', { details })
    case 'completed':
      if ((row.expires_at as Date) <= now) throw new Failure('export_expired', { details })
      return row as CompletedExport
  }
}

const pollAfterSecondsMax = 30

/** Returns the interval of polling, which grows with the age of the request. Most exports take seconds. */
function pollAfterSeconds({ requested_at }: ExportRow, now: Date): number {
  const ageSeconds = (now.getTime() - requested_at.getTime()) / 1_000
  return Math.min(pollAfterSecondsMax, Math.max(1, Math.round(ageSeconds / 4)))
}
