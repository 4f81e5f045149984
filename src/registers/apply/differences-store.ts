import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { Differences } from './differences.ts'

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

/** Whether the fields of `staged` and `stored` are equal, or empty in one of them. */
export function isSameOrEmpty(...fields: string[]): RawBuilder<unknown> {
  return allOf(fields, field => sql`coalesce(staged.${field} = stored.${field}, true)`)
}

/** Whether the fields of `staged` are those of `stored`, or values in place of empty ones. */
export function isSameOrFilled(...fields: string[]): RawBuilder<unknown> {
  return allOf(fields, field => sql`(stored.${field} is null or staged.${field} = stored.${field})`)
}

function allOf(fields: string[], condition: (field: RawBuilder<unknown>) => RawBuilder<unknown>) {
  return sql.join(
    fields.map(field => condition(sql.ref(field))),
    sql` and `,
  )
}
