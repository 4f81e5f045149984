import { Type } from 'typebox'
import { closedObject } from '../../core/schema.ts'
import type { World } from '../../database/open.ts'
import { costOf, prices } from '../../metering/pricing.ts'
import { quotaExceeded } from '../../metering/quota-exceeded.ts'
import { accountFigures } from '../account/index.ts'
import type { Context } from '../operation.ts'
import { defineOperation } from '../operation.ts'
import example from './create-export.example.json' with { type: 'json' }
import { demoExportId, demoFilters } from './demo-export.ts'
import { drawExportId } from './export-store.ts'
import { canonicalRequest, type ExportRequest, withoutPaidFilters } from './filters.ts'
import { quoteMatching } from './matching-store.ts'
import { createExportName, type ExportBody, exportBody, exportRowsMax } from './schemas.ts'

export const writeTask = { name: 'write_export', attemptsMax: 8 } as const
export const writeJobKey = (id: number) => `export ${id}`

const profileCredits = prices['export.operator_launch_profile'].credits

export const createExport = defineOperation({
  name: createExportName,
  method: 'POST',
  path: '/v1/exports',
  tag: 'Exports',
  section: '§4.17',
  summary: 'Create an export',
  description: `Queues a CSV or JSON file of the matching domains by name, at most \`max_rows\` or
${exportRowsMax} rows.
Costs ${costOf('export.row')} per row. A row with an available Operator Launch Profile costs
${profileCredits} more. The rows in the file are charged when it is complete. If the credits run out before,
the file has fewer rows. Poll \`poll_url\` until the export is complete. The quote ignores
\`supplier_brand\` and \`exclude_provider\`; \`max_rows\` bounds it.`,
  query: closedObject({}),
  body: exportBody,
  data: closedObject({
    export_id: Type.Integer(),
    poll_url: Type.String({ description: 'Path of the export, relative to this service.' }),
    quoted_credits: Type.Integer({ description: 'The maximum cost in credits.' }),
  }),
  success: { status: 202, message: 'Export queued' },
  prices: ['export.row', 'export.operator_launch_profile'],
  failures: [
    'unknown_include',
    'max_credits_exceeded',
    'plan_upgrade_required',
    'quota_exceeded',
    'idempotency_key_reused',
  ],
  demo: [{ title: 'A CSV of the demo world', query: {}, body: {} }],
  example,
  gate: () => ({ feature: 'exports', requiredPlan: 'starter' }),
  canonical: body => canonicalRequest(body) as ExportBody,

  async quote(context, input) {
    const { world, now } = context
    const { filters, export_format: format, fields, max_rows } = input as ExportRequest
    const isDemo = world.name === 'demo'
    const { rows, credits } = await quoteExport(world, input as ExportRequest)

    async function deliver() {
      if (credits > 0 && !isDemo) await requireAnyCredit(context, credits)
      const id = isDemo ? demoExportId : drawExportId()
      return {
        data: { export_id: id, poll_url: `/v1/exports/${id}`, quoted_credits: credits },
        charges: [],
        writes: {
          writer: 'export',
          data: {
            id,
            format,
            filters,
            fields,
            max_rows,
            quoted_rows: rows,
            quoted_credits: credits,
            key_id: context.caller.keyId ?? null,
            requested_at: now,
          },
          job: {
            task: writeTask.name,
            key: writeJobKey(id),
            payload: { export: id },
            attempts_max: writeTask.attemptsMax,
          },
        },
      }
    }

    return { ceiling: credits, deliver }
  },
})

/** Quotes the most rows and credits that an export may have. The quote is free. */
export async function quoteExport(
  world: World,
  { filters, fields, max_rows: rowsMax = exportRowsMax, max_credits: creditsMax }: ExportRequest,
): Promise<{ rows: number; credits: number }> {
  const quoted = withoutPaidFilters(world.name === 'demo' ? demoFilters : filters)
  const rowCredits = rowCreditsMax(fields)
  const affordable = creditsMax === undefined ? {} : { affordableRows: Math.floor(creditsMax / rowCredits) }
  const rows = await quoteMatching(world.database, quoted, { rowsMax, ...affordable })
  return { rows, credits: rows * rowCredits }
}

/**
 * Returns the highest price of a row. Whether a row has a launch profile is known only when it is written.
 */
function rowCreditsMax(fields: ExportRequest['fields']): number {
  return prices['export.row'].credits + (fields.includes('operator_launch_profile') ? profileCredits : 0)
}

/** Rejects an empty balance only. A low balance buys fewer rows, and reserved credits may be released. */
async function requireAnyCredit({ world, caller }: Context, required: number): Promise<void> {
  const figures = await world.primary.readByKey(accountFigures, String(caller.accountId))
  if (figures === undefined || figures.granted === null) return
  if (figures.granted - figures.used <= 0) throw quotaExceeded(figures, required)
}
