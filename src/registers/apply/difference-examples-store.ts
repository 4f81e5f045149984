import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { RecordKind } from '../stream.ts'
import { describeChanges } from './describe-changes-store.ts'
import { type DifferenceExample, exampleOf } from './difference-examples.ts'
import type { IncomingSnapshot } from './incoming-snapshot.ts'

const changeTables = [
  'licensee_changes',
  'license_changes',
  'authorisation_changes',
  'entry_changes',
] as const
/** Of each table and kind of change. */
const examplesMax = 8

/** Call it last: it keeps only a few rows of the temporary `_changes` tables. */
export async function readDifferenceExamples(
  tx: Transaction,
  snapshot: IncomingSnapshot,
): Promise<DifferenceExample[]> {
  for (const table of changeTables)
    await sql`
      delete from ${sql.table(table)}
       where ctid <> all (array(
         select ctid
           from (
             select ctid,
                    row_number() over (partition by change order by record_key collate "C") as position
               from ${sql.table(table)}
           ) numbered
          where position <= ${examplesMax}))`.execute(tx)
  await describeChanges(tx, snapshot)
  const { rows } = await sql<DescribedRow>`
    select kind, record_key, before, after
      from record_changes
     order by kind collate "C", record_key collate "C"`.execute(tx)
  return rows.map(row => exampleOf(row.kind, { ...row, recordKey: row.record_key }))
}

type DescribedRow = {
  kind: RecordKind
  record_key: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}
