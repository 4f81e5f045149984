import { sql } from 'kysely'
import { StaffError } from '../../core/staff-error.ts'
import { differencesShownMax } from '../../core/verification.ts'
import type { Database, World } from '../../database/open.ts'
import { verifiedDays } from '../../metering/ledger.ts'
import { requireAccount } from '../account/index.ts'
import type { ExportState } from './export-store.ts'
import type { ExportFilters } from './filters.ts'
import type { ExportFormat, Truncation } from './schemas.ts'

export type StaffExport = {
  id: number
  account_ref: string
  status: ExportState
  attempts: number
  failure: string | null
  request_id: string | null
  requested_at: Date
  waiting_since: Date | null
  started_at: Date | null
  completed_at: Date | null
  expires_at: Date | null
  format: ExportFormat
  filters: ExportFilters
  fields: string[]
  max_rows: number | null
  quoted_credits: number
  credits_used: number | null
  total_rows: number | null
  expected_rows: number | null
  truncated_by: Truncation | null
}

type StaffExportFilter = { account?: string; requestId?: string }

const exportsShownMax = 500

export async function listExportsForStaff(world: World, { account, requestId }: StaffExportFilter) {
  const accountId = account === undefined ? null : (await requireAccount(world, account)).id
  return readExports(world.database, { accountId, requestId: requestId ?? null, id: null })
}

export async function showExportToStaff(world: World, id: number): Promise<StaffExport> {
  const [row] = await readExports(world.database, { accountId: null, requestId: null, id })
  if (row === undefined) throw new StaffError(`There is no export ${id}.`)
  return row
}

async function readExports(
  database: Database,
  { accountId, requestId, id }: { accountId: number | null; requestId: string | null; id: number | null },
): Promise<StaffExport[]> {
  const { rows } = await sql<StaffExport>`
    select export.id, account.account_ref, export.state as status, export.attempts, export.failure,
           export.request_id, export.requested_at, export.waiting_since, export.started_at,
           export.completed_at, export.expires_at, export.format, export.filters, export.fields,
           export.max_rows, export.quoted_credits, export.credits_used, export.total_rows,
           export.expected_rows, export.truncated_by
      from exports export
      join accounts account on account.id = export.account_id
     where (${accountId}::bigint is null or export.account_id = ${accountId})
       and (${requestId}::text is null or export.request_id = ${requestId})
       and (${id}::bigint is null or export.id = ${id})
     order by export.requested_at desc, export.id desc
     limit ${exportsShownMax}`.execute(database)
  return rows
}

type ExportDifference = {
  export: number
  credits_used: number
  settled: number | null
  problem: string
}

export async function verifyExports(database: Database): Promise<ExportDifference[]> {
  const { rows } = await sql<ExportDifference>`
    select export.id as export, export.credits_used, settlement.credits as settled,
           'an export and its settlement differ' as problem
      from exports export
      left join settlements settlement using (settlement_id)
     where export.completed_at >= now() - make_interval(days => ${verifiedDays}::int)
       and settlement.credits is distinct from export.credits_used
    union all
    select export.id, coalesce(export.credits_used, 0), reservation.credits,
           'an export that is not running has reserved credits'
      from exports export
      join reservations reservation on reservation.reservation_id = export.attempt_id
     where export.state <> 'running'
     limit ${differencesShownMax}`.execute(database)
  return rows
}
