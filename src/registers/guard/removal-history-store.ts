import type { RecordKind } from '@baize/registers'
import type { DifferencesByKind } from '@baize/registers/guard'
import { noHistory, type Removal, type RemovalHistory } from '@baize/registers/guard'
import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'
import { countInForce } from './guard-store.ts'

type HistoryRow = { stream: string; snapshots: number; largest: Partial<Record<RecordKind, Removal>> }

/**
 * Reads the removals of the applied snapshots, by stream. A correction and a snapshot in another form than
 * the one before are left out, because their removals are not the register's. Snapshots of release 0.1.0 have
 * only a sum of all kinds.
 */
export async function readRemovalHistories(
  database: Database | Transaction,
  stream: string | null = null,
): Promise<Map<string, RemovalHistory>> {
  const { rows } = await sql<HistoryRow>`
    with applied as (
      select stream, number, is_correction, form, removed, figures -> 'removals' as removals,
             lag(form) over earlier as form_before,
             lag((figures #>> '{records,license}')::bigint
                 + (figures #>> '{records,authorisation}')::bigint
                 + (figures #>> '{records,blocklist_entry}')::bigint) over earlier as records_before
        from register_snapshots
       where status = 'applied' and (${stream}::text is null or stream = ${stream})
      window earlier as (partition by stream order by number)
    ),
    compared as (
      select * from applied where form = form_before and not is_correction
    ),
    removals as (
      select compared.stream, kind,
             case
               when removals is null then removed
               else (removals #>> array[kind, 'removed'])::bigint
             end as removed,
             case
               when removals is null then records_before
               else (removals #>> array[kind, 'of'])::bigint
             end as of
        from compared
       cross join unnest(array['licensee', 'license', 'authorisation', 'blocklist_entry']) as kind
    ),
    largest as (
      select distinct on (stream, kind) stream, kind, removed, of
        from removals
       where removed > 0 and of > 0
       order by stream, kind, removed::numeric / of desc, of desc
    )
    select stream, count(*) as snapshots,
           (select coalesce(jsonb_object_agg(kind, jsonb_build_object('removed', removed, 'of', of)), '{}')
              from largest where largest.stream = compared.stream) as largest
      from compared
     group by stream`.execute(database)
  return new Map(rows.map(({ stream: key, ...history }) => [key, history]))
}

export async function readRemovalHistory(tx: Transaction, stream: string): Promise<RemovalHistory> {
  return (await readRemovalHistories(tx, stream)).get(stream) ?? noHistory
}

/** Counts what a snapshot removes, by kind, before it is applied. Kinds without removals are left out. */
export async function countRemovals(
  tx: Transaction,
  stream: string,
  differences: DifferencesByKind,
): Promise<Partial<Record<RecordKind, Removal>>> {
  const removing = (Object.keys(differences) as RecordKind[]).filter(kind => differences[kind].removed > 0)
  if (removing.length === 0) return {}
  const inForce = await countInForce(tx, stream)
  return Object.fromEntries(
    removing.map(kind => [kind, { removed: differences[kind].removed, of: inForce[kind] }]),
  )
}
