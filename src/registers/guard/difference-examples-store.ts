import type { RecordKind } from '@baize/registers'
import type { DifferencesByKind } from '@baize/registers/guard'
import { type Difference, describeDifference, shortenDifference } from '@baize/registers/guard'
import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { FileWriter } from '../../journal/index.ts'
import type { IncomingSnapshot } from '../apply/incoming-snapshot.ts'
import { describeChanges } from '../changes/describe-changes-store.ts'

/** Limits the examples of each kind of record and of change. */
const examplesMax = 8
const rowsAtOnce = 1_000

/** Archives all that the snapshot would change, a JSON line per record, and returns some of each kind. */
export async function recordDifference(
  tx: Transaction,
  snapshot: IncomingSnapshot,
  differences: DifferencesByKind,
): Promise<{ difference: Difference[]; differenceSha256: Buffer }> {
  await describeChanges(tx, snapshot, differences)
  const writer = new FileWriter(tx)
  const counts = new Map<string, number>()
  const examples: Difference[] = []
  for await (const difference of readDifferences(tx)) {
    await writer.write(`${JSON.stringify(difference)}\n`)
    const kind = `${difference.kind} ${difference.change}`
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    if (count <= examplesMax) examples.push(shortenDifference(difference))
  }
  const { sha256 } = await writer.end()
  return { difference: examples, differenceSha256: sha256 }
}

type DescribedRow = {
  kind: RecordKind
  record_key: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

async function* readDifferences(tx: Transaction): AsyncGenerator<Difference> {
  await sql`
    declare differences no scroll cursor for
    select kind, record_key, before, after
      from record_changes
     order by kind collate "C", record_key collate "C"`.execute(tx)
  for (;;) {
    const { rows } = await sql<DescribedRow>`fetch ${sql.lit(rowsAtOnce)} from differences`.execute(tx)
    for (const row of rows) yield describeDifference(row.kind, { ...row, recordKey: row.record_key })
    if (rows.length < rowsAtOnce) break
  }
  await sql`close differences`.execute(tx)
}
