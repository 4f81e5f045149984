import type { RecordKind } from '@baize/registers'
import { type Differences, type DifferencesByKind, hasRows } from '@baize/registers/guard'
import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'

/** Returns the kinds with rows in the snapshot or in force. */
export async function readPresentKinds(tx: Transaction, stream: string): Promise<ReadonlySet<RecordKind>> {
  const { rows } = await sql<{ kind: RecordKind }>`
    select kind
      from (values
        ('licensee',
         exists (select from staged_licensees)
           or exists (select from licensee_states where stream = ${stream} and known_to is null)),
        ('license',
         exists (select from staged_licenses)
           or exists (
             select from licenses license
               join license_states state on state.license_id = license.id and state.known_to is null
              where license.stream = ${stream}
           )),
        ('authorisation',
         exists (select from staged_authorisations)
           or exists (select from authorisations where stream = ${stream} and known_to is null)),
        ('blocklist_entry',
         exists (select from staged_entries)
           or exists (select from blocklist_entries where stream = ${stream} and known_to is null and listed))
      ) as present (kind, is_present)
     where is_present`.execute(tx)
  return new Set(rows.map(row => row.kind))
}

/** Joins selects on the `_changes` tables of kinds by `union`. null: these tables have no rows. */
export function unionOf(
  differences: DifferencesByKind,
  selects: Partial<Record<RecordKind, RawBuilder<unknown>>>,
): RawBuilder<unknown> | null {
  const written = (Object.keys(selects) as RecordKind[]).filter(kind => hasRows(differences[kind]))
  if (written.length === 0) return null
  return sql.join(
    written.map(kind => selects[kind]),
    sql` union `,
  )
}

export async function countDifferences(
  tx: Transaction,
  table: 'licensee_changes' | 'license_changes' | 'authorisation_changes',
): Promise<Differences> {
  await sql`analyze ${sql.table(table)}`.execute(tx)
  const { rows } = await sql<Differences>`
    select count(*) filter (where change = 'added' and not of_form) as added,
           count(*) filter (where change = 'removed' and not of_form) as removed,
           count(*) filter (where change = 'changed' and not of_form) as changed,
           count(*) filter (where change = 'changed' and not of_form and is_filled) as filled,
           count(*) filter (where of_form or change in ('restated', 'inferred')) as restated
      from ${sql.table(table)}`.execute(tx)
  return rows[0] as Differences
}

/** Compares the fields of `staged` and `stored`. An empty field equals any value. */
export function isSameOrEmpty(...fields: string[]): RawBuilder<unknown> {
  return allOf(fields, field => sql`coalesce(staged.${field} = stored.${field}, true)`)
}

/** Compares the fields of `staged` and `stored`. An empty stored field equals any value. */
export function isSameOrFilled(...fields: string[]): RawBuilder<unknown> {
  return allOf(fields, field => sql`(stored.${field} is null or staged.${field} = stored.${field})`)
}

function allOf(fields: string[], condition: (field: RawBuilder<unknown>) => RawBuilder<unknown>) {
  return sql.join(
    fields.map(field => condition(sql.ref(field))),
    sql` and `,
  )
}
