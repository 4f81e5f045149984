import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'

/**
 * Adds to the verdict changes of this transaction the Signals of its snapshot that name the domain, and the
 * latest time at which they occurred. After a discard these are the correcting Signals, and each change
 * names the one that it takes back. Call it when the Signals are numbered.
 */
export async function linkSignals(
  tx: Transaction,
  { snapshotId, isDiscard = false }: { snapshotId: number; isDiscard?: boolean },
): Promise<void> {
  await sql`
    with changed as materialized (
      select change.number, domain.domain
        from verdict_changes change
        join domains domain on domain.id = change.domain_id
       where change.event = current_event()
    ),
    named as (
      select signal.number, signal.signal_ref, signal.occurred_at, listed.domain
        from signals signal
       cross join lateral (
         select jsonb_array_elements_text(signal.content -> 'authorized_domains') as domain
         union
         select jsonb_array_elements_text(signal.content #> '{change_set,authorized_domains,added}')
         union
         select jsonb_array_elements_text(signal.content #> '{change_set,authorized_domains,removed}')
         union
         select signal.content #>> '{change_set,domain}'
       ) listed
       where signal.snapshot_id = ${snapshotId}
         and (signal.correction_of is not null) = ${isDiscard}
         and exists (select from changed)
    )
    update verdict_changes change
       set signal_refs = linked.signal_refs,
           occurred_at = linked.occurred_at
      from (
        select changed.number, array_agg(named.signal_ref order by named.number) as signal_refs,
               max(named.occurred_at) as occurred_at
          from changed
          join named using (domain)
         group by changed.number
      ) linked
     where change.number = linked.number`.execute(tx)
  if (isDiscard)
    await sql`
      update verdict_changes change
         set correction_of = earlier.change_ref
        from verdict_changes earlier
        join dataset_events applied on applied.number = earlier.event and applied.kind = 'snapshot'
       where change.event = current_event()
         and earlier.domain_id = change.domain_id
         and applied.snapshot_id = ${snapshotId}`.execute(tx)
}
