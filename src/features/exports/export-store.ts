import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { ClientFacts } from '../../core/client-facts.ts'
import type { Database, Transaction } from '../../database/open.ts'
import type { ObservationSection } from '../domains/index.ts'
import { demoExportId } from './demo-export.ts'
import type { ExportFilters } from './filters.ts'
import type { ExportFormat, Truncation } from './schemas.ts'

/** `randomInt` has no larger range; two of a million exports share an id in 1 of 500 installations. */
const exportIdMax = 2 ** 48 - 1

/**
 * Draws the id of an export before its row, because the stored response contains the id. It is random, so
 * that customers cannot count the exports of others.
 */
export const drawExportId = (): number => randomInt(demoExportId + 1, exportIdMax)

export type ExportState = 'queued' | 'running' | 'completed' | 'expired' | 'failed'

export type ExportRow = {
  id: number
  state: ExportState
  format: ExportFormat
  requested_at: Date
  quoted_credits: number
  total_rows: number | null
  expected_rows: number | null
  truncated_by: Truncation | null
  credits_used: number | null
  bytes: number | null
  sha256: string | null
  file_name: string | null
  completed_at: Date | null
  expires_at: Date | null
}

const exportColumns = sql`
  id, state, format, requested_at, quoted_credits, total_rows, expected_rows, truncated_by, credits_used,
  bytes, encode(sha256, 'hex') as sha256, file_name, completed_at, expires_at`

export async function findExport(database: Database, accountId: number, id: number) {
  const { rows } = await sql<ExportRow>`
    select ${exportColumns}
      from exports
     where id = ${id} and account_id = ${accountId}`.execute(database)
  return rows[0]
}

/** Returns the exports before the id `before`, the latest first. */
export async function listExports(
  database: Database,
  { accountId, before, limit }: { accountId: number; before: number | null; limit: number },
): Promise<ExportRow[]> {
  const { rows } = await sql<ExportRow>`
    select ${exportColumns}
      from exports
     where account_id = ${accountId}
       and (${before}::bigint is null
            or (requested_at, id) < (select requested_at, id from exports
                                      where id = ${before} and account_id = ${accountId}))
     order by requested_at desc, id desc
     limit ${limit}`.execute(database)
  return rows
}

export type UnfinishedExport = {
  id: number
  account_id: number
  attempt_id: string | null
  format: ExportFormat
  filters: ExportFilters
  fields: ObservationSection[]
  max_rows: number | null
  quoted_credits: number
  request_id: string | null
  client: ClientFacts | null
  key_id: number | null
  waiting_since: Date | null
}

export async function lockUnfinished(tx: Transaction, id: number): Promise<UnfinishedExport | undefined> {
  const { rows } = await sql<UnfinishedExport>`
    select id, account_id, attempt_id, format, filters, fields, max_rows, quoted_credits, request_id, client,
           key_id, waiting_since
      from exports
     where id = ${id} and state in ('queued', 'running')
       for update`.execute(tx)
  return rows[0]
}

export async function markExportRunning(
  tx: Transaction,
  id: number,
  attemptId: string,
  now: Date,
): Promise<void> {
  await sql`
    update exports
       set state = 'running', attempt_id = ${attemptId}, attempts = attempts + 1, started_at = ${now},
           waiting_since = null
     where id = ${id}`.execute(tx)
}

export async function markWaiting(tx: Transaction, id: number, now: Date): Promise<void> {
  await sql`
    update exports
       set state = 'queued', waiting_since = coalesce(waiting_since, ${now})
     where id = ${id}`.execute(tx)
}

/** Queues an export again. Changes nothing if another attempt has begun, or this one has completed it. */
export async function markQueued(tx: Transaction, id: number, attemptId: string): Promise<void> {
  await sql`
    update exports
       set state = 'queued'
     where id = ${id} and attempt_id = ${attemptId} and state = 'running'`.execute(tx)
}

type Completion = {
  id: number
  attemptId: string
  settlementId: string
  fileName: string
  bytes: number
  sha256: Buffer
  totalRows: number
  expectedRows: number
  truncatedBy: Truncation | null
  creditsUsed: number
  completedAt: Date
  expiresAt: Date
}

/** Marks an export as completed. Returns false if another attempt has replaced this one or completed it. */
export async function markCompleted(tx: Transaction, completion: Completion): Promise<boolean> {
  const { rows } = await sql`
    update exports
       set state = 'completed',
           completed_at = ${completion.completedAt},
           expires_at = ${completion.expiresAt},
           file_name = ${completion.fileName},
           bytes = ${completion.bytes},
           sha256 = ${completion.sha256},
           total_rows = ${completion.totalRows},
           expected_rows = ${completion.expectedRows},
           truncated_by = ${completion.truncatedBy},
           credits_used = ${completion.creditsUsed},
           settlement_id = ${completion.settlementId}
     where id = ${completion.id} and attempt_id = ${completion.attemptId} and state = 'running'
    returning 1`.execute(tx)
  return rows.length === 1
}

export async function markFailed(tx: Transaction, id: number, failure: string): Promise<void> {
  await sql`update exports set state = 'failed', failure = ${failure} where id = ${id}`.execute(tx)
}

const unfinishedListedMax = 1_000

export async function listUnfinishedExports(database: Database): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id
      from exports
     where state in ('queued', 'running')
     order by requested_at, id
     limit ${unfinishedListedMax}`.execute(database)
  return rows.map(row => row.id)
}

const expiredAtOnceMax = 100

export async function listPastExpiry(database: Database, now: Date) {
  const { rows } = await sql<{ id: number; file_name: string }>`
    select id, file_name
      from exports
     where file_name is not null and expires_at <= ${now}
     order by expires_at
     limit ${expiredAtOnceMax}`.execute(database)
  return rows
}

export async function markExpired(database: Database, id: number): Promise<void> {
  await sql`
    update exports set state = 'expired', file_name = null where id = ${id} and state = 'completed'`.execute(
    database,
  )
}

export async function attemptsWithFile(database: Database, attemptIds: readonly string[]) {
  const { rows } = await sql<{ attempt_id: string }>`
    select attempt_id
      from exports
     where attempt_id = any (${[...attemptIds]}::uuid[]) and state in ('running', 'completed')`.execute(
    database,
  )
  return new Set(rows.map(row => row.attempt_id))
}
