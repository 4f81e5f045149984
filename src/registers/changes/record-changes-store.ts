import type { RecordKind } from '@baize/registers'
import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { StoredChange } from './derive-signals.ts'

const changesAtOnceMax = 2_000

/** Yields the changes ordered by kind and key, with the ids of the applied rows. */
export async function* readChanges(tx: Transaction, stream: string): AsyncGenerator<StoredChange, void> {
  await sql`create index on record_changes (kind collate "C", record_key collate "C")`.execute(tx)
  let after = { kind: '', recordKey: '' }
  for (;;) {
    const { rows } = await sql<StoredChange>`
      select change.kind, change.record_key as "recordKey", change.before, change.after,
             change.was_there_before as "wasListedBefore", change.was_known as "wasKnown",
             license.id as "licenseId",
             coalesce(license.company_id, identity.company_id) as "companyId"
        from record_changes change
        left join licenses license
          on change.kind = 'license' and license.stream = ${stream} and license.record_key = change.record_key
        left join company_identities identity
          on change.kind = 'licensee' and identity.stream = ${stream}
         and identity.identity_key = change.record_key
       where (change.kind collate "C", change.record_key collate "C") > (${after.kind}, ${after.recordKey})
       order by change.kind collate "C", change.record_key collate "C"
       limit ${changesAtOnceMax}`.execute(tx)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < changesAtOnceMax) return
    after = last
  }
}

export async function readCorrectedKeys(tx: Transaction, kind: RecordKind): Promise<string[]> {
  const { rows } = await sql<{ record_key: string }>`
    select record_key from record_changes where kind = ${kind}`.execute(tx)
  return rows.map(row => row.record_key)
}
