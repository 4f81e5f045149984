import { memoryFile } from '@baize/files'
import type { FileAnswer } from '@baize/http-content'
import type { Static } from '../../core/operation.ts'
import { readConsistently } from '../../database/read-consistently.ts'
import type { Context } from '../operation.ts'
import { type ExportTally, exportText } from './export-text.ts'
import { expiryOf, type exportRecord } from './schemas.ts'

/** The fixed id of the simulated export (§4.18). */
export const demoExportId = 1
/** The filters of the demo export. Without `enriched_after`, its first rows would be sites without data. */
export const demoFilters = { jurisdiction: 'ukgc', enriched_after: '2026-01-01T00:00:00Z' } as const
/** A fixed time, later than the observations of the demo world. */
const demoCompletedAt = new Date('2026-10-01T06:00:00Z')

type DemoExport = { record: Static<typeof exportRecord>; file: FileAnswer }

export function demoExport({ world, logoUrl }: Context): Promise<DemoExport> {
  return readConsistently(world, async tx => {
    const { promise: end, resolve: onEnd } = Promise.withResolvers<ExportTally>()
    const job = {
      format: 'csv' as const,
      filters: demoFilters,
      fields: [],
      max_rows: null,
      credits: Number.MAX_SAFE_INTEGER,
    }
    const options = { now: demoCompletedAt, logoUrl, onEnd }
    const chunks: Buffer[] = []
    for await (const chunk of exportText(tx, job, options)) chunks.push(chunk)
    const file = memoryFile(Buffer.concat(chunks))
    const { rows, truncatedBy } = await end
    return {
      record: {
        id: demoExportId,
        status: 'completed',
        format: 'csv',
        download_url: `/v1/exports/${demoExportId}/download`,
        total_rows: rows,
        expected_rows: rows,
        truncated_by: truncatedBy,
        credits_used: 0,
        bytes: file.bytes,
        sha256: file.etag,
        completed_at: demoCompletedAt.toISOString(),
        expires_at: expiryOf(demoCompletedAt).toISOString(),
      },
      file: { ...file, fileName: 'baize-export-demo.csv', contentType: 'text/csv; charset=utf-8' },
    }
  })
}
