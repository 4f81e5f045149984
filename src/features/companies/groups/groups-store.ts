import { type RawBuilder, sql } from 'kysely'
import type { Database, RowOf, Transaction } from '../../../database/open.ts'
import { instantText } from '../../json-text-store.ts'

export type GroupMember = RowOf<
  'company_groups',
  'name' | 'source_url' | 'why' | 'stated_by' | 'stated_at'
> & {
  company_ref: string
  company_name: string | null
}

export type NewMember = Pick<GroupMember, 'name' | 'source_url' | 'why' | 'stated_by' | 'stated_at'> & {
  company_id: number
  name_key: string
}

export async function insertMember(tx: Transaction, member: NewMember): Promise<void> {
  await tx.insertInto('company_groups').values(member).execute()
}

/** Ends members of a group; without ids all of them. Returns the ids of the Companies that show them. */
export async function endMembers(
  tx: Transaction,
  { key, ids, reason, now }: { key: string; ids: readonly number[] | null; reason: string; now: Date },
): Promise<number[]> {
  const today = sql`coalesce(member.merged_into, member.id)`
  const { rows } = await sql<{ id: number }>`
    update company_groups stated
       set ended_at = ${now}, end_reason = ${reason}
      from companies member
     where stated.name_key = ${key} and stated.ended_at is null and member.id = stated.company_id
       and ${ids === null ? sql`true` : sql`${today} = any (${[...ids]}::bigint[])`}
    returning ${today} as id`.execute(tx)
  return rows.map(row => row.id)
}

/** Returns the members of all groups, as the Companies that they are today. */
export async function readMembers(database: Database): Promise<GroupMember[]> {
  const { rows } = await sql<GroupMember>`
    select stated.name, stated.source_url, stated.why, stated.stated_by, stated.stated_at,
           company.company_ref, company.company_name
      from company_groups stated
      join companies member on member.id = stated.company_id
      join companies company on company.id = coalesce(member.merged_into, member.id)
     where stated.ended_at is null
     order by stated.name_key, company.company_ref collate "C", stated.id`.execute(database)
  return rows
}

export async function readRefs(tx: Transaction, ids: readonly number[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('companies')
    .select('company_ref')
    .where('id', 'in', [...ids])
    .execute()
  return rows.map(row => row.company_ref).sort()
}

/** Selects what `companies.groups` must be: the groups of Companies that have one, once each. */
export const statedGroups = (ids: readonly number[]): RawBuilder<unknown> => sql`
  select id, jsonb_agg(
           jsonb_build_object('name', name, 'source_url', source_url,
                              'stated_at', ${sql.raw(instantText('stated_at'))})
           order by name_key
         ) as groups
    from (
      select distinct on (1, stated.name_key) coalesce(member.merged_into, member.id) as id, stated.name,
             stated.name_key, stated.source_url, stated.stated_at
        from company_groups stated
        join companies member on member.id = stated.company_id
       where stated.ended_at is null
         and coalesce(member.merged_into, member.id) = any (${[...ids]}::bigint[])
       order by 1, stated.name_key, stated.stated_at
    ) shown
   group by id`
