import { isLockTimeout } from '@baize/postgres'
import type { World } from '../database/open.ts'
import { ImportRun } from './import-files.ts'
import type { ImportReport } from './import-report.ts'
import { normaliseRecord } from './read/normalise-record.ts'
import { parseRecord } from './read/parse-record.ts'

type InterchangeRecord = Record<string, unknown>

/** Returns why an import would reject the record alone, or null. */
export function recordProblem(record: InterchangeRecord): string | null {
  const parsed = parseRecord(JSON.stringify(record))
  if (!parsed.ok) return parsed.reason
  const normalised = normaliseRecord(parsed.record)
  return normalised.ok ? null : normalised.reason
}

/**
 * Imports records that a source has answered, like lines of a file; bad ones are skipped. Returns null, and
 * stores nothing, if another writer of facts takes too long.
 */
export async function importRecords(
  world: World,
  records: readonly InterchangeRecord[],
  now: Date,
): Promise<ImportReport | null> {
  async function* lines() {
    for (const [index, record] of records.entries()) yield { number: index + 1, text: JSON.stringify(record) }
  }
  const run = new ImportRun([{ name: 'a source', lines }], 0, { mode: 'skip-invalid', now, ofSource: true })
  try {
    return await run.in(world, { recorded: true })
  } catch (error) {
    if (isLockTimeout(error)) return null
    throw error
  }
}
