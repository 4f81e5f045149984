import { Type } from 'typebox'
import { closed } from '../../core/schema.ts'
import { defineOperation } from '../operation.ts'
import { demoExport, demoExportId } from './demo-export.ts'
import { findCompleted } from './find-completed.ts'
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
  query: Type.Object({}, closed),
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
