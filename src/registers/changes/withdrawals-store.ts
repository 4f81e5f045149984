/** An entry that only one snapshot had is withdrawn if the next one corrects it (contract section 13). */

import { type ListedSite, NearTexts, type Replacement, replacementOf } from '@baize/registers/guard'
import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { IncomingSnapshot } from '../apply/incoming-snapshot.ts'

/** More corrections than this are not misprints, but another file. */
const misprintsMax = 200
const rowsAtOnceMax = 10_000

/** `keys` are the withdrawn records; the record that replaces each has its place in `replacedBy`. */
export type Withdrawn = { keys: string[]; replacedBy: string[] }

export async function findWithdrawn(tx: Transaction, snapshot: IncomingSnapshot): Promise<Withdrawn> {
  const none = { keys: [], replacedBy: [] }
  if (snapshot.isCorrection || snapshot.isOtherForm) return none
  const found: [string, string][] = []
  const entries = await readShortLived(tx, snapshot.stream.key)
  if (entries.length === 0 || entries.length > misprintsMax) return none
  const near = new NearTexts(entries.map(entry => entry.domain))
  const nearKeys = new NearTexts(entries.map(entry => entry.recordKey))
  const candidates: Replacement[] = []
  for await (const row of readListed(tx, snapshot.stream.key)) {
    const isNear = near.add(row.domain) || (row.hasReturned && nearKeys.add(row.recordKey))
    if ((row.isNew || row.hasReturned) && (isNear || row.domain.includes('xn--'))) candidates.push(row)
  }
  for (const entry of entries) {
    const replacement = replacementOf(entry, candidates, near.of(entry.domain))
    if (replacement !== undefined) found.push([entry.recordKey, replacement.recordKey])
  }
  const times = Map.groupBy(found, ([, replacedBy]) => replacedBy)
  const certain = found.filter(([, replacedBy]) => times.get(replacedBy)?.length === 1)
  return { keys: certain.map(([key]) => key), replacedBy: certain.map(([, replacedBy]) => replacedBy) }
}

const lastApplied = (stream: string) => sql`(
  select max(applied_at) from register_snapshots where stream = ${stream} and status = 'applied'
)`

async function readShortLived(tx: Transaction, stream: string): Promise<ListedSite[]> {
  const { rows } = await sql<ListedSite>`
    select domain.domain, change.record_key as "recordKey"
      from entry_changes change
      join blocklist_entries stored on stored.id = change.stored_id
      join domains domain on domain.id = stored.domain_id
     where change.change = 'absent'
       and stored.known_from = ${lastApplied(stream)}
       and not exists (
         select from blocklist_entries other
          where (other.stream, other.record_key) = (stored.stream, stored.record_key)
            and other.id <> stored.id
       )
     limit ${misprintsMax + 1}`.execute(tx)
  return rows
}

/**
 * Yields the listed sites of the new snapshot. `isNew` means that the last one listed no host of the
 * domain.
 */
async function* readListed(
  tx: Transaction,
  stream: string,
): AsyncGenerator<Replacement & { isNew: boolean }, void> {
  await sql`create index on staged_entries (record_key collate "C")`.execute(tx)
  let after = ''
  for (;;) {
    const { rows } = await sql<Replacement & { isNew: boolean }>`
      select staged.domain, staged.record_key as "recordKey",
             change.change in ('added', 'returned') and exists (
               select from blocklist_entries earlier
                where earlier.stream = ${stream}
                  and earlier.record_key = staged.record_key
                  and earlier.listed
                  and earlier.known_to = ${lastApplied(stream)}
             ) as "hasReturned",
             change.change in ('added', 'returned') and not exists (
               select from blocklist_entries listed
                where listed.domain_id = domain.id
                  and listed.stream = ${stream}
                  and listed.known_to is null
                  and listed.listed
             ) as "isNew"
        from staged_entries staged
        left join domains domain on domain.domain = staged.domain
        left join entry_changes change on change.record_key = staged.record_key
       where staged.record_key collate "C" > ${after}
         and staged.listed
         and staged.domain is not null
       order by staged.record_key collate "C"
       limit ${rowsAtOnceMax}`.execute(tx)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowsAtOnceMax) return
    after = last.recordKey
  }
}
